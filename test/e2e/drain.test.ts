// Tests what a server does between the signal to stop and its end (PLATFORM_DRAIN_SECONDS): it
// reports that it is not ready, and handles calls until a load balancer has noticed.

import { describe, expect, test } from "vitest";
import { hasPostgres } from "../helpers/postgres.ts";
import { emptyCluster } from "../helpers/postgres-cluster.ts";
import { ownerKey } from "../helpers/process/owner-key.ts";
import {
  logLines,
  type RemoteAgent,
  registerAgent,
  type Server,
  type ServerOptions,
  send,
  startServer,
  until,
} from "../helpers/process/process.ts";
import { isLong } from "../helpers/size.ts";
import { templateOwner } from "../helpers/template-owner.ts";

/** The default with PostgreSQL. */
const drainMs = 3000;

/** The engines do the same, so one is enough for `npm test`. */
const engines: [string, () => Promise<ServerOptions>, isChosen: boolean][] = [
  ["SQLite", async () => ({ env: { PLATFORM_DRAIN_SECONDS: "3" } }), isLong || !hasPostgres],
  ["PostgreSQL by default", onPostgres, hasPostgres],
];

async function onPostgres(): Promise<ServerOptions> {
  const { env } = await emptyCluster();
  const { username, password } = templateOwner;
  const owner = { PLATFORM_ADMIN_USERNAME: username, PLATFORM_ADMIN_PASSWORD: password };
  return { env: { ...env, ...owner }, firstStart: true };
}

describe.each(engines)("a server on %s", (_, optionsOf, isChosen) => {
  test.runIf(isChosen)("that drains is not ready, but handles calls", async () => {
    const server = await startServer(await optionsOf());
    const bearer = await ownerKey(server.url, templateOwner);
    const asOperator = async (method: string, path: string, body?: unknown) =>
      (await send(server.url, method, `/api/admin${path}`, { bearer, body })).body.data;
    const polls = async () => (await asOperator("GET", "/diagnostics")).queues.heldPolls;
    const { token: first } = await asOperator("POST", "/registration-tokens", {});
    const { token: second } = await asOperator("POST", "/registration-tokens", {});
    const agent = await registerAgent(server.url, first, "edge-1");
    const poll = heldPoll(agent);
    await until("the poll waits", async () => (await polls()) === 1);
    expect(await ready(server)).toMatchObject({ status: 200 });

    const started = performance.now();
    server.signal("SIGTERM");
    await until("the server is stopping", () => isStopping(server));
    const notReady = { status: 503, body: { data: { ready: false, reason: "STOPPING" } } };
    expect(await ready(server)).toMatchObject(notReady);
    expect(await agent.call("POST", "/heartbeat", {})).toMatchObject({ status: 200 });
    const later = await registerAgent(server.url, second, "edge-2");
    const laterPoll = heldPoll(later);
    await until("the second poll waits", async () => (await polls()) === 2);
    expect(await asOperator("GET", "/agents")).toHaveLength(2);
    expect(await ready(server)).toMatchObject(notReady);

    for (const { answer, endedAt } of await Promise.all([poll, laterPoll])) {
      expect(answer).toMatchObject({ status: 200, body: { data: { commands: [] } } });
      expect(endedAt - started, "polls end after the drain").toBeGreaterThanOrEqual(drainMs);
    }
    const { status, stderr } = await server.ended;
    expect(status).toBe(0);
    expect(logLines(stderr).at(-1)).toMatchObject({ msg: "stopped" });
    await expect(ready(server)).rejects.toThrow();
  });
});

test("a second signal ends a server that drains", async () => {
  const server = await startServer({ env: { PLATFORM_DRAIN_SECONDS: "5" } });
  server.signal("SIGTERM");
  await until("the server is stopping", () => isStopping(server));
  expect(await ready(server)).toMatchObject({ status: 503 });
  server.signal("SIGTERM");
  expect(await server.ended).toMatchObject({ status: 130, signal: null });
});

function isStopping(server: Server): boolean {
  return logLines(server.stderr()).some(({ msg }) => msg === "stopping");
}

function ready({ url }: Server) {
  return send(url, "GET", "/api/system/ready");
}

async function heldPoll({ call }: RemoteAgent) {
  const answer = await call("GET", "/commands?wait=60");
  return { answer, endedAt: performance.now() };
}
