// Tests the completion scripts in real shells. zsh and fish, if installed, only parse their
// scripts.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { shells } from "../../../src/cli/completion/scripts.ts";
import { exit } from "../../../src/cli/exit.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { bin } from "../../helpers/process/installed.ts";
import { cleanEnv, until } from "../../helpers/process/process.ts";
import { keys, openProgram, type Terminal } from "../../helpers/process/terminal.ts";
import { cli, failing, openWorld } from "../world.ts";

/** Ctrl-U */
const discardLine = "\u0015";
const has = (shell: string) => spawnSync(shell, ["-c", ":"]).status === 0;

test("a missing or unknown shell is an error that names the known shells", async () => {
  expect(await cli(["completion", "ksh"])).toMatchObject(failing(exit.usage, "bash, zsh, fish"));
  expect(await cli(["completion"])).toMatchObject({ status: exit.usage, stdout: "" });
});

for (const shell of shells) {
  test.skipIf(!has(shell))(`${shell} parses its script`, async () => {
    const { stdout, status } = await cli(["completion", shell]);
    expect(status).toBe(0);
    const file = join(temporaryFolder(), "script");
    writeFileSync(file, stdout);
    const checked = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
  });
}

test.skipIf(!has("bash"))(
  "bash completes at a terminal, with names from a real server",
  async () => {
    const world = await openWorld();
    const folder = temporaryFolder();
    mkdirSync(join(folder, "checks"));
    writeFileSync(join(folder, "order one.json"), "{}");
    const terminal = await openBash(folder, {
      PLATFORM_URL: world.url,
      PLATFORM_API_KEY: world.key,
    });
    const run = "platformctl actions run";
    const table = [
      [`${run} log-collector set`, `${run} log-collector set-level `],
      [`${run} a b --payload @order`, String.raw`${run} a b --payload @order\ one.json `],
      [
        `${bin}/platform actions run a b --payload=@che`,
        `${bin}/platform actions run a b --payload=@checks/`,
      ],
    ];
    for (const [typed, completed] of table) {
      await pressTab(terminal, `${typed}${keys.tab}`, `$ ${completed}#`);
    }
    // The first Tab inserts what both agents' codes begin with, and the next ones list both.
    const typed = `platformctl agents disable e${keys.tab}${keys.tab}${keys.tab}`;
    await pressTab(terminal, typed, /edge-1 +edge-2/);
  },
);

/** The prompt with nothing behind it. */
const emptyLine = /\n\$$/;

/**
 * Types again until the terminal shows what is wanted, because the shell completes nothing if the
 * server is slow.
 */
async function pressTab(terminal: Terminal, typed: string, wanted: string | RegExp): Promise<void> {
  await until(`${typed} is completed`, async () => {
    // The # shows the position of the cursor.
    await terminal.answer(emptyLine, `${typed}#`);
    await terminal.shows(/#$/);
    const shown = terminal.text();
    await terminal.answer(/#$/, discardLine);
    return typeof wanted === "string" ? shown.includes(wanted) : wanted.test(shown);
  });
}

/** Starts a bash that has no other completion script. */
async function openBash(folder: string, env: Record<string, string>): Promise<Terminal> {
  const PATH = `${bin}${delimiter}${cleanEnv().PATH ?? ""}`;
  const terminal = openProgram("bash", ["--noprofile", "--norc", "-i"], {
    columns: 200,
    env: { ...env, PATH, PS1: "$ ", INPUTRC: "/dev/null", HISTFILE: "/dev/null" },
  });
  // Before its prompt, the shell does not read input, and the terminal itself echoes what is typed.
  await terminal.answer(
    /^\$/,
    `cd '${folder}'; source <(platformctl completion bash); echo rea''dy\r`,
  );
  await terminal.shows(/\nready\n\$/);
  return terminal;
}
