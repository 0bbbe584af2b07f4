// Tests that a server whose log cannot be written continues, and counts the lost lines.

import { spawn } from "node:child_process";
import { cpSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { hammer, post } from "../attacks/sockets.ts";
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
  const isUp = () => send(url, "GET", "/api/system/health").catch(() => null);
  await until("the server responds", isUp);
  const key = await createKey({ file: join(dataDir, "platform.db") }, "viewer");
  return {
    child,
    ended,
    url,
    async droppedLines(): Promise<number> {
      const { body } = await send(url, "GET", "/api/admin/diagnostics", { bearer: key });
      return body.data.limits.reached.logLines;
    },
  };
}

/**
 * Sends at least this many requests that the server refuses. Each causes one log line at level
 * debug.
 */
async function refused(url: string, count: number): Promise<number> {
  const lines = [`X-Request-Id: ${"x".repeat(128)}`];
  const request = post("/api/admin/auth/login", "{}", lines);
  const port = Number(new URL(url).port);
  let sent = 0;
  while (sent < count) {
    const { 422: responses = 0 } = await hammer(port, request, { connections: 4, forMs: 10 });
    sent += responses;
  }
  return sent;
}

test("the server continues when the log's disk is full", async () => {
  const { child, ended, url, droppedLines } = await serveWithLog(openSync("/dev/full", "w"));
  const count = await refused(url, 20);
  await until("all lines are counted", async () => (await droppedLines()) >= count);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

// test/config/log-writer.test.ts tests which lines are then dropped, and how they are counted.
test("the server continues when nothing reads the log's pipe", async () => {
  const { child, ended, url } = await serveWithLog("pipe");
  // These lines fill a pipe several times.
  await refused(url, 1000);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
