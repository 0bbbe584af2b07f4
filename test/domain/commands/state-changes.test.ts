import { expect, test } from "vitest";
import { stateChangesOf } from "../../../src/domain/commands/state-changes.ts";
import type { Json } from "../../../src/domain/payload/json.ts";

function changesOf(preparedState: Json, currentState: Json) {
  const details = { preparedState, currentState };
  return stateChangesOf({ errorCode: "STATE_CHANGED", result: { error: { details } } });
}

type Change = [path: string, before: unknown, after: unknown];

test.each<[what: string, before: Json, after: Json, changes: Change[]]>([
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
  const found = changesOf(before, after);
  expect(found?.map((one) => [one.path.join("."), one.before, one.after])).toEqual(changes);
});

test("no more changes than the limit", () => {
  const many = Array.from({ length: 1000 }, (_, index) => index);
  expect(changesOf(many, [])).toHaveLength(50);
});
