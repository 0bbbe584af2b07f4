// Tests two processes on one database file: the server applies the other process's changes to the
// next call, delivers its commands, and keeps serving clients.

import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../../src/app.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { localTransport } from "../../../src/client/transport-local.ts";
import { loadConfig } from "../../../src/config/config.ts";
import { presentCaller } from "../../../src/core/caller.ts";
import { agentKey } from "../../../src/core/news/doorbell.ts";
import { placeOf } from "../../../src/domain/storage/place.ts";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { testWorld } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import {
  type Answer,
  registerAgent,
  type Server,
  send,
  startServer,
  until,
} from "../../helpers/process/process.ts";

const repetitions = 3;

const ways = [
  {
    name: "a revoked token",
    act: (client: Client, agentId: string) =>
      client.call("agents.revoke-token", { params: { agentId } }),
    refusal: { status: 401, code: "UNAUTHORIZED" },
  },
  {
    name: "a disabled agent",
    act: (client: Client, agentId: string) =>
      client.call("agents.disable", { params: { agentId } }),
    refusal: { status: 403, code: "AGENT_DISABLED" },
  },
];

const codeOf = (answer: Answer) => ({ status: answer.status, code: answer.body.error?.code });

const started = perFile(() => startServer());

test.each(ways)("the server refuses the next call after $name", async ({ act, refusal }) => {
  const server = started();
  const { client, commitOf } = openFile(server.file);
  for (let round = 1; round <= repetitions; round++) {
    const agent = await join(server, client, `edge-${refusal.status}-${round}`);
    expect(await agent.call("POST", "/heartbeat", {})).toMatchObject({ status: 200 });
    const committed = commitOf(agent.agentId);
    const acting = act(client, agent.agentId);
    await committed;
    expect(codeOf(await agent.call("POST", "/heartbeat", {}))).toEqual(refusal);
    await acting;
  }
});

test("every client gets a response while another process makes 100 writes on the file", async () => {
  const server = started();
  const { client } = openFile(server.file);
  const { key } = await client.call("api-keys.create", { body: { name: "load", role: "owner" } });
  const refused: unknown[] = [];
  let served = 0;
  let ended = false;
  const request = async (path: string, body: unknown, bearer?: string) => {
    const answer = await send(server.url, "POST", path, { body, ...(bearer ? { bearer } : {}) });
    if (answer.status === 201) served++;
    else refused.push(answer.body.error);
    return answer.body.data;
  };
  const load = Array.from({ length: 8 }, async (_, worker) => {
    for (let turn = 0; !ended; turn++) {
      const invitation = await request("/api/admin/registration-tokens", {}, key);
      if (!invitation) continue;
      const agent = { code: `load-${worker}-${turn}`, mode: "sidecar" };
      await request("/api/agents/register", { registrationToken: invitation.token, agent });
    }
  });
  await until("the load runs", () => served > 20);
  for (let turn = 0; turn < 100; turn++) {
    await client.call("registration-tokens.create", { body: { name: `file ${turn}` } });
  }
  ended = true;
  await Promise.all(load);
  expect(refused).toEqual([]);
});

/** Opens the database file in this process, like the command line. */
function openFile(file: string) {
  const config = loadConfig({ DATABASE_URL: `file:${file}` }, "0.0.0");
  const now = () => Date.now();
  const opened = openDatabase({ file, busyTimeoutMs: 5000, schema: "require", now });
  const { database } = opened;
  const app = createApp(config, { place: placeOf(config), ...opened }, testWorld);
  onTestFinished(async () => {
    await app.close();
    await database.close();
  });
  const door = app.localDoor({ kind: "local", osUser: "tester" });
  return {
    client: createClient(localTransport(file, door, async () => undefined)),
    /** Waits until this process has committed a change of the agent. */
    async commitOf(agentId: string): Promise<void> {
      const waiter = app.core.doorbell.register(agentKey(agentId), presentCaller);
      expect(await waiter.wait(10_000)).toBe("rung");
      waiter.close();
    },
  };
}

async function join(server: Server, client: Client, code: string, services: unknown[] = []) {
  const { token } = await client.call("registration-tokens.create", { body: {} });
  return registerAgent(server.url, token, code, services);
}
