import { expect, test } from "vitest";
import { cutText } from "../../src/lib/cut-text.ts";

test.each([
  ["short", 5, "short"],
  ["longer", 5, "long…"],
  ["", 5, ""],
  ["ab😀cd", 4, "ab\ufffd…"],
  ["half \ud83d", 80, "half \ufffd"],
])("%j in %i", (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut);
});
