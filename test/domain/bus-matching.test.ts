// Matching and mapping at their edges: what a pointer leads to, when two values are the same, names that
// objects have by themselves; and that a large event at many conditions is soon looked at.

import { describe, expect, test } from "vitest";
import type { BusEvent } from "../../src/domain/bus/bus-events.ts";
import { mapPayload, matchRoute, type PayloadSource } from "../../src/domain/bus/bus-routes.ts";
import type { Json } from "../../src/domain/payload/json.ts";

const bare: BusEvent = {
  specversion: "1.0",
  type: "order.created",
  source: "shop",
  id: "evt-1",
  time: "2026-01-02T03:04:05.678Z",
};

/** The event with this data, as it comes from a parser. */
const eventOf = (data: string): BusEvent => ({ ...bare, data: JSON.parse(data) });

describe("the type", () => {
  test.each<[pattern: string, type: string, matched: boolean]>([
    ["order", "order", true],
    ["order", "order.created", false],
    ["order.*", "order", false],
    ["order.*", "order.created", true],
    ["order.*", "order.line.added", true],
    ["order.*", "orders.created", false],
    ["order.*", "my.order.created", false],
    ["order.*", "ORDER.created", false],
    ["order.line.*", "order.line", false],
    ["order.line.*", "order.line.added", true],
    ["order.line.*", "order.lines.added", false],
    ["a-b_c.*", "a-b_c.1", true],
    // A dot is a dot, not any character.
    ["a.b", "axb", false],
    ["a.b.*", "axb.c", false],
  ])("%s, of an event %s: %s", (type, of, matched) => {
    expect(matchRoute({ match: { type } }, { ...bare, type: of }).matched).toBe(matched);
  });
});

test.each<[source: string | undefined, matched: boolean]>([
  [undefined, true],
  ["shop", true],
  ["Shop", false],
  ["sho", false],
  ["shop.*", false],
])("the source %s of an event of shop: %s", (source, matched) => {
  const match = { type: "order.created", ...(source === undefined ? {} : { source }) };
  expect(matchRoute({ match }, bare).matched).toBe(matched);
});

