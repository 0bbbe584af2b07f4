// Tests that `platform demo` shows and checks its whole story, and leaves nothing behind, even if
// it is interrupted.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { type Program, send, startProgram, until } from "../helpers/process/process.ts";

/** What the operator does in the demo, in this order. */
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

test("the story succeeds within a minute", { timeout: 70_000 }, async () => {
  // Variables that an operator has set for another server do not affect the demo's programs.
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

  // A sidecar's service and a library agent's service, each with its own program.
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
  await until("the agents are there", () => demo.stdout().includes("demo-cache"));
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
  // The demo must end its own programs, so it gets a signal before it is killed.
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
