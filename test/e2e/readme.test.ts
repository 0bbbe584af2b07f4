// Follows README.md.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followPage } from "./follow-page.ts";

const file = join(import.meta.dirname, "../../README.md");

test("each block of the README does what it shows", { timeout: 240_000 }, async () => {
  await followPage(file);
});

test("the README has at most 90 lines, none longer than 120 columns except rows of tables", () => {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(90);
  expect(lines.filter((line) => line.length > 120 && !line.startsWith("|"))).toEqual([]);
});