describe("a condition on the data", () => {
  test.each<[pointer: string, expected: string, data: string, matched: boolean]>([
    // Where a pointer leads.
    ["", "7", "7", true],
    ["", "{}", "{}", true],
    ["/", "7", '{"":7}', true],
    ["//", "7", '{"":{"":7}}', true],
    ["/a~1b", "7", '{"a/b":7}', true],
    ["/a/b", "7", '{"a/b":7}', false],
    ["/m~0n", "7", '{"m~n":7}', true],
    ["/~01", "7", '{"~1":7}', true],
    ["/~01", "7", '{"/":7}', false],
    ["/a.b", "7", '{"a.b":7}', true],
    ["/a.b", "7", '{"a":{"b":7}}', false],
    ["/é", "7", '{"\\u00e9":7}', true],
    ["/é", "7", '{"e\\u0301":7}', false],
    ["/😀", "7", '{"\\ud83d\\ude00":7}', true],
    ["/a b", "7", '{"a b":7}', true],
    ["/a%20b", "7", '{"a b":7}', false],
    ["/0", "7", "[7]", true],
    ["/0", "7", '{"0":7}', true],
    ["/1", "7", "[7]", false],
    ["/-", "7", "[7]", false],
    ["/01", "7", "[6,7]", false],
    ["/01", "7", '{"01":7}', true],
    ["/+1", "7", "[6,7]", false],
    ["/1e0", "7", "[6,7]", false],
    ["/-1", "7", "[7]", false],
    ["/length", "1", "[7]", false],
    ["/length", "1", '"x"', false],
    ["/0", '"x"', '"x"', false],
    // Names that objects have by themselves.
    ["/constructor", "7", "{}", false],
    ["/constructor", "7", '{"constructor":7}', true],
    ["/constructor/name", '"Object"', "{}", false],
    ["/toString", "7", '{"toString":7}', true],
    ["/__proto__", "{}", "{}", false],
    ["/__proto__", "null", "{}", false],
    ["/__proto__/a", "7", '{"b":{}}', false],
    // When values are the same.
    ["/a", "1", '{"a":1.0}', true],
    ["/a", "1", '{"a":1e0}', true],
    ["/a", "0", '{"a":-0}', true],
    ["/a", "1", '{"a":true}', false],
    ["/a", "9007199254740992", '{"a":9007199254740991}', false],
    // All numbers are doubles: what one cannot tell apart is the same.
    ["/a", "9007199254740993", '{"a":9007199254740992}', true],
    ["/a", "0.3", '{"a":0.30000000000000004}', false],
    ["/a", '""', '{"a":null}', false],
    ["/a", "null", '{"a":null}', true],
    ["/a", "null", "{}", false],
    ["/a", "null", '{"a":false}', false],
    ["/a/b", "null", '{"a":null}', false],
    ["", "null", "null", true],
    ["/a", "{}", '{"a":{}}', true],
    ["/a", "{}", '{"a":{"b":1}}', false],
    ["/a", "[]", '{"a":{}}', false],
    ["/a", '{"x":{"y":[1,{"z":null}]}}', '{"a":{"x":{"y":[1,{"z":null}]}}}', true],
    ["/a", '{"x":{"y":[1,{"z":null}]}}', '{"a":{"x":{"y":[1,{"z":0}]}}}', false],
    ["/a", "[1,2]", '{"a":[2,1]}', false],
  ])("%j is %s, of %s: %s", (pointer, expected, data, matched) => {
    const match = { type: "order.*", data: { [pointer]: JSON.parse(expected) as Json } };
    const { clauses, ...result } = matchRoute({ match }, eventOf(data));
    expect(result.matched).toBe(matched);
    expect(clauses).toHaveLength(2);
  });

  test("as deep as an event may be", () => {
    const data = `${'{"a":'.repeat(30)}[7]${"}".repeat(30)}`;
    const pointer = `${"/a".repeat(30)}/0`;
    const matchedBy = (expected: Json, at = pointer) =>
      matchRoute({ match: { type: "order.*", data: { [at]: expected } } }, eventOf(data)).matched;
    expect(matchedBy(7)).toBe(true);
    expect(matchedBy(8)).toBe(false);
    expect(matchedBy(7, `${pointer}/0`)).toBe(false);
    expect(matchedBy(JSON.parse(data), "")).toBe(true);
  });

  test("64 routes with 32 conditions each look at the largest event in no time", () => {
    let data: Json = Array.from({ length: 30_000 }, (_, at) => `item ${at}`);
    for (let depth = 0; depth < 30; depth++) data = { a: data };
    const conditions = Array.from({ length: 32 }, (_, depth) => ["/a".repeat(depth), { no: 1 }]);
    const match = { type: "order.*", data: Object.fromEntries(conditions) };
    const began = performance.now();
    for (let route = 0; route < 64; route++) {
      expect(matchRoute({ match }, { ...bare, data }).matched).toBe(false);
    }
    // It takes a hundredth of that; two seconds when each condition reads the whole event.
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe("a field of the payload", () => {
  const event: BusEvent = {
    ...bare,
    subject: "orders/7",
    traceparent: "00-1",
    data: JSON.parse(
      '{"a/b":1,"m~n":2,"a.b":{"c.d":[0,{"e":3}]},"":4,"constructor":5,"note":null,"big":9007199254740993}',
    ),
  };

  test.each<[from: PayloadSource, value: unknown]>([
    ["/id", "evt-1"],
    ["/specversion", "1.0"],
    ["/subject", "orders/7"],
    ["/traceparent", "00-1"],
    ["/data/a~1b", 1],
    ["/data/m~0n", 2],
    ["/data/a.b/c.d/1/e", 3],
    ["/data/", 4],
    ["/data/constructor", 5],
    ["/data/note", null],
    ["/data/big", 9007199254740992],
    ["", event],
    [{ const: null }, null],
    [{ const: "/data/note" }, "/data/note"],
    [{ const: { const: 1 } }, { const: 1 }],
    [{ const: false }, false],
  ])("from %j", (from, value) => {
    expect(mapPayload({ payload: { field: from } }, event)).toEqual({ payload: { field: value } });
  });

  test.each([
    "/data/none",
    "/data/note/x",
    "/data/a/b",
    "/data/a.b/c.d/-",
    "/data/a.b/c.d/01",
    "/data/a.b/c.d/2",
    "/data/toString",
    "/data/__proto__",
    "/constructor",
    "/causationid",
    "/ID",
  ])("finds nothing at %s", (from) => {
    expect(mapPayload({ payload: { field: from } }, event)).toEqual({
      problems: [`the event has no value at ${from}, the source of field`],
    });
  });

  test.each(["a.b", "a/b", "", " ", "é", "constructor", "toString", "__proto__", "0"])(
    "may be called %j, and is one field",
    (name) => {
      const payload = JSON.parse(`{${JSON.stringify(name)}:"/id"}`);
      const mapped = mapPayload({ payload }, event) as { payload: object };
      expect(Object.entries(mapped.payload)).toEqual([[name, "evt-1"]]);
      expect(Object.getPrototypeOf(mapped.payload)).toBe(Object.prototype);
    },
  );

  test("all of data is none where there is no data", () => {
    const { data: _, ...without } = event;
    expect(mapPayload({ payload: { all: "/data" } }, without)).toHaveProperty("problems");
    expect(mapPayload({ payload: { all: "/data" } }, eventOf("null"))).toEqual({
      payload: { all: null },
    });
  });
});
