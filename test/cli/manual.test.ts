// Runs every example in platformctl.md in order, with a server in this process and an agent, and compares the output.
// `vitest run test/cli/manual.test.ts --update=all` writes the outputs into the manual.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { allCommands } from "../../src/cli/commands/index.ts";
import { readManual } from "./manual/document.ts";
import { replay } from "./manual/replay.ts";
import { openWorldShell } from "./manual/world-shell.ts";

const commandTable = await allCommands();
vi.mock("../../src/cli/files/child.ts", () => import("../helpers/process/parts-in-process.ts"));

const root = join(import.meta.dirname, "../..");
const file = join(root, "platformctl.md");
const manual = readManual(readFileSync(file, "utf8"));

/** Commands that the manual only shows in a `text` block, because they run until they are stopped. */
const shownOnly = new Set(["serve", "agent run", "demo"]);

test("every example prints what the manual shows", { timeout: 300_000 }, async () => {
  const { shell, places } = await openWorldShell();
  await expect(await replay(manual, shell, places)).toMatchFileSnapshot(file);
});

test("every command has an example that runs", () => {
  const commands = manual.examples.map(({ command }) => command).join("\n");
  const lacking = commandTable.filter(({ name, hidden }) => {
    const isRun = new RegExp(`\\bplatform(ctl)? ${name}(?![\\w-])`).test(commands);
    return !hidden && !isRun && !shownOnly.has(name);
  });
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

test("blocks that are not examples have a language", () => {
  expect(manual.unmarked.map((at) => `line ${at + 1}: ${manual.lines[at]}`)).toEqual([]);
});

test.each(manual.scripts)("the script in line $at is valid bash", ({ text }) => {
  const checked = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
  expect([checked.status, checked.stderr]).toEqual([0, ""]);
});
