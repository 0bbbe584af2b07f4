// Runs every example in platformctl.md, and then in the pages in docs/reference/commands, in the
// order of its index. Uses a server in this process and an agent, and compares the output.
// `vitest run test/cli/manual.test.ts --update=all` writes the outputs into the documents.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands/index.ts";
import { withoutChildren } from "../helpers/process/without-children.ts";
import { readManual } from "./manual/document.ts";
import { Pairs } from "./manual/likeness.ts";
import { replay } from "./manual/replay.ts";
import { openWorldShell } from "./manual/world-shell.ts";

const commandTable = await allCommands();
withoutChildren();

const root = join(import.meta.dirname, "../..");
const guide = "platformctl.md";
const index = /^## All commands\n(.*?)^## /ms.exec(read(guide))?.[1] ?? "";
const pagesOfCommands = index.match(/(?<=\]\()docs\/reference\/commands\/[\w-]+\.md/g) ?? [];
const manuals = [guide, ...pagesOfCommands].map((name) => ({ name, ...readManual(read(name)) }));

/**
 * Commands that the manual only shows in a `text` block, because they run until they are stopped.
 */
const shownOnly = new Set(["serve", "agent run", "demo"]);

test("every example prints what the manual shows", async () => {
  const { shell, places } = await openWorldShell();
  const pairs = new Pairs();
  for (const { name, ...manual } of manuals) {
    const text = await replay(manual, shell, places, pairs).catch((error: Error) => {
      throw new Error(`${name}, ${error.message}`);
    });
    await expect(text).toMatchFileSnapshot(join(root, name));
  }
});

test("every command has an example that runs", () => {
  const examples = manuals.flatMap((manual) => manual.examples);
  const commands = examples.map(({ command }) => command).join("\n");
  const lacking = commandTable.filter(({ name, hidden }) => {
    const isRun = new RegExp(`\\bplatform(ctl)? ${name}(?![\\w-])`).test(commands);
    return !hidden && !isRun && !shownOnly.has(name);
  });
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

describe.each(manuals)("$name", ({ lines, unmarked, scripts }) => {
  test("blocks that are not examples have a language", () => {
    expect(unmarked.map((at) => `line ${at + 1}: ${lines[at]}`)).toEqual([]);
  });

  test.each(scripts)("the script in line $at is valid bash", ({ text }) => {
    const checked = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
  });
});

function read(name: string): string {
  return readFileSync(join(root, name), "utf8");
}
