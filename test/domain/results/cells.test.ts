import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resultLimits } from "../../../src/domain/limits.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { type Cell, cellOf, copyOf } from "../../../src/domain/results/cells.ts";
import { valueAt } from "../../../src/domain/results/result-values.ts";
import { type CellType, cellTypes } from "../../../src/domain/results/structured-result.ts";

const fieldOf = (type: CellType, copyable = false) => ({ key: "v", label: "V", type, copyable });
const at = "2026-01-02T03:04:05.000Z";

describe("a value", () => {
  test.each<[type: CellType, value: Json | undefined, cell: Cell]>([
    ["text", undefined, { kind: "nothing" }],
    ["bytes", null, { kind: "nothing" }],
    ["code", "[REDACTED]", { kind: "redacted" }],
    ["text", "<b>", { kind: "text", text: "<b>" }],
    ["text", false, { kind: "boolean", value: false }],
    ["text", { a: [1, "x"] }, { kind: "text", text: '{"a":[1,"x"]}' }],
    ["code", { a: 1 }, { kind: "text", text: '{"a":1}' }],
    ["status", "UP", { kind: "status", text: "UP" }],
    ["link", "javascript:alert(1)", { kind: "link", text: "javascript:alert(1)" }],
    ["number", 1.5, { kind: "number", value: 1.5 }],
    ["number", "12", { kind: "number", value: 12 }],
    ["number", "1e9", { kind: "text", text: "1e9" }],
    ["number", "9".repeat(400), { kind: "text", text: "9".repeat(400) }],
    ["bytes", 1024, { kind: "bytes", value: 1024 }],
    ["boolean", "true", { kind: "text", text: "true" }],
    ["time", at, { kind: "time", at }],
    ["time", Date.parse(at), { kind: "time", at }],
    ["relativeTime", "2026-01-02", { kind: "relativeTime", at: "2026-01-02T00:00:00.000Z" }],
    ["time", "1", { kind: "text", text: "1" }],
    ["time", "2026-99-99T00:00:00Z", { kind: "text", text: "2026-99-99T00:00:00Z" }],
    ["time", 1e300, { kind: "text", text: "1e+300" }],
  ])("of type %s: %j", (type, value, cell) => {
    const row = (value === undefined ? {} : { v: value }) as JsonObject;
    expect(cellOf(row, fieldOf(type))).toEqual(cell);
  });

  test("is copied whole, unless it was redacted", () => {
    const long = "x".repeat(5_000);
    expect(copyOf({ v: long }, fieldOf("text", true))).toBe(long);
    expect(copyOf({ v: 7 }, fieldOf("text", true))).toBe("7");
    expect(copyOf({ v: { a: 1 } }, fieldOf("text", true))).toBeNull();
    expect(copyOf({ v: "/x" }, fieldOf("link"))).toBe("/x");
    expect(copyOf({ v: "x" }, fieldOf("text"))).toBeNull();
    for (const value of ["[REDACTED]", "postgres://a:[REDACTED]@db", "", null]) {
      expect(copyOf({ v: value }, fieldOf("code", true))).toBeNull();
    }
  });

  test("that is long is cut, without reading all of it", () => {
    let reads = 0;
    const one = Object.defineProperty({ text: "x".repeat(20) }, "n", {
      enumerable: true,
      get: () => reads++,
    });
    const cell = cellOf({ v: Array(200_000).fill(one) }, fieldOf("text"));
    expect(reads).toBeLessThan(10_000);
    expect(cell).toMatchObject({ text: expect.stringMatching(/^\[\{"text":"x+","n":0\},.*…$/) });
    expect("text" in cell && cell.text.length).toBe(resultLimits.textLength);
  });
});

test.each<[path: string, value: Json | undefined]>([
  ["a", 1],
  ["b.c", 2],
  ["d.e", 3],
  ["f.0.g", 4],
  ["a.toFixed", undefined],
  ["__proto__", undefined],
  ["b.__proto__.x", undefined],
  ["", undefined],
  [".", undefined],
  ["b.c.".repeat(1_000_000), undefined],
])("the path %.20s", (path, value) => {
  const row = { a: 1, b: { c: 2 }, "d.e": 3, d: { e: 5 }, f: [{ g: 4 }] };
  expect(valueAt(row, path)).toEqual(value);
});

test("every value of every type is shown without an error", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...cellTypes), (value, type) => {
      const cell = cellOf({ v: value as Json }, fieldOf(type, true));
      if ("text" in cell) expect(cell.text.length).toBeLessThanOrEqual(resultLimits.textLength);
      if ("at" in cell) expect(Date.parse(cell.at)).not.toBeNaN();
      copyOf({ v: value as Json }, fieldOf(type, true));
    }),
  );
});
