// Follows docs/tutorial.md from an empty folder to the end. The server and the agents are processes,
// and the many other commands run in this one. readme.test.ts runs all of them as processes.

import { join } from "node:path";
import { test } from "vitest";
import { openPrograms } from "../cli/manual/fast-shell.ts";
import { followPage } from "./follow-page.ts";

const file = join(import.meta.dirname, "../../docs/tutorial.md");

test("each block of the tutorial does what the page shows", async () => {
  await followPage(file, await openPrograms("serve*"));
});
