// Runs the commands in README.md as they stand, in order, in one shell. e2e/package.test.ts compiles
// its TypeScript.

import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { bin } from "../helpers/process/installed.ts";
import { frequentNews, startCommand, startServer } from "../helpers/process/process.ts";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The indented blocks after the heading, without the indentation. */
function commandsAfter(heading: string): string {
  const section = readme.slice(readme.indexOf(`\n## ${heading}\n`));
  const lines = section.slice(0, section.indexOf("\n## ", 4)).split("\n");
  const indented = lines.filter((line) => line.startsWith("    "));
  return indented.map((line) => line.slice(4)).join("\n");
}

test("the commands from the start of a server on run as they stand", {
  timeout: 240_000,
}, async () => {
  const folder = temporaryFolder();
  // The reader starts the same programs from source, which takes three times as long.
  symlinkSync(bin, join(folder, "bin"));
  // The reader's first command keeps its terminal, so it is not part of the script.
  const server = await startServer({ dataDir: join(folder, "data"), env: frequentNews });
  const [first, ...others] = commandsAfter("Start a server").split("\n");
  expect(first).toBe("bin/platform serve");
  const { host } = new URL(server.url);
  const script = others.join("\n").replaceAll("127.0.0.1:8080", host);
  // The agent in the background ends with the script.
  const words = ["bash", "-eu", "-o", "pipefail", "-c", `trap 'kill %1' EXIT\n${script}`];
  const config = join(folder, "config");
  const ran = startCommand(words, { cwd: folder, env: { XDG_CONFIG_HOME: config } });
  const { status, stdout, stderr } = await ran.ended;
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
  for (const shown of [
    /^edge-7 +ONLINE/m,
    /^edge-7-host +HEALTHY/m,
    /SUCCEEDED/,
    /"edge-7-host"/,
  ]) {
    expect(stdout).toMatch(shown);
  }
});
