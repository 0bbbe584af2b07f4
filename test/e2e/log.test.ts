// Tests that a server whose log cannot be written continues, and counts the lost lines.
// config/log-writer.test.ts also tests a log that nothing reads.

import { execFileSync, spawn } from "node:child_process";
import { constants, cpSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { claimPort } from "../helpers/http/listen.ts";
import { bin } from "../helpers/process/installed.ts";
import { createKey } from "../helpers/process/operator.ts";
import { cleanEnv, send, until } from "../helpers/process/process.ts";

/** Starts a server, and makes calls that it refuses, each of which causes a log line. */
async function serveWithLog(stderr: number) {
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
  const bearer = await createKey({ file: join(dataDir, "platform.db") }, "viewer");
  for (let count = 0; count < 20; count++) {
    const refused = await send(url, "POST", "/api/admin/auth/login", { body: {} });
    expect(refused.status).toBe(422);
  }
  const lostLines = async (): Promise<number> => {
    const { body } = await send(url, "GET", "/api/admin/diagnostics", { bearer });
    return body.data.limits.reached.logLines;
  };
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { lostLines, stop };
}

test("the server continues when the log's disk is full", async () => {
  const { lostLines, stop } = await serveWithLog(openSync("/dev/full", "w"));
  await until("all lines are counted", async () => (await lostLines()) >= 20);
  expect(await stop()).toBe(0);
});

test("the server continues when the log's pipe is full: the lines wait, and do not delay the end", async () => {
  const pipe = join(temporaryFolder(), "log");
  execFileSync("mkfifo", [pipe]);
  const filling = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  writeSync(filling, Buffer.alloc(2 ** 20));
  const { lostLines, stop } = await serveWithLog(openSync(pipe, "r+"));
  expect(await lostLines()).toBe(0);
  expect(await stop()).toBe(0);
});
