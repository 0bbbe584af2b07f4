// What a mistyped name is taken for, and what is no typing error any more.

import { expect, test } from "vitest";
import { nearest } from "../../src/lib/nearest.ts";

test.each<[text: string, names: string[], meant: string | null]>([
  ["levle", ["lines", "level"], "level"],
  ["LEVEL", ["level"], "level"],
  ["lev", ["lines", "level"], "level"],
  ["levels", ["level"], "level"],
  ["log-colector-one", ["log-collector-1"], "log-collector-1"],
  ["on", ["in", "level"], "in"],
  ["colour", ["level", "lines"], null],
  ["", ["level"], null],
  ["level", [], null],
  // Nothing of the one is left in the other.
  ["z", ["x"], null],
  ["up", ["on"], null],
])("%j of %j is %j", (text, names, meant) => {
  expect(nearest(text, names)).toBe(meant);
});
