// Runs the examples of the guides in order, as manual.test.ts does for the manual, and compares the
// output. `vitest run test/cli/guides.test.ts --update=all` writes the outputs into the guides.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readManual } from "./manual/document.ts";
import { replay } from "./manual/replay.ts";
import { openWorldShell } from "./manual/world-shell.ts";

const guides = join(import.meta.dirname, "../../docs/guides");

/** Guides whose examples leave the server as it was. Their reader has signed in as an owner. */
const names = [
  "enrol-hosts",
  "users-and-access",
  "labels",
  "attention",
  "commands",
  "schedules",
  "approvals",
  "settings",
  "deleting",
  "health",
];

test("every example prints what the guide shows", async () => {
  const { shell, places } = await openWorldShell();
  const server = places.find(({ shown }) => shown === "127.0.0.1:8080")?.real;
  for (const words of [
    "echo 'twelve green kettles sing' >password.txt",
    "platformctl users create ana --role owner --password-stdin --db data/platform.db <password.txt",
    `platformctl login --server http://${server} --username ana --password-stdin <password.txt`,
  ]) {
    expect((await shell.run(words)).status, words).toBe(0);
  }
  for (const name of names) {
    const file = join(guides, `${name}.md`);
    const text = await replay(readManual(readFileSync(file, "utf8")), shell, places);
    await expect(text).toMatchFileSnapshot(file);
  }
});
