// Tests that a server that stops responds to all clients and loses nothing, that it stops even if its
// disk does not respond, and that a second signal ends it immediately.

import { writeFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { operatorOf } from "../helpers/process/operator.ts";
import {
  logLines,
  type RemoteAgent,
  registerAgent,
  type Server,
  send,
  startServer,
  until,
} from "../helpers/process/process.ts";
import { rowsIn } from "../helpers/process/rows.ts";

const polls = 5;

test("a signal ends long polls, and saves the last heartbeat", async () => {
  const server = await startServer();
  const client = await operatorOf(server);
  const { key } = await client.call("api-keys.create", {
    body: { name: "test", role: "viewer" },
  });
  const agents: RemoteAgent[] = [];
  for (let number = 0; number < polls; number++) {
    const { token } = await client.call("registration-tokens.create", { body: {} });
    agents.push(await registerAgent(server.url, token, `edge-${number}`));
  }
  const registered = Date.now();
  await until("the clock has advanced", () => Date.now() > registered);
  const held = agents.map((agent) => agent.call("GET", "/commands?wait=60"));
  await until("all polls wait", async () => {
    const path = `/api/admin/agents?pageSize=${polls}`;
    const { body } = await send(server.url, "GET", path, { bearer: key });
    return body.data.every(
      (agent: { lastHeartbeatAt: string }) => Date.parse(agent.lastHeartbeatAt) > registered,
    );
  });
  // The server keeps the latest heartbeat only in memory.
  const lastSignAt = Date.now();
  expect(await agents[0]?.call("POST", "/heartbeat", {})).toMatchObject({ status: 200 });

  server.signal("SIGTERM");
  for (const answer of await Promise.all(held)) {
    expect(answer).toMatchObject({ status: 200, body: { data: { commands: [] } } });
  }
  const { status, stderr } = await server.ended;
  expect(status).toBe(0);
  expect(logLines(stderr).map((line) => line.msg)).toEqual([
    "listening",
    "stopping",
    "audit head",
    "stopped",
  ]);

  const agent = await client.call("agents.get", {
    params: { agentId: agents[0]?.agentId ?? "" },
  });
  expect(Date.parse(agent.lastHeartbeatAt ?? "")).toBeGreaterThanOrEqual(lastSignAt);
  const { data: audit } = await client.page("audit-events.list", { query: { pageSize: 1 } });
  expect(audit).toMatchObject([{ action: "system.stopped", actorType: "SYSTEM" }]);
});

test("a second signal ends the server immediately, and leaves an intact database file", async () => {
  const server = await startServer();
  await holdHalfRequest(server);
  server.signal("SIGINT");
  const isStopping = () => logLines(server.stderr()).some(({ msg }) => msg === "stopping");
  await until("the server is stopping", isStopping);
  expect(server.running(), "the server waits for the open request").toBe(true);
  server.signal("SIGINT");
  expect(await server.ended).toMatchObject({ status: 130, signal: null });
  expect(rowsIn(server.file, "PRAGMA integrity_check")).toEqual([["ok"]]);
});

/** Loaded into a server, so that no flush ends while there is the file STUCK. */
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
  const messages = logLines(stderr).map(({ msg }) => msg);
  expect(messages).toContainEqual(expect.stringMatching(/^the database does not respond/));
  expect(messages.at(-1)).toBe("stopped");
});

/** Sends the headers of a request, and returns when the server waits for the body. */
async function holdHalfRequest(server: Server): Promise<void> {
  const socket = connectSocket(Number(new URL(server.url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write(
    "POST /api/agents/register HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n" +
      "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n",
  );
  const answer = await new Promise<string>((resolve) =>
    socket.once("data", (bytes) => resolve(String(bytes))),
  );
  expect(answer).toMatch(/^HTTP\/1.1 100 /);
}
