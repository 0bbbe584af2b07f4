import { expect, test } from "vitest";
import { sortActions } from "../../../src/domain/fleet/services.ts";

type Named = [name: string, category?: string | undefined, order?: number];
const action = ([name, category, order]: Named) => ({
  name,
  ...(category === undefined ? {} : { category }),
  ...(order === undefined ? {} : { order }),
});

test.each<[what: string, actions: Named[], sorted: string]>([
  ["as declared", [["b"], ["a"], ["c"]], "b a c"],
  ["by order, and others after them", [["z"], ["b", undefined, 2], ["a", undefined, -1]], "a b z"],
  [
    "equal orders as declared",
    [
      ["b", undefined, 1],
      ["a", undefined, 1],
    ],
    "b a",
  ],
  ["no category last", [["z", undefined, 1], ["a", "x"], ["y"], ["b", "x"]], "a b z y"],
  [
    "the lowest category first",
    [
      ["a", "one", 9],
      ["b", "two", 2],
      ["c", "one", 1],
    ],
    "c a b",
  ],
  [
    "equal categories by name",
    [
      ["b", "two"],
      ["a", "one"],
      ["c", "two"],
    ],
    "a b c",
  ],
])("actions are sorted: %s", (_what, actions, sorted) => {
  const names = sortActions(actions.map(action)).map(({ name }) => name);
  expect(names.join(" ")).toBe(sorted);
});
