import { expect, test } from "vitest";
import { findWords } from "../../scripts/check-words.ts";

test("a finding has the place, the words and the replacement", () => {
  const text = "// Answers the id.\nconst a = 1;\n// The poll goes on until it is told.\n";
  expect(findWords("a.ts", text)).toEqual([
    { file: "a.ts", line: 1, found: "Answers", instead: "Returns" },
    { file: "a.ts", line: 3, found: "is told", instead: expect.any(String) },
    { file: "a.ts", line: 3, found: "goes on", instead: expect.stringContaining("continues") },
  ]);
});

test.each([
  "Tells apart two values with the same name.",
  "A poll that goes over the limit ends.",
  "Returns the id of the agent.",
])("%s is plain", (text) => {
  expect(findWords("a.md", text)).toEqual([]);
});
