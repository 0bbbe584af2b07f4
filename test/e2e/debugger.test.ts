// Tests that a signal does not start the debugger, with which every user of the machine could run code
// in the server.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { send, startCommand, startServer, until } from "../helpers/process/process.ts";

test("SIGUSR1 opens no debugger", async () => {
  const server = await startServer();
  server.signal("SIGUSR1");
  expect((await send(server.url, "GET", "/api/system/health")).status).toBe(200);
  const { stderr, status } = await server.stop();
  expect(stderr).not.toContain("Debugger");
  expect(status).toBe(0);
});

test("SIGUSR1 opens no debugger in a program that was started without the launcher", async () => {
  const dataDir = join(temporaryFolder(), "data");
  cpSync(inject("templateDataDir"), dataDir, { recursive: true });
  const main = join(inject("installedProgram"), "dist/main.cjs");
  const words = ["--program=platform", "serve", "--port", "0", "--data-dir", dataDir];
  const server = startCommand([process.execPath, main, ...words]);
  await until("the server listens", () => server.stderr().includes("listening"));
  server.signal("SIGUSR1");
  server.signal("SIGTERM");
  const { stderr } = await server.ended;
  expect(stderr).toContain("stopped");
  expect(stderr).not.toContain("Debugger");
});
