// Runs every example in platformctl.md, and then in the pages in docs/reference/commands in the order of its index, with a
// server in this process and an agent, and compares the output. `vitest run test/cli/manual.test.ts --update=all` writes the
// outputs into the documents.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { allCommands } from "../../src/cli/commands/index.ts";
import { programVersion } from "../../src/cli/version.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { type ConsoleServer, serveConsole } from "../helpers/browser/console-server.ts";
import { frequentNews, startProgram, until } from "../helpers/process/process.ts";
import { pathWith } from "../helpers/programs/own-program.ts";
import { startDemoSidecar } from "./manual/demo-sidecar.ts";
import { readManual } from "./manual/document.ts";
import { openFastShell } from "./manual/fast-shell.ts";
import { Pairs } from "./manual/likeness.ts";
import { type Place, replay } from "./manual/replay.ts";
import type { Shell } from "./manual/shell.ts";
import { cli } from "./world.ts";

const commandTable = await allCommands();
vi.mock("../../src/cli/files/child.ts", () => import("../helpers/process/parts-in-process.ts"));

const root = join(import.meta.dirname, "../..");
const guide = "platformctl.md";
const index = /^## All commands\n(.*?)^## /ms.exec(read(guide))?.[1] ?? "";
const pagesOfCommands = index.match(/(?<=\]\()docs\/reference\/commands\/[\w-]+\.md/g) ?? [];
const manuals = [guide, ...pagesOfCommands].map((name) => ({ name, ...readManual(read(name)) }));

/** Commands that the manual only shows in a `text` block, because they run until they are stopped. */
const shownOnly = new Set(["serve", "agent run", "demo"]);

test("every example prints what the manual shows", { timeout: 300_000 }, async () => {
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

/**
 * Opens a shell in a folder with `data/platform.db`, the database of a running server. The service
 * `log-collector` and its agent `edge-1` are those of `platform demo`. Nobody has signed in.
 */
async function openWorldShell(): Promise<{ shell: Shell; places: Place[] }> {
  const folder = temporaryFolder();
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const server = await serveConsole({
    ...{ PLATFORM_DATA_DIR: dataDir, PLATFORM_CAPSULE_BUS_ENABLED: "true" },
    PLATFORM_VERSION: programVersion(undefined),
    ...frequentNews,
  });
  await startAgent(folder, server);
  const shell = await openFastShell(folder, {
    PATH: pathWith("jq"),
    XDG_CONFIG_HOME: join(folder, "config"),
  });
  const places = [
    { shown: "/srv/platform", real: folder },
    { shown: "127.0.0.1:8080", real: new URL(server.url).host },
    { shown: "local root", real: `local ${userInfo().username}` },
  ];
  return { shell, places };
}

/** Starts the demo's collector and sidecar, and waits until the service is healthy. */
async function startAgent(folder: string, server: ConsoleServer): Promise<void> {
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
