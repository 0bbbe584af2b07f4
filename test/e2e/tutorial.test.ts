// Follows docs/tutorial.md from an empty folder to the end.

import { join } from "node:path";
import { test } from "vitest";
import { followPage } from "./follow-page.ts";

test("each block of the tutorial does what the page shows", { timeout: 240_000 }, async () => {
  await followPage(join(import.meta.dirname, "../../docs/tutorial.md"));
});
