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

const drainMs = 3000;

const messagesOf = (stderr: string) => logLines(stderr).map(({ msg }) => msg);

function untilStopping(server: Program): Promise<true> {
  return until("the server is stopping", () => messagesOf(server.stderr()).includes("stopping"));
}

test("a server that drains is not ready, but handles calls; then it ends long polls, and saves the last heartbeat", async () => {
  const server = await startServer({ env: { PLATFORM_DRAIN_SECONDS: String(drainMs / 1000) } });
  const client = await operatorOf(server);
  const bearer = await createKey(server);
  const { token } = await client.call("registration-tokens.create", { body: {} });
  const agent = await registerAgent(server.url, token, "edge-1");
  const ready = () => send(server.url, "GET", "/api/system/ready");
  const polling = agent.call("GET", "/commands?wait=60").then((answer) => {
    return { answer, endedAt: performance.now() };
  });
  await until("the poll waits", async () => {
    const { body } = await send(server.url, "GET", "/api/admin/diagnostics", { bearer });
    return body.data.queues.heldPolls === 1;
  });
  expect(await ready()).toMatchObject({ status: 200 });

  const started = performance.now();
  server.signal("SIGTERM");
  await untilStopping(server);
  const notReady = { status: 503, body: { data: { ready: false, reason: "STOPPING" } } };
  expect(await ready()).toMatchObject(notReady);
  // The server keeps the time of the latest heartbeat only in memory.
  const lastSignAt = Date.now();
  expect(await agent.call("POST", "/heartbeat", {})).toMatchObject({ status: 200 });
  const { answer, endedAt } = await polling;
  expect(answer).toMatchObject({ status: 200, body: { data: { commands: [] } } });
  expect(endedAt - started, "polls end after the drain").toBeGreaterThanOrEqual(drainMs);
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
  const preload = `data:text/javascript,${encodeURIComponent(stuckDisk)}`;
  const server = await startServer({ env: { NODE_OPTIONS: `--import=${preload}`, STUCK: stuck } });
  writeFileSync(stuck, "");
  const { status, stderr } = await server.stop();
  expect(status).toBe(0);
  const messages = messagesOf(stderr);
  expect(messages).toContainEqual(expect.stringMatching(/^the database does not respond/));
  expect(messages.at(-1)).toBe("stopped");
});
