import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/lib/json/canonical-json.ts";
import { jsonEqual } from "../../../src/lib/json/json-equal.ts";

test.each([
  ["7", "7.0"],
  ["0", "-0"],
  ['"a\\u0062"', '"ab"'],
  ['{"a":1,"b":[{"c":null}]}', '{"b":[{"c":null}],"a":1}'],
  ['{"constructor":1,"toString":2}', '{"toString":2,"constructor":1}'],
  // These numbers are equal as doubles.
  ["9007199254740993", "9007199254740992"],
])("%s is %s", (one, other) => {
  expect(jsonEqual(JSON.parse(one), JSON.parse(other))).toBe(true);
  expect(jsonEqual(JSON.parse(other), JSON.parse(one))).toBe(true);
});

test.each([
  ["null", "{}"],
  ["7", '"7"'],
  ["7", "7.000000001"],
  ["9007199254740992", "9007199254740991"],
  // These look the same: one is a character, the other a letter with a combining accent.
  ['"\\u00e9"', '"e\\u0301"'],
  ["[]", "{}"],
  ["[1]", '{"0":1}'],
  ["[1,2]", "[2,1]"],
  ['{"a":1}', '{"b":1}'],
  ['{"a":null}', "{}"],
  ['{"toString":1}', "{}"],
  ['{"a":{"b":1}}', '{"a":{"b":2}}'],
])("%s does not equal %s", (one, other) => {
  expect(jsonEqual(JSON.parse(one), JSON.parse(other))).toBe(false);
  expect(jsonEqual(JSON.parse(other), JSON.parse(one))).toBe(false);
});

test("any two values are equal if their canonical JSON is", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(jsonEqual(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
      expect(jsonEqual(one, JSON.parse(canonicalJson(one)))).toBe(true);
    }),
  );
});

test("a large value is only read as far as necessary", () => {
  let reads = 0;
  const counting = {
    get(items: unknown[], key: never) {
      reads++;
      return items[key];
    },
  };
  const large = new Proxy(new Array(100_000).fill(0), counting);
  expect(jsonEqual([0], large)).toBe(false);
  expect(jsonEqual({ no: 1 }, { large })).toBe(false);
  expect(jsonEqual(7, large)).toBe(false);
  expect(reads).toBeLessThan(5);
});
