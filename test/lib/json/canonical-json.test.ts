import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";

test.each([
  { value: null, json: "null" },
  { value: 'say "é"\n', json: '"say \\"é\\"\\n"' },
  { value: [1e21, 1e-7, -0, 0.1], json: "[1e+21,1e-7,0,0.1]" },
  { value: {}, json: "{}" },
  { value: [], json: "[]" },
  {
    value: { b: 1, a: { d: [{ f: 1, e: 2 }], c: "" } },
    json: '{"a":{"c":"","d":[{"e":2,"f":1}]},"b":1}',
  },
  { value: { 10: "b", 9: "c", 1: "a" }, json: '{"1":"a","10":"b","9":"c"}' },
  {
    value: { "\u20ac": 1, "\r": 2, "\ud83d\ude00": 3, "\ufb33": 4 },
    json: '{"\\r":2,"€":1,"😀":3,"\ufb33":4}',
  },
  { value: { a: undefined, b: null }, json: '{"b":null}' },
  { value: Object.assign(Object.create(null), { a: 1 }), json: '{"a":1}' },
  { value: JSON.parse('{"__proto__":1}'), json: '{"__proto__":1}' },
])("$json", ({ value, json }) => {
  expect(canonicalJson(value)).toBe(json);
});

test.each([
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1n,
  new Date(0),
  new Map(),
  [undefined],
  new Array(1),
  { a: [{ b: Number.NaN }] },
])("%s has no canonical form", (value) => {
  expect(() => canonicalJson(value)).toThrow(TypeError);
});

/** Returns the same value with the keys of each object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)]);
  return Object.fromEntries(entries.reverse());
}

test("canonical JSON preserves the value and has only one form", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = canonicalJson(value);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(json))).toBe(json);
      expect(canonicalJson(reversed(value))).toBe(json);
    }),
  );
});
