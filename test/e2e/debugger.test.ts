// Nobody gets a debugger into the running server with a signal: it would run whatever it is told, and listens
// for every user of the machine.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { send, startServer, until } from "../helpers/process/process.ts";

test("SIGUSR1 opens no debugger", async () => {
  const server = await startServer();
  server.signal("SIGUSR1");
  expect((await send(server.url, "GET", "/api/system/health")).status).toBe(200);
  const { stderr, status } = await server.stop();
  expect(stderr).not.toContain("Debugger");
  expect(status).toBe(0);
});

test("nor without the launcher's flag, once the program has begun", async () => {
  const dataDir = join(temporaryFolder(), "data");
  cpSync(inject("templateDataDir"), dataDir, { recursive: true });
  const main = join(import.meta.dirname, "../../src/main.ts");
  const words = ["--program=platform", "serve", "--port", "0", "--data-dir", dataDir];
  const child = spawn(process.execPath, [main, ...words], { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  await until("it listens", () => stderr.includes("listening"));
  child.kill("SIGUSR1");
  child.kill("SIGTERM");
  await once(child, "close");
  expect(stderr).toContain("stopped");
  expect(stderr).not.toContain("Debugger");
});
