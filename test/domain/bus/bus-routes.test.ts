// Which events a route matches, and the payload that it creates. test/lib/json tests pointers and
// equality.

import { describe, expect, test } from "vitest";
import type { BusEvent } from "../../../src/domain/bus/bus-events.ts";
import {
  doubtsOfRule,
  isDuplicateOf,
  issuesOfRule,
  mapPayload,
  type PayloadSource,
  type RouteMatch,
} from "../../../src/domain/bus/bus-routes.ts";
import { matchRoute } from "../../../src/domain/bus/route-matching.ts";
import type { Json } from "../../../src/domain/payload/json.ts";

const event: BusEvent = {
  specversion: "1.0",
  type: "order.created",
  source: "shop",
  id: "evt-1",
  time: "2026-01-02T03:04:05.678Z",
  subject: "orders/7",
  traceparent: "00-1",
  data: JSON.parse(
    `{"orderId":7,"lines":[{"sku":"a/b"}],"paid":false,"note":null,"a.b":{"x":1,"y":[2,{"z":3}]}}`,
  ),
};
const { data: _data, ...bare } = event;

test.each<[pattern: string, type: string, matched: boolean]>([
  ["order", "order", true],
  ["order", "order.created", false],
  ["order.*", "order", false],
  ["order.*", "order.created", true],
  ["order.*", "order.line.added", true],
  ["order.*", "my.order.created", false],
  ["ord.*", "order.created", false],
  ["order.line.*", "order.line.added", true],
  // A dot matches only a dot, not any character.
  ["a.b", "axb", false],
  ["a.b.*", "axb.c", false],
])("the type %s matches the event type %s: %s", (type, of, matched) => {
  expect(matchRoute({ match: { type } }, { ...bare, type: of }).matched).toBe(matched);
});

test.each<[source: string | undefined, matched: boolean]>([
  [undefined, true],
  ["shop", true],
  ["sho", false],
  ["shop.*", false],
])("the source %s matches an event from shop: %s", (source, matched) => {
  const match = { type: "order.created", ...(source === undefined ? {} : { source }) };
  expect(matchRoute({ match }, bare).matched).toBe(matched);
});

describe("conditions on the data", () => {
  test.each<[what: string, data: RouteMatch["data"], matched: boolean]>([
    ["an item", { "/lines/0/sku": "a/b" }, true],
    ["null", { "/note": null }, true],
    ["null, but the field is missing", { "/none": null }, false],
    ["an object with its keys in any order", { "/a.b": { y: [2, { z: 3 }], x: 1 } }, true],
    ["the whole data", { "": event.data as never }, true],
    ["all of several", { "/orderId": 7, "/paid": false }, true],
    ["one of several", { "/orderId": 7, "/paid": true }, false],
    ["no conditions", {}, true],
    ["a pointer into the envelope", { "/data/orderId": 7 }, false],
  ])("match as expected: %s", (_what, data, matched) => {
    const result = matchRoute({ match: { type: "order.*", data } }, event);
    expect(result.matched).toBe(matched);
    expect(result.clauses.every((clause) => clause.matched)).toBe(matched);
  });

  test("are returned with the actual values", () => {
    const data = { "/orderId": 8, "/none": 1, "/paid": false };
    const { clauses } = matchRoute({ match: { type: "order.*", source: "x", data } }, event);
    expect(clauses).toEqual([
      { clause: "type", expected: "order.*", actual: "order.created", matched: true },
      { clause: "source", expected: "x", actual: "shop", matched: false },
      { clause: "data", pointer: "/orderId", expected: 8, actual: 7, matched: false },
      { clause: "data", pointer: "/none", expected: 1, matched: false },
      { clause: "data", pointer: "/paid", expected: false, actual: false, matched: true },
    ]);
  });

  test("are not met by an event without data", () => {
    const matched = (match: RouteMatch) => matchRoute({ match }, bare).matched;
    expect(matched({ type: "order.*", data: { "": null } })).toBe(false);
    expect(matched({ type: "order.*" })).toBe(true);
  });

  test("64 routes with 32 conditions each do not read the whole of the largest event", () => {
    let reads = 0;
    const items = Array.from({ length: 30_000 }, (_, at) => `item ${at}`);
    const counted: ProxyHandler<string[]> = {
      get: (array, key) => {
        reads++;
        return Reflect.get(array, key);
      },
    };
    let data: Json = new Proxy(items, counted);
    for (let depth = 0; depth < 30; depth++) data = { a: data };
    const conditions = Array.from({ length: 32 }, (_, depth) => ["/a".repeat(depth), { no: 1 }]);
    const match = { type: "order.*", data: Object.fromEntries(conditions) };
    for (let route = 0; route < 64; route++) {
      expect(matchRoute({ match }, { ...bare, data }).matched).toBe(false);
    }
    expect(reads).toBeLessThan(64 * items.length);
  });
});

