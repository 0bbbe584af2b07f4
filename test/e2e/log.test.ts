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

test("the server continues when the log's disk is full", async () => {
  const dataDir = join(temporaryFolder(), "data");
  cpSync(inject("templateDataDir"), dataDir, { recursive: true });
  const port = await claimPort();
  const words = ["serve", "--port", String(port), "--data-dir", dataDir, "--log-format", "json"];
  const child = spawn(join(bin, "platform"), [...words, "--log-level", "debug"], {
    env: cleanEnv(),
    stdio: ["ignore", "ignore", openSync("/dev/full", "w")],
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
  // Each refused request causes one log line at level debug.
  for (let count = 0; count < 20; count++) {
    const refused = await send(url, "POST", "/api/admin/auth/login", { body: {} });
    expect(refused.status).toBe(422);
  }
  await until("all lines are counted", async () => {
    const { body } = await send(url, "GET", "/api/admin/diagnostics", { bearer });
    return body.data.limits.reached.logLines >= 20;
  });
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
