// Runs every example in platformctl.md in order, against a real server with a real agent, and
// compares the output with the manual. Plain commands run in this process, and others in a shell.
// `vitest run test/cli/manual.test.ts --update=all` writes the outputs into the manual instead.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { commandTable } from "../../src/cli/commands/index.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { bin } from "../helpers/process/installed.ts";
import {
  cleanEnv,
  frequentNews,
  type Server,
  startProgram,
  startServer,
  until,
} from "../helpers/process/process.ts";
import { pathWith } from "../helpers/programs/own-program.ts";
import { startDemoSidecar } from "./manual/demo-sidecar.ts";
import { readManual, withOutputs } from "./manual/document.ts";
import { areAlike, checkOrigins, Pairs } from "./manual/likeness.ts";
import { plainCommand, runPlain } from "./manual/plain-command.ts";
import { openShell, type Shell } from "./manual/shell.ts";
import { cli } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const file = join(root, "platformctl.md");
const manual = readManual(readFileSync(file, "utf8"));

/** The folder of the examples, as the manual shows it. */
const shownFolder = "/srv/platform";

/** The server's address, as the manual shows it. */
const shownAddress = "127.0.0.1:8080";

/** Commands that run until they are stopped, which is why a `text` block shows them. */
const shownOnly = new Set(["serve", "agent run", "demo"]);

test("every example prints what the manual shows", { timeout: 300_000 }, async () => {
  checkOrigins(manual.examples);
  const shell = await openWorldShell();
  const pairs = new Pairs();
  const outputs: (string[] | null)[] = [];
  for (const { command, output, at } of manual.examples) {
    const { status, lines } = await shell.run(pairs.toReal(command));
    if (output === null) {
      expect(status, `line ${at + 1}: ${command}\n${lines.join("\n")}`).toBe(0);
    }
    const asShown = output === null || areAlike(output, lines, pairs);
    outputs.push(asShown ? null : lines.map((line) => pairs.toShown(line)));
  }
  await expect(withOutputs(manual, outputs)).toMatchFileSnapshot(file);
});

test("every command has an example that runs", () => {
  const commands = manual.examples.map(({ command }) => command).join("\n");
  const lacking = commandTable.filter(({ name, hidden }) => {
    const isRun = new RegExp(`\\bplatform(ctl)? ${name}(?![\\w-])`).test(commands);
    return !hidden && !isRun && !shownOnly.has(name);
  });
  expect(lacking.map(({ name }) => name)).toEqual([]);
});

test("blocks that only look like examples are marked", () => {
  expect(manual.unmarked.map((at) => `line ${at + 1}: ${manual.lines[at]}`)).toEqual([]);
});

test.each(manual.scripts)("the script in line $at is bash", ({ text }) => {
  const checked = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
  expect([checked.status, checked.stderr]).toEqual([0, ""]);
});

/**
 * Opens a shell in a folder with `data/platform.db`, which is open in a server with an enabled event
 * bus. The service `log-collector` and its agent `edge-1` are those of `platform demo`. Nobody has
 * signed in.
 */
async function openWorldShell(): Promise<Shell> {
  const folder = temporaryFolder();
  const server = await startServer({
    dataDir: join(folder, "data"),
    env: { PLATFORM_CAPSULE_BUS_ENABLED: "true", ...frequentNews },
  });
  await startAgent(folder, server);
  const shell = openShell(folder, {
    PATH: pathWith(["jq"], [bin, cleanEnv().PATH].join(delimiter)),
    XDG_CONFIG_HOME: join(folder, "config"),
  });
  let env = await exportedIn(shell);
  const run: Shell["run"] = async (command) => {
    const plain = plainCommand(command);
    if (plain) return runPlain(plain, folder, env, shell);
    const ran = await shell.run(command);
    env = await exportedIn(shell);
    return ran;
  };
  const address = new URL(server.url).host;
  const asShown = (line: string) =>
    line
      .replaceAll(folder, shownFolder)
      .replaceAll(address, shownAddress)
      .replaceAll(`local ${userInfo().username}`, "local root");
  return {
    async run(command) {
      const { status, lines } = await run(command.replaceAll(shownAddress, address));
      return { status, lines: lines.map(asShown) };
    },
  };
}

/** Returns the environment that a program in the shell would get. */
async function exportedIn(shell: Shell): Promise<Record<string, string>> {
  const { lines } = await shell.run("env");
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

/** Starts the demo's collector and sidecar, and waits until their service exists. */
async function startAgent(folder: string, server: Server): Promise<void> {
  const db = ["--db", server.file, "-o", "json"];
  const created = await cli(["tokens", "create", "--name", "edge-1", ...db]);
  const { token } = JSON.parse(created.stdout);
  const logs = join(folder, "logs");
  mkdirSync(logs);
  const lines = Array.from({ length: 40 }, (_, i) => `INFO request ${i + 1} served\n`);
  writeFileSync(join(logs, "app.log"), lines.join(""));
  const collector = startProgram("platform", ["demo-collector", "--dir", logs]);
  const url = await until("the collector listens", () => collector.stdout().trim());
  await startDemoSidecar(folder, { server: server.url, collector: url }, token);
  await cli(["services", "wait", "log-collector", ...db]);
}