describe("the payload", () => {
  test.each<[string, Record<string, PayloadSource> | undefined, object]>([
    ["is the event by default", undefined, { event }],
    ["is empty without fields", {}, {}],
    ["has several fields", { id: "/data/orderId", who: "/source" }, { id: 7, who: "shop" }],
  ])("%s", (_what, payload, expected) => {
    expect(mapPayload({ payload }, event)).toEqual({ payload: expected });
  });

  test.each<[from: PayloadSource, value: unknown]>([
    ["/data/a.b/y/1/z", 3],
    ["/data/lines", [{ sku: "a/b" }]],
    ["", event],
    [{ const: null }, null],
    [{ const: "/data/note" }, "/data/note"],
    [{ const: { const: 1 } }, { const: 1 }],
  ])("gets a field from %j", (from, value) => {
    expect(mapPayload({ payload: { field: from } }, event)).toEqual({ payload: { field: value } });
  });

  test("reports every field without a value", () => {
    const payload = { a: "/data/none", b: "/data/orderId", c: "/nope" };
    expect(mapPayload({ payload }, event)).toEqual({
      problems: [
        "the event has no value at /data/none, the source of a",
        "the event has no value at /nope, the source of c",
      ],
    });
    expect(mapPayload({ payload: { all: "/data" } }, bare)).toHaveProperty("problems");
  });

  test("reports a number that would be rounded", () => {
    const large = { ...event, data: { order: 2 ** 53 } };
    const problem = "the number at /id is too large";
    const mapped = mapPayload({ payload: { id: "/data/order" } }, large);
    expect(mapped).toEqual({ problems: [expect.stringContaining(problem)] });
    expect(mapPayload({}, large)).toHaveProperty("problems");
    expect(mapPayload({ payload: { type: "/type" } }, large)).toHaveProperty("payload");
  });

  test("is limited in size", () => {
    const large = { ...event, data: "x".repeat(300 * 1024) };
    const copies = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, "/data"]));
    expect(mapPayload({ payload: copies(3) }, large)).toHaveProperty("payload");
    expect(mapPayload({ payload: copies(4) }, large)).toEqual({
      problems: ["it would be larger than 1 MiB"],
    });
  });

  test.each(["a.b", "a/b", "", "é", "constructor", "__proto__", "0"])(
    "can have a field %j",
    (name) => {
      const payload = JSON.parse(`{${JSON.stringify(name)}:"/id"}`);
      const mapped = mapPayload({ payload }, event) as { payload: object };
      expect(Object.entries(mapped.payload)).toEqual([[name, "evt-1"]]);
      expect(Object.getPrototypeOf(mapped.payload)).toBe(Object.prototype);
    },
  );
});

describe("a type that can never match", () => {
  test.each(["", "*", "order.", "order*", "order.*.created", "a b", "x".repeat(201)])(
    "type %j",
    (type) => {
      expect(issuesOfRule({ match: { type } })).toMatchObject([{ path: "match.type" }]);
    },
  );

  test.each(["order", "order.created", "order.*", "a.b.*"])("does not include %j", (type) => {
    expect(issuesOfRule({ match: { type } })).toEqual([]);
  });

  test("invalid pointers", () => {
    const match = { type: "a", data: { orderId: 1, "/ok": 1, "/a~b": 1 } };
    const payload = { a: "data/x", b: "/data/x", c: { const: "no pointer" }, d: "/~" };
    const issues = issuesOfRule({ match, payload });
    expect(issues.map(({ path }) => path)).toEqual([
      "match.data",
      "match.data",
      "payload.a",
      "payload.d",
    ]);
    expect(issues[0]?.message).toContain('not "orderId"');
  });
});

test.each([
  [
    { match: { type: "a", data: { "/data/x": 1 } } },
    /^match\.data: \/data\/x .* did you mean \/x\?$/,
  ],
  [
    { match: { type: "a" }, payload: { a: "/orderId" } },
    /^payload\.a: \/orderId is not a field of every event; did you mean \/data\/orderId\?$/,
  ],
])("a likely mistake is reported: %j", (rule, says) => {
  expect(doubtsOfRule(rule as never)).toEqual([expect.stringMatching(says)]);
});

test.each<[what: string, doubles: boolean, change: object]>([
  ["the same rule", true, {}],
  ["another payload", true, { payload: {} }],
  ["the state DISABLED", false, { state: "DISABLED" }],
  ["the state DRY_RUN", false, { state: "DRY_RUN" }],
  ["another type", false, { match: { type: "log.*" } }],
  ["another source", false, { match: { type: "log.full", source: "shop" } }],
  ["other data", false, { match: { type: "log.full", data: { "/mb": 1 } } }],
  ["another action", false, { target: { serviceCode: "shop", action: "form" } }],
])("a route has the same effect as another with %s: %s", (_what, doubles, change) => {
  const target = { serviceCode: "shop", action: "rotate" };
  const rule = { name: "r", state: "ENABLED", match: { type: "log.full" }, target } as const;
  expect(isDuplicateOf(rule, { ...rule, ...change })).toBe(doubles);
  expect(isDuplicateOf({ ...rule, ...change }, rule)).toBe(doubles);
});

test("a plausible rule is not reported", () => {
  const match = { type: "a", data: { "/data": 1, "/x": 1, "": 1 } };
  const payload = { a: "/data/x", b: "/time", c: "", d: { const: "/x" } };
  expect(doubtsOfRule({ match, payload })).toEqual([]);
});
