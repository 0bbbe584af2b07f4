// Which events a route matches, and the payload that it makes of one.

import { describe, expect, test } from "vitest";
import type { BusEvent } from "../../../src/domain/bus/bus-events.ts";
import {
  doubtsOfRule,
  issuesOfRule,
  mapPayload,
  matchRoute,
  type PayloadSource,
  type RouteMatch,
} from "../../../src/domain/bus/bus-routes.ts";

const event: BusEvent = {
  specversion: "1.0",
  type: "order.created",
  source: "shop",
  id: "evt-1",
  time: "2026-01-02T03:04:05.678Z",
  subject: "orders/7",
  data: { orderId: 7, lines: [{ sku: "a/b" }], paid: false, note: null, "a.b": { x: 1, y: [2] } },
};

const matches: [what: string, match: RouteMatch, matched: boolean][] = [
  ["the type, exactly", { type: "order.created" }, true],
  ["another type", { type: "order.deleted" }, false],
  ["the beginning of a type without .*", { type: "order" }, false],
  ["a type in other letters", { type: "Order.created" }, false],
  ["prefix.*", { type: "order.*" }, true],
  ["a prefix that is no whole word", { type: "ord.*" }, false],
  ["the type itself as a prefix", { type: "order.created.*" }, false],
  ["the source", { type: "order.*", source: "shop" }, true],
  ["another source", { type: "order.*", source: "shop2" }, false],
  ["a number", { type: "order.*", data: { "/orderId": 7 } }, true],
  ["a number as text", { type: "order.*", data: { "/orderId": "7" } }, false],
  ["an item", { type: "order.*", data: { "/lines/0/sku": "a/b" } }, true],
  ["false", { type: "order.*", data: { "/paid": false } }, true],
  ["null that is there", { type: "order.*", data: { "/note": null } }, true],
  ["null that is not there", { type: "order.*", data: { "/none": null } }, false],
  ["an object, keys in any order", { type: "order.*", data: { "/a.b": { y: [2], x: 1 } } }, true],
  ["an object with more", { type: "order.*", data: { "/a.b": { x: 1 } } }, false],
  ["an array", { type: "order.*", data: { "/lines": [{ sku: "a/b" }] } }, true],
  ["the whole data", { type: "order.*", data: { "": event.data as never } }, true],
  ["all of several", { type: "order.*", data: { "/orderId": 7, "/paid": false } }, true],
  ["one of several", { type: "order.*", data: { "/orderId": 7, "/paid": true } }, false],
  ["no data at all to look for", { type: "order.*", data: {} }, true],
  ["a pointer into the envelope", { type: "order.*", data: { "/data/orderId": 7 } }, false],
];

test.each(matches)("%s", (_what, match, matched) => {
  const result = matchRoute({ match }, event);
  expect(result.matched).toBe(matched);
  expect(result.clauses.every((clause) => clause.matched)).toBe(matched);
});

test("each condition is told with what was there", () => {
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

test("an event without data meets no condition on it", () => {
  const { data: _data, ...bare } = event;
  expect(matchRoute({ match: { type: "order.*", data: { "": null } } }, bare).matched).toBe(false);
  expect(matchRoute({ match: { type: "order.*" } }, bare).matched).toBe(true);
});

describe("the payload", () => {
  test.each<[string, Record<string, PayloadSource> | undefined, object]>([
    ["is the event where nothing is said", undefined, { event }],
    ["is empty where it is said so", {}, {}],
    ["has what pointers find", { id: "/data/orderId", who: "/source" }, { id: 7, who: "shop" }],
    ["has null that is there", { note: "/data/note" }, { note: null }],
    ["has whole parts", { lines: "/data/lines" }, { lines: [{ sku: "a/b" }] }],
    ["has the whole event", { all: "" }, { all: event }],
    ["has constants", { a: { const: "/x" }, b: { const: null } }, { a: "/x", b: null }],
  ])("%s", (_what, payload, expected) => {
    expect(mapPayload({ payload }, event)).toEqual({ payload: expected });
  });

  test("cannot be made of what is not there: every such field is told", () => {
    const payload = { a: "/data/none", b: "/data/orderId", c: "/nope" };
    expect(mapPayload({ payload }, event)).toEqual({
      problems: [
        "the event has no value at /data/none, the source of a",
        "the event has no value at /nope, the source of c",
      ],
    });
  });

  test("may have a field of any name", () => {
    const payload = JSON.parse('{ "__proto__": { "const": 1 } }');
    const mapped = mapPayload({ payload }, event) as { payload: object };
    expect(Object.entries(mapped.payload)).toEqual([["__proto__", 1]]);
  });
});

describe("a rule that can never work", () => {
  test.each(["", "*", ".*", "order.", "order*", "order.*.created", "a b", "x".repeat(201)])(
    "type %j",
    (type) => {
      expect(issuesOfRule({ match: { type } })).toMatchObject([{ path: "match.type" }]);
    },
  );

  test.each(["order", "order.created", "order.*", "a.b.*"])("but type %j can", (type) => {
    expect(issuesOfRule({ match: { type } })).toEqual([]);
  });

  test("pointers that are none", () => {
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
    /^payload\.a: .* did you mean \/data\/orderId/,
  ],
])("what looks like a mistake is told: %j", (rule, says) => {
  expect(doubtsOfRule(rule as never)).toEqual([expect.stringMatching(says)]);
});

test("what does not, is not", () => {
  const match = { type: "a", data: { "/data": 1, "/x": 1, "": 1 } };
  const payload = { a: "/data/x", b: "/time", c: "", d: { const: "/x" } };
  expect(doubtsOfRule({ match, payload })).toEqual([]);
});
