// Tests that input which is checked without the schemas is what the schemas make of it.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type PlainField,
  type PlainFields,
  type PlainRoute,
  plainInput,
} from "../../../src/api/contract/plain-input.ts";
import { plainRoutes } from "../../../src/api/contract/plain-routes.ts";
import type { RouteSpec } from "../../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../../src/api/index.ts";

const plain = Object.entries(plainRoutes) as [RouteName, PlainRoute][];

/** Values on both sides of each limit, and values of wrong types. */
function valuesOf(field: PlainField): fc.Arbitrary<unknown> {
  const other = fc.oneof(fc.constantFrom("", "x", "a,b", null, true, 0, 1.5), fc.string());
  switch (field.kind) {
    case "text":
      return fc.oneof(
        other,
        fc
          .constantFrom(field.min - 1, field.min, field.max, field.max + 1)
          .map((length) => "ä".repeat(Math.max(0, length))),
      );
    case "number":
      return fc.oneof(
        other,
        fc.constantFrom(field.min - 1, field.min, field.max, field.max + 1, String(field.min)),
        fc.integer({ min: field.min, max: field.max }),
      );
    default: {
      const word = fc.constantFrom(...field.words);
      return fc.oneof(
        other,
        word,
        fc.array(word),
        word.map((text) => text.toLowerCase()),
      );
    }
  }
}

function inputsFor(fields: PlainFields = {}): fc.Arbitrary<Record<string, unknown>> {
  const known = Object.entries(fields).map(([name, field]) => [name, valuesOf(field)]);
  const all = { ...Object.fromEntries(known), unknown: fc.constantFrom("1", undefined) };
  return fc.record(all, { requiredKeys: [] });
}

describe.each(plain)("%s", (name, route) => {
  const spec: RouteSpec = routes[name];

  test("has the rules of the route", () => {
    const { path, aliases, summary, description, reply, errors, ...rules } = spec;
    const { params, query, holdsSecret, slowSeconds, headers, otherStatus, ...needed } = rules;
    expect(route.spec).toEqual(needed);
  });

  test("gives the same input as the schemas, or none", () => {
    const both = fc.record({ params: inputsFor(route.params), query: inputsFor(route.query) });
    fc.assert(
      fc.property(both, (given) => {
        const input = plainInput(route, given);
        if (input === null) return;
        expect(input).toEqual({
          params: spec.params?.parse(given.params),
          query: spec.query?.parse(given.query),
        });
      }),
    );
  });
});

const list = plainRoutes["agents.list"] as PlainRoute;

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
  const get = plainRoutes["agents.get"] as PlainRoute;
  expect(plainInput(get, { params: {}, query: {} })).toBeNull();
});
