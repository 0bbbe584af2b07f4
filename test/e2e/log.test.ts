// Tests that a server whose log cannot be written continues, and counts the lost lines.
// config/log-writer.test.ts also tests a log that nothing reads.

import { spawn } from "node:child_process";
import { cpSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { claimPort } from "../helpers/http/listen.ts";
import { bin } from "../helpers/process/installed.ts";
import { createKey } from "../helpers/process/operator.ts";
import { cleanEnv, send, until } from "../helpers/process/process.ts";

async function serveWithLog(stderr: "pipe" | number) {
  const dataDir = join(temporaryFolder(), "data");
  cpSync(inject("templateDataDir"), dataDir, { recursive: true });
  const port = await claimPort();
  const words = ["serve", "--port", String(port), "--data-dir", dataDir, "--log-format", "json"];
  const child = spawn(join(bin, "platform"), [...words, "--log-level", "debug"], {
    env: cleanEnv(),
    stdio: ["ignore", "ignore", stderr],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await until("the server responds", () =>
    send(url, "GET", "/api/system/health").catch(() => null),
  );
  /** Makes a call that is refused, which causes one log line at level debug. */
  const refuse = async () => {
    const headers = { "x-request-id": "x".repeat(128) };
    const refused = await send(url, "POST", "/api/admin/auth/login", { headers, body: {} });
    expect(refused.status).toBe(422);
  };
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { dataDir, url, refuse, stop };
}

test("the server continues when the log's disk is full", async () => {
  const { dataDir, url, refuse, stop } = await serveWithLog(openSync("/dev/full", "w"));
  const bearer = await createKey({ file: join(dataDir, "platform.db") }, "viewer");
  for (let count = 0; count < 20; count++) await refuse();
  await until("all lines are counted", async () => {
    const { body } = await send(url, "GET", "/api/admin/diagnostics", { bearer });
    return body.data.limits.reached.logLines >= 20;
  });
  expect(await stop()).toBe(0);
});

test("the server continues, and can be stopped, when nothing reads the log's pipe", async () => {
  const { refuse, stop } = await serveWithLog("pipe");
  // These lines fill a pipe several times.
  for (let count = 0; count < 100; count++) await Promise.all(Array.from({ length: 10 }, refuse));
  expect(await stop()).toBe(0);
});
