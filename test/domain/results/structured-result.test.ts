import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resultLimits } from "../../../src/domain/limits.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { findOffer } from "../../../src/domain/results/offers.ts";
import {
  cellTypes,
  type ResultDetail,
  type ResultList,
  structuredResult,
} from "../../../src/domain/results/structured-result.ts";

const listOf = (list: object): ResultList | null =>
  structuredResult({ list } as JsonObject)?.list ?? null;
const detailOf = (detail: object): ResultDetail | null =>
  structuredResult({ detail } as JsonObject)?.detail ?? null;
const rows = [{ id: "a" }, { id: "b", size: 2 }];
const plain = { type: "text", copyable: false };

describe("an output that is not structured", () => {
  test.each<[what: string, output: Json | undefined]>([
    ["nothing", undefined],
    ["a list", [{ list: { rows } }]],
    ["an empty object", {}],
    ["rows that are not a list", { list: { rows: { 0: {} } } }],
    ["a row that is not an object", { list: { rows: [{}, 1] } }],
    ["rows without keys", { list: { rows: [{}, {}] } }],
    ["columns that are not a list", { list: { rows, columns: "id" } }],
    ["a column without a key", { list: { rows, columns: [{ label: "Id" }] } }],
    ["a column with an empty key", { list: { rows, columns: [{ key: "" }] } }],
    ["a column with a long key", { list: { rows, columns: [{ key: "x".repeat(201) }] } }],
    ["a column that is text", { list: { rows, columns: ["id"] } }],
    ["a detail without data", { detail: { id: 1 } }],
    ["a detail whose data is a list", { detail: { data: [] } }],
    ["data without success", { data: { list: { rows } } }],
    ["data without a structured part", { success: true, data: { n: 1 } }],
    ["an inherited list", JSON.parse('{ "__proto__": { "list": { "rows": [] } } }')],
  ])("is %s", (_what, output) => {
    expect(structuredResult(output)).toBeNull();
  });
});

test("the other parts of an output are kept", () => {
  const rest = JSON.parse('{ "note": 1, "__proto__": 2, "list": { "rows": [] }, "detail": 3 }');
  const found = structuredResult(rest);
  expect(found?.list).not.toBeNull();
  expect(Object.entries(found?.rest ?? {})).toEqual([
    ["note", 1],
    ["__proto__", 2],
    ["detail", 3],
  ]);
  const wrapped = { success: true, message: "done", data: { list: { data: rows }, more: 1 } };
  expect(structuredResult(wrapped)?.list?.rows).toEqual(rows);
  expect(structuredResult(wrapped)?.rest).toEqual({ message: "done", data: { more: 1 } });
});

describe("the columns of a list", () => {
  test.each<[what: string, columns: object[] | null | undefined, are: object[]]>([
    ["are all keys of the rows, if absent", undefined, [{ key: "id" }, { key: "size" }]],
    ["are all keys of the rows, if null", null, [{ key: "id" }, { key: "size" }]],
    ["are all keys of the rows, if empty", [], [{ key: "id" }, { key: "size" }]],
    ["are those declared", [{ key: "size" }], [{ key: "size", label: "size", ...plain }]],
    [
      "have labels, types and copy buttons",
      [{ key: "a.b", label: " Size ", type: "bytes", copyable: true }],
      [{ key: "a.b", label: "Size", type: "bytes", copyable: true }],
    ],
    ["have a format instead of a type", [{ key: "a", format: "status" }], [{ type: "status" }]],
    ["prefer the type", [{ key: "a", type: "code", format: "status" }], [{ type: "code" }]],
    ["call a time datetime", [{ key: "a", format: "datetime" }], [{ type: "time" }]],
    ["are text if the type is unknown", [{ key: "a", type: "html" }], [{ type: "text" }]],
    ["are text if the type is inherited", [{ key: "a", type: "toString" }], [{ type: "text" }]],
    ["ignore wrong values", [{ key: "a", label: 7, type: {}, copyable: 1 }], [{ ...plain }]],
    ["appear once", [{ key: "a" }, { key: "a", label: "again" }], [{ key: "a", label: "a" }]],
  ])("%s", (_what, columns, are) => {
    expect(listOf({ rows, columns })?.columns).toMatchObject(are);
  });

  test("are limited, and counted", () => {
    const columns = Array.from({ length: 10_000 }, (_, n) => ({ key: `c${n}` }));
    const declared = listOf({ rows, columns });
    expect(declared?.columns).toHaveLength(resultLimits.fields);
    expect(declared?.otherColumns).toBe(10_000 - resultLimits.fields);
    const wide = Object.fromEntries(columns.map(({ key }) => [key, 1]));
    expect(listOf({ rows: [wide] })?.otherColumns).toBe(10_000 - resultLimits.fields);
    expect(detailOf({ data: wide })?.otherFields).toBe(10_000 - resultLimits.fields);
  });

  test("have short labels", () => {
    const long = "x".repeat(5_000);
    expect(listOf({ rows, columns: [{ key: "a", label: long }] })?.columns[0]?.label).toHaveLength(
      resultLimits.labelLength,
    );
    expect(listOf({ rows: [{ [long]: 1 }] })?.columns[0]).toMatchObject({ key: long });
  });
});

