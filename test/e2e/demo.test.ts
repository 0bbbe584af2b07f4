// Tests that `platform demo` succeeds, and leaves nothing behind even if it is interrupted.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { type Program, send, startProgram, until } from "../helpers/process/process.ts";

/** The operator's commands in the demo, in order. */
const operatorsPart = [
  "api-keys create",
  "tokens create",
  "agents list",
  "services list",
  "services get",
  "actions prepare",
  "actions run",
  "agents disable",
  "audit list",
];

test("the demo shows the main features and succeeds within a minute", {
  timeout: 70_000,
}, async () => {
  // Variables for another server do not affect the demo's programs.
  const folder = temporaryFolder();
  const others = {
    PLATFORM_DB: join(folder, "own.db"),
    PLATFORM_URL: "http://127.0.0.1:1",
    PLATFORM_API_KEY: "platform_key_own",
    PLATFORM_CONTEXT: "own",
    PLATFORM_PORT: "none",
  };
  const { demo } = startDemo(folder, others);
  const started = performance.now();
  const { status, stdout, stderr } = await demo.ended;
  const tookMs = performance.now() - started;
  console.log(`the demo took ${Math.round(tookMs)} ms`);
  expect(stdout).not.toMatch(/✘|failed:|stopped early/);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/\n(\d+) of \1 checks passed, in [\d.]+ s\.\n$/);
  expect(tookMs).toBeLessThan(60_000);

  // One service has a sidecar, the other is its own agent.
  expect(stdout).toMatch(/^\$ platform agent run --config \S+agent\.yaml &$/m);
  expect(stdout).toMatch(/^edge-1 +ONLINE .* sidecar /m);
  expect(stdout).toMatch(/^\$ platform demo-cache /m);
  expect(stdout).toMatch(/^edge-2 +ONLINE .* embedded /m);

  const shown = [...stdout.matchAll(/^\$ platformctl (\S+ \S+)/gm)].map((match) => match[1]);
  const firsts = shown.filter((command, index) => shown.indexOf(command) === index);
  expect(firsts).toEqual(operatorsPart);
  await expectNothingLeft(stdout, folder);
});

test("Ctrl-C ends all of the demo's programs and cleans up", async () => {
  const { demo, folder } = startDemo();
  await until("the agents are started", () => demo.stdout().includes("demo-cache"));
  demo.signal("SIGINT");
  const { status, stdout } = await demo.ended;
  expect(status).toBe(130);
  await expectNothingLeft(stdout, folder);
});

function startDemo(
  folder = temporaryFolder(),
  env: Record<string, string> = {},
): { demo: Program; folder: string } {
  const demo = startProgram("platform", ["demo"], { env: { TMPDIR: folder, ...env } });
  // On SIGTERM, the demo also ends its own programs.
  onTestFinished(async () => {
    if (!demo.running()) return;
    demo.signal("SIGTERM");
    await demo.ended;
  });
  return { demo, folder };
}

async function expectNothingLeft(stdout: string, folder: string): Promise<void> {
  expect(readdirSync(folder)).toEqual([]);
  const url = /it listens at (http:\S+)/.exec(stdout)?.[1] ?? "";
  expect(url).toMatch(/^http:/);
  await expect(send(url, "GET", "/api/system/health")).rejects.toThrow();
}
