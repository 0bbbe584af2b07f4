// Tests that `platform demo` succeeds, and leaves nothing behind even if it is interrupted.

import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { cli } from "../cli/world.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { atEnd } from "../helpers/lifetime.ts";
import { hasPostgres, postgresDatabase } from "../helpers/postgres.ts";
import {
  type Program,
  send,
  startCommand,
  startProgram,
  until,
} from "../helpers/process/process.ts";
import { isLong } from "../helpers/size.ts";

/** The operator's commands in the demo, in order. */
const operatorsPart = [
  "api-keys create",
  "tokens create",
  "agents list",
  "services list",
  "services get",
  "actions prepare",
  "actions run",
  "rollouts start",
  "rollouts targets",
  "agents disable",
  "audit list",
];

/** What the demo prints about a check that failed, and about an error. */
const brokenDemo = /✘|^ {2}failed:|stopped early/m;

test("the demo shows the main features and succeeds", async () => {
  // Variables for another server do not affect the demo's programs.
  const folder = temporaryFolder();
  const others = {
    PLATFORM_DATABASE_URL: join(folder, "own-server.db"),
    PLATFORM_DB: join(folder, "own.db"),
    PLATFORM_URL: "http://127.0.0.1:1",
    PLATFORM_API_KEY: "platform_key_own",
    PLATFORM_CONTEXT: "own",
    PLATFORM_PORT: "none",
  };
  const { demo } = startDemo(folder, others);
  const { status, stdout, stderr } = await demo.ended;
  expect(stdout).not.toMatch(brokenDemo);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/\n(\d+) of \1 checks passed, in [\d.]+ s\.\n$/);

  // One service has a sidecar. The other contains its agent.
  expect(stdout).toMatch(/^\$ platform agent run --config \S+agent\.yaml &$/m);
  expect(stdout).toMatch(/^edge-1 +ONLINE .* sidecar /m);
  expect(stdout).toMatch(/^\$ platform demo-cache /m);
  expect(stdout).toMatch(/^edge-2 +ONLINE .* embedded /m);

  // Tables fit into the usual terminal.
  const tables = stdout.match(/^[A-Z]+( +[A-Z]+)+\n(?:[^\s$].*\n)+/gm) ?? [];
  expect(tables.length).toBeGreaterThan(4);
  expect(tables.filter((table) => /^.{81}/m.test(table))).toEqual([]);

  const shown = [...stdout.matchAll(/^\$ platformctl (\S+ \S+)/gm)].map((match) => match[1]);
  const firsts = shown.filter((command, index) => shown.indexOf(command) === index);
  expect(firsts).toEqual(operatorsPart);
  await expectNothingLeft(stdout, folder);
});

test("Ctrl-C ends all of the demo's programs and cleans up", async () => {
  const { demo, folder } = startDemo();
  await until("the server listens", () => demo.stdout().includes("it listens at"));
  demo.signal("SIGINT");
  const { status, stdout } = await demo.ended;
  expect(status).toBe(130);
  await expectNothingLeft(stdout, folder);
});

// Tests the same steps with more programs.
describe.runIf(isLong && hasPostgres)("on PostgreSQL", () => {
  test("the demo shows two nodes, on an empty database only", async () => {
    const { url, drop } = await postgresDatabase();
    atEnd(drop);
    const folder = temporaryFolder();
    const env = { PLATFORM_DATABASE_URL: url };
    const { demo } = startDemo(folder, env, ["--postgresql"]);
    const { status, stdout, stderr } = await demo.ended;
    expect(stdout).not.toMatch(brokenDemo);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).not.toContain(new URL(url).password);

    // The operator uses the database directly, and then one node after the other.
    const places = [...stdout.matchAll(/^\$ platformctl .* {3}# (.+)$/gm)].map(([, at]) => at);
    expect([...new Set(places)]).toEqual(["on the database itself", ...atNodes("b", "a", "c")]);
    const shown = [...stdout.matchAll(/^\$ platformctl (\S+ \S+)/gm)].map((match) => match[1]);
    const more = ["nodes list", "agents revoke-token"];
    expect(new Set(shown)).toEqual(new Set([...operatorsPart, ...more]));
    await expectNothingLeft(stdout, folder);

    const again = await startDemo(folder, env, ["--postgresql"]).demo.ended;
    expect(again).toMatchObject({
      status: 6,
      stderr: expect.stringMatching(/: it is not empty\.$/m),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("Ctrl-C ends the demo of a checkout with its PostgreSQL server", async () => {
    const folder = temporaryFolder();
    // PostgreSQL does not run as root.
    chmodSync(folder, 0o755);
    const script = join(import.meta.dirname, "../../scripts/demo.ts");
    const words = [process.execPath, script, "--postgresql"];
    const demo = endedWithTest(startCommand(words, { env: { TMPDIR: folder } }));
    await until("a node listens", () => demo.stdout().includes("listens at"));
    expect(
      readdirSync(folder)
        .toSorted()
        .map((name) => name.replace(/-\w+$/, "")),
    ).toEqual(["platform-demo", "platform-postgres"]);
    demo.signal("SIGINT");
    const { status, stdout } = await demo.ended;
    expect(status).toBe(130);
    await expectNothingLeft(stdout, folder);
  });
});

test("the demo on PostgreSQL is refused with the URL of a file", async () => {
  const env = { DATABASE_URL: "data/platform.db" };
  const ran = await cli(["demo", "--postgresql"], { env, io: { program: "platform" } });
  expect(ran).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("needs the URL of an empty PostgreSQL database"),
  });
});

const atNodes = (...names: string[]) => names.map((name) => `at node-${name}`);

function startDemo(
  folder = temporaryFolder(),
  env: Record<string, string> = {},
  words: string[] = [],
): { demo: Program; folder: string } {
  const all = { TMPDIR: folder, ...env };
  return {
    demo: endedWithTest(startProgram("platform", ["demo", ...words], { env: all })),
    folder,
  };
}

/** Ends the demo when the test ends. On SIGTERM, the demo also ends its own programs. */
function endedWithTest(demo: Program): Program {
  onTestFinished(async () => {
    if (!demo.running()) return;
    demo.signal("SIGTERM");
    await demo.ended;
  });
  return demo;
}

async function expectNothingLeft(stdout: string, folder: string): Promise<void> {
  expect(readdirSync(folder)).toEqual([]);
  const url = /it listens at (http:\S+)/.exec(stdout)?.[1] ?? "";
  expect(url).toMatch(/^http:/);
  await expect(send(url, "GET", "/api/system/health")).rejects.toThrow();
}
