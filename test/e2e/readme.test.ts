// Follows README.md.

import { join } from "node:path";
import { test } from "vitest";
import { followPage } from "./follow-page.ts";

const file = join(import.meta.dirname, "../../README.md");

test("each block of the README does what it shows", async () => {
  await followPage(file);
});
