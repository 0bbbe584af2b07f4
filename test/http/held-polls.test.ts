// Calls that are held open over real connections: woken, given up, replaced, refused and ended.
// Waits here are a minute long, and nobody waits for one: a test that does is a test that fails.

import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { TestAgent } from "../helpers/app.ts";
import { type HttpAnswer, type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { openRaw, requestText, statusesIn } from "./raw.ts";

const nothing = { status: 200, body: { success: true, data: { commands: [], cancelled: [] } } };

interface Scene extends ListeningApp {
  agent: TestAgent;
  /** Holds a poll open; answers once the server holds it. */
  poll(agent?: TestAgent, signal?: AbortSignal): Promise<{ answer: Promise<HttpAnswer> }>;
  /** Creates a command for the first agent; answers its id. */
  createCommand(): Promise<string>;
  statusOf(commandId: string): Promise<string>;
  /** Waits until this many keys are waited at. */
  held(count: number): Promise<void>;
}

async function scene(): Promise<Scene> {
  const app = await listenTestApp();
  const { as, request } = app;
  const services = [{ code: "s", name: "S", version: "1", actions: [{ name: "run" }] }];
  const agent = await app.registerAgent("agent-1", services);
  const held = (count: number) =>
    vi.waitFor(() => expect(app.app.core.doorbell.size).toBe(count), {
      timeout: 10_000,
      interval: 5,
    });
  return {
    ...app,
    agent,
    held,
    async poll({ agentToken } = agent, signal) {
      const before = app.app.core.doorbell.size;
      const answer = request("GET", "/api/agents/commands?wait=60", {
        bearer: agentToken,
        ...(signal ? { signal } : {}),
      });
      // Whoever awaits it gets the failure as well.
      answer.catch(() => undefined);
      await held(before + 1);
      return { answer };
    },
    async createCommand() {
      const [service] = await as("viewer").call("services.list");
      const params = { serviceId: service!.id, actionName: "run" };
      return (await as("operator").call("actions.execute", { params })).command.id;
    },
    async statusOf(commandId) {
      return (await as("viewer").call("commands.get", { params: { commandId } })).status;
    },
  };
}

test("a new command is the answer to the held poll", async () => {
  const { poll, createCommand, statusOf, held } = await scene();
  const { answer } = await poll();
  const id = await createCommand();
  expect(await answer).toMatchObject({
    status: 200,
    body: { data: { commands: [{ id, action: "run", serviceCode: "s" }] } },
  });
  expect(await statusOf(id)).toBe("RUNNING");
  await held(0);
});

describe("nothing is claimed for a poll whose connection is gone", () => {
  test("the client gives up", async () => {
    const { poll, createCommand, statusOf, held, request, agent } = await scene();
    const leaving = new AbortController();
    const { answer } = await poll(agent, leaving.signal);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await held(0);
    const id = await createCommand();
    expect(await statusOf(id)).toBe("PENDING");
    const next = await request("GET", "/api/agents/commands?wait=60", { bearer: agent.agentToken });
    expect(next.body.data.commands).toMatchObject([{ id }]);
  });

  test.each(["reset", "closed"])("a connection with two held requests is %s", async (how) => {
    const { port, agent, createCommand, statusOf, held, as } = await scene();
    const body = { name: "a program", role: "viewer" } as const;
    const { key } = await as("owner").call("api-keys.create", { body });
    const running = await createCommand();
    await agent.client.call("agent.poll", { query: { wait: 0 } });
    const get = (path: string, bearer: string) =>
      requestText(`GET ${path}?wait=60 HTTP/1.1`, [
        "Host: localhost",
        `Authorization: Bearer ${bearer}`,
      ]);
    const { socket } = openRaw(port);
    socket.write(get(`/api/admin/commands/${running}`, key));
    socket.write(get("/api/agents/commands", agent.agentToken));
    await held(2);
    if (how === "reset") socket.resetAndDestroy();
    else socket.end();
    await held(0);
    expect(await statusOf(await createCommand())).toBe("PENDING");
  });
});

describe("an agent that may not go on is told at once", () => {
  test.each([
    { route: "agents.revoke-token", status: 401, code: "UNAUTHORIZED" },
    { route: "agents.disable", status: 403, code: "AGENT_DISABLED" },
  ] as const)("$route: $status $code", async ({ route, status, code }) => {
    const { as, agent, poll, held } = await scene();
    const { answer } = await poll();
    await as("operator").call(route, { params: { agentId: agent.agentId } });
    expect(await answer).toMatchObject({ status, body: { error: { code } } });
    await held(0);
  });

  test("registering again ends the poll of the old token", async () => {
    const { registerAgent, poll } = await scene();
    const { answer } = await poll();
    await registerAgent("agent-1");
    expect(await answer).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
  });
});

test("a second poll empties the first, and gets the command", async () => {
  const { request, agent, poll, createCommand } = await scene();
  const { answer: first } = await poll();
  const second = request("GET", "/api/agents/commands?wait=60", { bearer: agent.agentToken });
  expect(await first).toMatchObject(nothing);
  const id = await createCommand();
  expect((await second).body.data.commands).toMatchObject([{ id }]);
});

test("the polls of other agents stay held", async () => {
  const { registerAgent, poll, createCommand, held, app } = await scene();
  const other = await poll(await registerAgent("agent-2"));
  const { answer } = await poll();
  await createCommand();
  await answer;
  await held(1);
  app.core.doorbell.close();
  expect(await other.answer).toMatchObject(nothing);
});

test("a reader is held until the command has ended, or the time is over", async () => {
  const { agent, as, request, createCommand, held } = await scene();
  const { key } = await as("owner").call("api-keys.create", {
    body: { name: "p", role: "viewer" },
  });
  const commandId = await createCommand();
  const read = (wait: number) =>
    request("GET", `/api/admin/commands/${commandId}?wait=${wait}`, { bearer: key });
  expect((await read(1)).body.data.status).toBe("PENDING");
  const reading = read(60);
  await held(1);
  await agent.client.call("agent.poll", { query: { wait: 0 } });
  await agent.client.call("agent.result", { params: { commandId }, body: { success: true } });
  expect((await reading).body.data).toMatchObject({ id: commandId, status: "SUCCEEDED" });
  expect((await read(60)).body.data.status).toBe("SUCCEEDED");
  await held(0);
});

test("200 held polls are in nobody's way", async () => {
  const { registerAgent, request, poll, createCommand, held, app } = await scene();
  const others = await Promise.all(
    Array.from({ length: 200 }, (_, index) => registerAgent(`crowd-${index}`)),
  );
  const answers = others.map(({ agentToken }) =>
    request("GET", "/api/agents/commands?wait=60", { bearer: agentToken }),
  );
  await held(200);
  expect((await request("GET", "/api/system/health")).body.data.status).toBe("UP");
  const beat = await request("POST", "/api/agents/heartbeat", { bearer: others[7]!.agentToken });
  expect(beat.status).toBe(200);
  const { answer } = await poll();
  await createCommand();
  expect((await answer).body.data.commands).toHaveLength(1);
  await held(200);
  app.core.doorbell.close();
  for (const held of await Promise.all(answers)) expect(held).toMatchObject(nothing);
});

describe("a shutdown", () => {
  test("answers every held call, and ends", async () => {
    const { registerAgent, poll, as, request, createCommand, held, stopListening, url } =
      await scene();
    const { key } = await as("owner").call("api-keys.create", {
      body: { name: "p", role: "viewer" },
    });
    const commandId = await createCommand();
    const reading = request("GET", `/api/admin/commands/${commandId}?wait=60`, { bearer: key });
    await held(1);
    const polls: Promise<HttpAnswer>[] = [];
    for (const code of ["a", "b", "c", "d"]) {
      polls.push((await poll(await registerAgent(code))).answer);
    }
    const begun = performance.now();
    await stopListening();
    // The polls alone would take a minute, and whoever does not hang up gets eight seconds.
    expect(performance.now() - begun).toBeLessThan(7000);
    for (const answer of await Promise.all(polls)) {
      expect(answer).toMatchObject(nothing);
      expect(answer.headers.get("connection")).toBe("close");
    }
    expect((await reading).body.data.status).toBe("PENDING");
    await expect(fetch(`${url}/api/system/health`)).rejects.toThrow();
  });

  test.each([
    { name: "says nothing", says: "" },
    { name: "has said half a request", says: "GET /api/system/health HTTP/1.1\r\nHost: loc" },
    {
      name: "has been answered",
      says: requestText("GET /api/system/health HTTP/1.1", ["Host: localhost"]),
    },
  ])("does not wait for a connection that $name", async ({ says }) => {
    const { port, request, stopListening } = await listenTestApp();
    const { socket, until, ended } = openRaw(port);
    socket.write(says);
    if (says.endsWith("\r\n\r\n")) await until('"success":true');
    // Connections are taken in their order: behind this answer, the other one is known.
    await request("GET", "/api/system/version");
    const begun = performance.now();
    await stopListening();
    expect(performance.now() - begun).toBeLessThan(7000);
    await ended;
  });

  test("a request that comes while others are still in hand is answered, and told to go", async () => {
    const { port, app, stopListening, request } = await listenTestApp();
    const release = Promise.withResolvers<void>();
    onTestFinished(() => release.resolve());
    const { read } = app.core.db;
    const get = vi
      .spyOn(read, "get")
      .mockImplementationOnce(async () => void (await release.promise));
    const busy = request("GET", "/api/system/health");
    await vi.waitFor(() => expect(get).toHaveBeenCalled(), 10_000);
    const { socket, ended } = openRaw(port);
    // Connections are taken in their order: behind this answer, the one above is known.
    await request("GET", "/api/system/version");
    const stopped = stopListening();
    socket.write(requestText("GET /api/system/version HTTP/1.1", ["Host: localhost"]));
    const answer = await ended;
    expect(statusesIn(answer)).toEqual([200]);
    expect(answer).toContain("Connection: close");
    release.resolve();
    expect((await busy).status).toBe(200);
    await stopped;
  });
});
