// Checking input without the schemas gives the same result as parsing it with them.

import fc from "fast-check";
import { expect, test } from "vitest";
import { plainInput } from "../../../src/api/contract/plain-input.ts";
import type { RouteSpec } from "../../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../../src/api/index.ts";
import {
  type FieldFacts,
  type Fields,
  factsOf,
  type RouteFacts,
  routeFacts,
} from "../../../src/domain/route-facts.ts";

const simple = Object.entries(routeFacts).filter(([, facts]) => facts.simple) as [
  RouteName,
  RouteFacts,
][];

/** Values on both sides of each limit, and values of wrong types. */
function valuesOf({ kind, min = 0, max = 0, choices = [] }: FieldFacts): fc.Arbitrary<unknown> {
  const other = fc.oneof(fc.constantFrom("", "x", "a,b", null, true, 0, 1.5), fc.string());
  switch (kind) {
    case "text":
      return fc.oneof(
        other,
        fc
          .constantFrom(min - 1, min, max, max + 1)
          .map((length) => "ä".repeat(Math.max(0, length))),
      );
    case "number":
      return fc.oneof(
        other,
        fc.constantFrom(min - 1, min, max, max + 1, String(min)),
        fc.integer({ min, max }),
      );
    default: {
      const word = fc.constantFrom("a", ...choices);
      return fc.oneof(
        other,
        word,
        fc.array(word),
        word.map((text) => text.toLowerCase()),
      );
    }
  }
}

function inputsFor(fields: Fields = {}): fc.Arbitrary<Record<string, unknown>> {
  const known = Object.entries(fields).map(([name, field]) => [name, valuesOf(field)]);
  const all = { ...Object.fromEntries(known), unknown: fc.constantFrom("1", undefined) };
  return fc.record(all, { requiredKeys: [] });
}

test.each(simple)(
  "%s has the rules of the route, and the input that its schemas give",
  (name, facts) => {
    const spec: RouteSpec = routes[name];
    const { path, aliases, summary, description, reply, errors, ...rules } = spec;
    const { params, query, holdsSecret, headers, otherStatus, ...needed } = rules;
    expect(facts).toEqual(expect.objectContaining(needed));

    const both = fc.record({ params: inputsFor(facts.params), query: inputsFor(facts.query) });
    fc.assert(
      fc.property(both, (given) => {
        const input = plainInput(facts, given);
        if (input === null) return;
        expect(input).toEqual({
          params: spec.params?.parse(given.params),
          query: spec.query?.parse(given.query),
        });
      }),
    );
  },
);

const list = factsOf("agents.list");

test.each([
  { query: {} },
  { query: { page: 2, pageSize: 200, q: "edge", mode: undefined } },
  { query: { status: ["ONLINE", "OFFLINE", "ONLINE"], tokenState: "ACTIVE" } },
])("$query is plain", ({ query }) => {
  expect(plainInput(list, { params: {}, query })?.query).toEqual(
    routes["agents.list"].query.parse(query),
  );
});

test.each([
  { query: { page: 0 } },
  { query: { page: "2" } },
  { query: { status: "ONLINE,OFFLINE" } },
  { query: { status: [] } },
  { query: { status: "online" } },
  { query: { q: "" } },
  { query: { label: ["a:b"] } },
  { query: { mood: "calm" } },
])("$query needs the schemas", ({ query }) => {
  expect(plainInput(list, { params: {}, query })).toBeNull();
});

test("a missing parameter needs the schemas", () => {
  expect(plainInput(factsOf("agents.get"), { params: {}, query: {} })).toBeNull();
});
