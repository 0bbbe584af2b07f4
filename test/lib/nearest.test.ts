import { expect, test } from "vitest";
import { nearest } from "../../src/lib/nearest.ts";

test.each<[text: string, names: string[], suggested: string | null]>([
  ["levle", ["lines", "level"], "level"],
  ["LEVEL", ["level"], "level"],
  ["lev", ["lines", "level"], "level"],
  ["levels", ["level"], "level"],
  ["log-colector-one", ["log-collector-1"], "log-collector-1"],
  ["on", ["in", "level"], "in"],
  ["colour", ["level", "lines"], null],
  ["", ["level"], null],
  ["level", [], null],
  // These have nothing in common.
  ["z", ["x"], null],
  ["up", ["on"], null],
])("the suggestion for %j among %j is %j", (text, names, suggested) => {
  expect(nearest(text, names)).toBe(suggested);
});