describe("pages", () => {
  test.each<[list: object, is: Partial<ResultList>]>([
    [{ rows }, { first: 1, total: 2, pageSize: resultLimits.rows }],
    [{ rows: [] }, { first: 1, total: 0 }],
    [
      { rows, pageSize: 1 },
      { first: 1, total: 2, pageSize: 1 },
    ],
    [{ rows, pageSize: 1_000_000 }, { pageSize: resultLimits.rows }],
    [
      { rows, page: 3, pageSize: 20, total: 45 },
      { first: 41, total: 45 },
    ],
    [
      { rows, page: 3 },
      { first: 5, total: 6, pageSize: resultLimits.rows },
    ],
    [
      { rows, total: 45 },
      { first: 1, total: 45 },
    ],
    [
      { rows, page: 3, pageSize: 20, total: 1 },
      { first: 41, total: 42 },
    ],
    [
      { rows, page: -1, pageSize: 0, total: "9" },
      { first: 1, total: 2 },
    ],
    [
      { rows, page: 1.5, pageSize: {}, total: null },
      { first: 1, total: 2 },
    ],
  ])("of %j", (list, is) => {
    expect(listOf(list)).toMatchObject(is);
  });
});

test("only usable actions are offered, and not too many", () => {
  const good = { action: "restart", label: "Restart", payload: { id: "$row.id" }, danger: true };
  const rowActions = [
    null,
    "restart",
    { label: "no name" },
    { action: "not a name" },
    { action: "../../users" },
    { action: 7 },
    { action: "bare", payload: [], danger: "yes" },
    good,
  ];
  const list = listOf({ rows, rowActions, pageActions: { 0: good } });
  expect(list?.rowActions).toEqual([
    { action: "bare", label: "bare", payload: {}, danger: false },
    good,
  ]);
  expect(list?.pageActions).toEqual([]);
  expect(listOf({ rows, rowActions: Array(1_000).fill(good) })?.rowActions).toHaveLength(
    resultLimits.actions,
  );
});

