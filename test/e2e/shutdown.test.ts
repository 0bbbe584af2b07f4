// Tests that a server that stops first drains: it reports that it is not ready, handles calls until
// a load balancer has noticed, responds to all clients and loses nothing; that it stops even if its
// disk does not respond; and that a second signal ends it immediately.

import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { createKey, operatorOf } from "../helpers/process/operator.ts";
import {
  logLines,
  type Program,
  registerAgent,
  send,
  startCommand,
  startServer,
  until,
} from "../helpers/process/process.ts";
import { rowsIn } from "../helpers/process/rows.ts";

const messagesOf = (stderr: string) => logLines(stderr).map(({ msg }) => msg);

function untilStopping(server: Program): Promise<true> {
  return until("the server is stopping", () => messagesOf(server.stderr()).includes("stopping"));
}

/** Returns the NODE_OPTIONS with which a program preloads the module. */
function preloading(module: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(module)}`;
}

/** A module that the server preloads. A wait of 4 s ends only when the file DRAINED exists. */
const longDrain = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
const { setTimeout: pause } = timers;
timers.setTimeout = async (ms, ...given) => {
  if (ms !== 4000) return pause(ms, ...given);
  while (!fs.existsSync(process.env.DRAINED)) await pause(5);
};
syncBuiltinESMExports();
`;

test("a server that drains is not ready, but handles calls; then it ends long polls, and saves the last heartbeat", async () => {
  const drained = join(temporaryFolder(), "drained");
  const env = { NODE_OPTIONS: preloading(longDrain), DRAINED: drained };
  const server = await startServer({ env: { ...env, PLATFORM_DRAIN_SECONDS: "4" } });
  const client = await operatorOf(server);
  const bearer = await createKey(server);
  const { token } = await client.call("registration-tokens.create", { body: {} });
  const agent = await registerAgent(server.url, token, "edge-1");
  const ready = () => send(server.url, "GET", "/api/system/ready");
  let isHeld = true;
  const polling = agent.call("GET", "/commands?wait=60").finally(() => {
    isHeld = false;
  });
  await until("the poll waits", async () => {
    const { body } = await send(server.url, "GET", "/api/admin/diagnostics", { bearer });
    return body.data.queues.heldPolls === 1;
  });
  expect(await ready()).toMatchObject({ status: 200 });

  server.signal("SIGTERM");
  await untilStopping(server);
  const notReady = { status: 503, body: { data: { ready: false, reason: "STOPPING" } } };
  expect(await ready()).toMatchObject(notReady);
  // The server keeps the time of the latest heartbeat only in memory.
  const lastSignAt = Date.now();
  expect(await agent.call("POST", "/heartbeat", {})).toMatchObject({ status: 200 });
  expect(isHeld, "polls end after the drain").toBe(true);
  writeFileSync(drained, "");
  expect(await polling).toMatchObject({ status: 200, body: { data: { commands: [] } } });
  const { status, stderr } = await server.ended;
  expect(status).toBe(0);
  expect(messagesOf(stderr)).toEqual(["listening", "stopping", "audit head", "stopped"]);
  await expect(ready()).rejects.toThrow();

  const params = { agentId: agent.agentId };
  const { lastHeartbeatAt } = await client.call("agents.get", { params });
  expect(Date.parse(lastHeartbeatAt ?? "")).toBeGreaterThanOrEqual(lastSignAt);
  const { data: audit } = await client.page("audit-events.list", { query: { pageSize: 1 } });
  expect(audit).toMatchObject([{ action: "system.stopped", actorType: "SYSTEM" }]);
});

test("without the launcher, SIGUSR1 does not start the debugger, with which every user could run code in the server; a second signal ends the server immediately, and leaves an intact file", async () => {
  const dataDir = join(temporaryFolder(), "data");
  cpSync(inject("templateDataDir"), dataDir, { recursive: true });
  const main = join(inject("installedProgram"), "dist/main.cjs");
  const words = ["serve", "--port", "0", "--data-dir", dataDir, "--log-format", "json"];
  const server = startCommand([process.execPath, main, "--program=platform", ...words], {
    env: { PLATFORM_DRAIN_SECONDS: "5" },
  });
  await until("the server listens", () => messagesOf(server.stderr()).includes("listening"));
  server.signal("SIGUSR1");
  server.signal("SIGINT");
  await untilStopping(server);
  server.signal("SIGINT");
  const ended = await server.ended;
  expect(ended).toMatchObject({ status: 130, signal: null });
  expect(ended.stderr).not.toContain("Debugger");
  expect(rowsIn(join(dataDir, "platform.db"), "PRAGMA integrity_check")).toEqual([["ok"]]);
});

/** A module that the server preloads. While the file STUCK exists, no flush ends. */
const stuckDisk = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { fdatasync } = fs;
fs.fdatasync = (...given) => fs.existsSync(process.env.STUCK) || fdatasync(...given);
syncBuiltinESMExports();
`;

test("a server whose disk does not respond stops, and says what may be lost", async () => {
  const stuck = join(temporaryFolder(), "stuck");
  const env = { NODE_OPTIONS: preloading(stuckDisk), STUCK: stuck };
  const server = await startServer({ env });
  writeFileSync(stuck, "");
  const { status, stderr } = await server.stop();
  expect(status).toBe(0);
  const messages = messagesOf(stderr);
  expect(messages).toContainEqual(expect.stringMatching(/^the database does not respond/));
  expect(messages.at(-1)).toBe("stopped");
});
