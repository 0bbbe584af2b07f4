import { expect, test } from "vitest";
import { jsonChanges } from "../../../src/lib/json/json-changes.ts";

type Change = [path: string, before: unknown, after: unknown];

test.each<[what: string, before: unknown, after: unknown, changes: Change[]]>([
  ["equal values", { a: 1, b: [2] }, { b: [2], a: 1 }, []],
  ["a member", { a: 1, b: 2 }, { a: 1, b: 3 }, [["b", 2, 3]]],
  ["a member that is new", {}, { a: null }, [["a", undefined, null]]],
  ["a member that is gone", { a: { b: 1 } }, { a: {} }, [["a.b", 1, undefined]]],
  [
    "items of a list",
    [1, 2, 3],
    [1, 5],
    [
      ["1", 2, 5],
      ["2", 3, undefined],
    ],
  ],
  ["another kind of value", { a: [1] }, { a: { 0: 1 } }, [["a", [1], { 0: 1 }]]],
  ["the whole value", "x", null, [["", "x", null]]],
  ["a name of every object", {}, { toString: 1 }, [["toString", undefined, 1]]],
])("%s", (_what, before, after, changes) => {
  const found = jsonChanges(before, after, 10);
  expect(found.map((one) => [one.path.join("."), one.before, one.after])).toEqual(changes);
});

test("no more changes than the limit", () => {
  const many = Array.from({ length: 1000 }, (_, index) => index);
  expect(jsonChanges(many, [], 7)).toHaveLength(7);
});