describe("an offer", () => {
  const output = {
    list: {
      rows: [{ id: "a", at: { b: 1 }, secret: "[REDACTED]" }, { id: "b" }],
      rowActions: [
        { action: "one", payload: { id: "$row.id", deep: ["$row.at.b", "$row.nope"], on: true } },
        { action: "two", payload: { a: "$row.__proto__", b: "$row.constructor", c: "$row." } },
        { action: "three", payload: { key: "$row.secret", token: "[REDACTED]", url: "x" } },
        { action: "four", payload: { id: "$row.id", __detail: { data: { id: "$row.id" } } } },
        { action: "five", payload: JSON.parse('{ "__proto__": { "x": 1 }, "y": 1 }') },
      ],
      pageActions: [{ action: "more", payload: { page: 2, id: "$row.id" } }],
    },
    detail: { data: { id: 7 }, actions: [{ action: "six", payload: { id: "$row.id" } }] },
  } as unknown as JsonObject;
  const result = structuredResult(output);

  test.each<[name: string, is: object | null]>([
    ["row-0-0", { action: "one", payload: { id: "a", deep: [1, null], on: true } }],
    ["row-0-1", { action: "one", payload: { id: "b", deep: [null, null], on: true } }],
    ["row-1-0", { action: "two", payload: {} }],
    ["row-2-0", { action: "three", payload: { url: "x" } }],
    ["row-3-1", { payload: { id: "b" }, detail: { data: { id: "b" }, fields: [{ key: "id" }] } }],
    ["row-4-0", { action: "five", payload: { y: 1 } }],
    ["page-0", { action: "more", payload: { page: 2 }, detail: null }],
    ["detail-0", { action: "six", payload: { id: 7 } }],
    ["row-0-2", null],
    ["row-9-0", null],
    ["page-0-0x", null],
    ["row-01234-0", null],
    ["constructor", null],
    ["", null],
  ])("%s", (name, is) => {
    const offer = result && findOffer(result, name);
    if (is === null) expect(offer).toBeNull();
    else expect(offer).toMatchObject(is);
    expect(Object.keys(offer?.payload ?? {})).not.toContain("__proto__");
    if (offer && is && "payload" in is) expect(offer.payload).toEqual(is.payload);
  });

  test("does not read a row's value as a reference", () => {
    const list = {
      rows: [{ id: "$row.secret", secret: "s" }],
      rowActions: [{ action: "go", payload: { id: "$row.id" } }],
    };
    const found = structuredResult({ list });
    expect(found && findOffer(found, "row-0-0")?.payload).toEqual({ id: "$row.secret" });
  });
});

describe("any output", () => {
  const word = fc.constantFrom(
    ...["list", "detail", "rows", "data", "columns", "key", "type", "label", "payload", "action"],
    ...["rowActions", "pageActions", "fields", "actions", "__proto__", "constructor", "$row.a"],
    ...["page", "pageSize", "total", "success", "__detail", "bytes", "$row.__proto__", "toString"],
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: "medium" },
      fc.oneof(word, fc.integer(), fc.constant(null), fc.boolean(), fc.string()),
      fc.array(tie("json"), { maxLength: 4 }),
      fc
        .array(fc.tuple(word, tie("json")), { maxLength: 6 })
        .map((entries) =>
          JSON.parse(`{${entries.map(([k, v]) => `"${k}":${JSON.stringify(v)}`).join(",")}}`),
        ),
    ),
  }));

  test("is read without an error, without a change and within the limits", () => {
    fc.assert(
      fc.property(json, json, json, (list, detail, rowActions) => {
        const rowsOfAny = [{ a: list, b: detail }];
        const output = { list: { rows: rowsOfAny, rowActions: [rowActions] }, detail, x: list };
        for (const value of [list, output] as unknown as Json[]) {
          const before = JSON.stringify(value);
          const found = structuredResult(value);
          expect(JSON.stringify(value)).toBe(before);
          if (!found) continue;
          expect(found.list?.columns.length ?? 0).toBeLessThanOrEqual(resultLimits.fields);
          const offer = findOffer(found, "row-0-0");
          expect(Object.getPrototypeOf(offer?.payload ?? {})).toBe(Object.prototype);
        }
      }),
    );
  });
});

test("the examples of the documentation are structured, and it lists every type", () => {
  const page = join(import.meta.dirname, "../../../docs/reference/structured-results.md");
  const text = readFileSync(page, "utf8");
  const examples = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) => json);
  const found = examples.map((json) => structuredResult(JSON.parse(json)));
  expect(found).toMatchObject([{ list: { first: 1, total: 45 } }, { detail: { otherFields: 0 } }]);
  expect(found.every((one) => Object.keys(one?.rest ?? { x: 1 }).length === 0)).toBe(true);
  const types = text.slice(text.indexOf("| Type |"), text.indexOf("A value that does not match"));
  for (const type of cellTypes) expect(types).toContain(`\`${type}\``);
});
