// Polls here wait for a minute, so a test in which a poll times out fails.
// test/core/commands/delivery.test.ts tests the rules.

import type { IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sceneIn } from "../core/scene.ts";
import type { TestAgent } from "../helpers/app.ts";
import { type HttpAnswer, listenTestApp, refused } from "../helpers/http/http.ts";
import { size } from "../helpers/size.ts";
import { openRaw, requestText, statusesIn } from "./raw.ts";

const nothing = { status: 200, body: { success: true, data: { commands: [], cancelled: [] } } };

async function scene() {
  const scene = await sceneIn(await listenTestApp());
  const { doorbell } = scene.app.core;
  /** Waits until the server holds this many requests. */
  const held = (count: number) =>
    vi.waitFor(() => expect(doorbell.size).toBe(count), { timeout: 60_000, interval: 5 });
  return {
    ...scene,
    held,
    /** Starts a poll, and waits until the server holds it. */
    async holdPoll({ agentToken }: TestAgent = scene.agent) {
      const before = doorbell.size;
      const path = "/api/agents/commands?wait=60";
      const answer = scene.request("GET", path, { bearer: agentToken });
      await held(before + 1);
      return { answer };
    },
  };
}

test.each(["reset", "closed"])(
  "a poll claims no command after its connection is %s",
  async (how) => {
    const { port, agent, execute, poll, get, held, apiKey } = await scene();
    const key = await apiKey();
    const running = await execute();
    await poll();
    const request = (path: string, bearer: string) =>
      requestText(`GET ${path}?wait=60 HTTP/1.1`, [
        "Host: localhost",
        `Authorization: Bearer ${bearer}`,
      ]);
    const { socket } = openRaw(port);
    socket.write(request(`/api/admin/commands/${running}`, key));
    socket.write(request("/api/agents/commands", agent.agentToken));
    await held(2);
    if (how === "reset") socket.resetAndDestroy();
    else socket.end();
    await held(0);
    expect((await get(await execute())).status).toBe("PENDING");
  },
);

test.each([
  { route: "agents.revoke-token", status: 401, code: "UNAUTHORIZED" },
  { route: "agents.disable", status: 403, code: "AGENT_DISABLED" },
] as const)(
  "$route ends a long poll immediately with $status $code",
  async ({ route, status, code }) => {
    const { as, agent, holdPoll, held } = await scene();
    const { answer } = await holdPoll();
    await as("operator").call(route, { params: { agentId: agent.agentId } });
    await held(0);
    expect(await answer).toMatchObject(refused(status, code));
  },
);

test("a held poll keeps no headers, unless they announce a body that is still arriving", async () => {
  const { port, server, agent, held, app } = await scene();
  const requests: IncomingMessage[] = [];
  server.on("request", (request: IncomingMessage) => requests.push(request));
  const ask = (...more: string[]) => {
    const connection = openRaw(port);
    const lines = ["Host: localhost", `Authorization: Bearer ${agent.agentToken}`, ...more];
    connection.socket.write(requestText("GET /api/agents/commands?wait=60 HTTP/1.1", lines));
    return connection;
  };
  const poll = ask("X-Request-Id: poll-1");
  await held(1);
  expect(requests[0]?.rawHeaders).toEqual([]);
  expect(requests[0]?.headers).toEqual({});
  // The newer poll ends the first one, whose response is still complete.
  const unfinished = ask("Content-Length: 5");
  await poll.until('"cancelled":[]');
  expect(statusesIn(poll.received())).toEqual([200]);
  expect(poll.received()).toContain("X-Request-Id: poll-1\r\n");
  expect(poll.received()).not.toContain("Connection: close");
  await held(1);
  expect(requests[1]?.headers).toMatchObject({ "content-length": "5" });
  app.core.doorbell.close();
  expect(await unfinished.ended).toContain("Connection: close");
});

test("many long polls do not block other requests", async () => {
  const { registerAgent, request, holdPoll, execute, held, app } = await scene();
  const crowd = size(20, 200);
  const others = await Promise.all(
    Array.from({ length: crowd }, (_, index) => registerAgent(`crowd-${index}`)),
  );
  const answers = others.map(({ agentToken }) =>
    request("GET", "/api/agents/commands?wait=60", { bearer: agentToken }),
  );
  await held(crowd);
  expect((await request("GET", "/api/system/health")).body.data.status).toBe("UP");
  const beat = await request("POST", "/api/agents/heartbeat", { bearer: others[7]!.agentToken });
  expect(beat.status).toBe(200);
  const { answer } = await holdPoll();
  await execute();
  expect((await answer).body.data.commands).toHaveLength(1);
  await held(crowd);
  app.core.doorbell.close();
  for (const held of await Promise.all(answers)) expect(held).toMatchObject(nothing);
});

describe("a shutdown", () => {
  test("responds to every long poll and ends", async () => {
    const { registerAgent, holdPoll, apiKey, request, execute, held, stopListening, url } =
      await scene();
    const bearer = await apiKey();
    const commandId = await execute();
    const reading = request("GET", `/api/admin/commands/${commandId}?wait=60`, { bearer });
    await held(1);
    const polls: Promise<HttpAnswer>[] = [];
    for (const code of ["a", "b", "c", "d"]) {
      polls.push((await holdPoll(await registerAgent(code))).answer);
    }
    // Time stands still, so no poll ends by itself.
    await stopListening();
    for (const answer of await Promise.all(polls)) {
      expect(answer).toMatchObject(nothing);
      expect(answer.headers.get("connection")).toBe("close");
    }
    expect((await reading).body.data.status).toBe("PENDING");
    await expect(fetch(`${url}/api/system/health`)).rejects.toThrow();
  });

  test.each([
    { name: "has sent nothing", says: "" },
    { name: "has sent half a request", says: "GET /api/system/health HTTP/1.1\r\nHost: loc" },
    {
      name: "has received a response",
      says: requestText("GET /api/system/health HTTP/1.1", ["Host: localhost"]),
    },
  ])("does not wait for a connection that $name", async ({ says }) => {
    const { port, request, stopListening } = await listenTestApp();
    const { socket, until, ended } = openRaw(port);
    socket.write(says);
    if (says.endsWith("\r\n\r\n")) await until('"success":true');
    // Connections are accepted in order, so the earlier one is open after this response.
    await request("GET", "/api/system/version");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const stopped = stopListening();
    // A connection that is not closed by the stop would wait eight seconds for a request.
    await vi.advanceTimersByTimeAsync(7000);
    await stopped;
    await ended;
  });

  test("responds to a request that arrives while others are in progress, then closes its connection", async () => {
    const { port, app, stopListening, request } = await listenTestApp();
    const release = Promise.withResolvers<void>();
    onTestFinished(() => release.resolve());
    const { read } = app.core.db;
    const get = vi
      .spyOn(read, "get")
      .mockImplementationOnce(async () => void (await release.promise));
    const busy = request("GET", "/api/system/health");
    await vi.waitFor(() => expect(get).toHaveBeenCalled(), 60_000);
    const { socket, ended } = openRaw(port);
    // Connections are accepted in order, so the earlier one is open after this response.
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
