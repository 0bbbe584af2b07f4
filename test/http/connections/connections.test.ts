// The metrics show operators everything that these tests check.

import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { maxDownloadsPerCredential } from "../../../src/domain/limits.ts";
import { operatorConnections } from "../../../src/http/connections/connections.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import { askUnread } from "../../helpers/http/unread-answers.ts";
import {
  listenForDownloads,
  openRaw,
  type RawConnection,
  requestText,
  statusesIn,
} from "../raw.ts";

const health = requestText("GET /api/system/health HTTP/1.1", ["Host: localhost"]);
const document = requestText("GET /api/system/openapi.json HTTP/1.1", ["Host: localhost"]);

async function limitsOf(app: ListeningApp) {
  return (await app.as("viewer").call("diagnostics.get")).limits;
}

/** Opens an app that sends the document at once. The first request loads the code that builds it. */
async function listenWithDocument(env?: Record<string, string>): Promise<ListeningApp> {
  const app = await listenTestApp(env);
  await app.request("GET", "/api/system/openapi.json");
  return app;
}

function askUnreadOf(app: ListeningApp, { socket }: RawConnection): Promise<number> {
  const waitingBytes = async () => {
    await app.request("GET", "/api/system/health");
    return (await limitsOf(app)).inUse.pendingOutputBytes.used;
  };
  return askUnread([socket], document, waitingBytes, 100_000);
}

/** Opens connections, and waits until the server has accepted all of them. */
async function openIdle(app: ListeningApp, count: number): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let n = 0; n < count; n++) {
    const connection = openRaw(app.port);
    connection.socket.write(health);
    await connection.until("200 OK");
    connections.push(connection);
  }
  return connections;
}

async function holdPoll(
  app: ListeningApp,
  token: string,
  connection = openRaw(app.port),
): Promise<RawConnection> {
  const lines = ["Host: localhost", `Authorization: Bearer ${token}`];
  const held = app.app.core.doorbell.size;
  connection.socket.write(requestText("GET /api/agents/commands?wait=60 HTTP/1.1", lines));
  await vi.waitFor(() => expect(app.app.core.doorbell.size).toBeGreaterThan(held), {
    timeout: 60_000,
    interval: 2,
  });
  return connection;
}

/** Sends a heartbeat on a new connection. Returns the response. */
function beat(app: ListeningApp, token: string): Promise<string> {
  const lines = ["Host: localhost", `Authorization: Bearer ${token}`, "Content-Length: 0"];
  const connection = openRaw(app.port);
  connection.socket.write(requestText("POST /api/agents/heartbeat HTTP/1.1", lines));
  return connection.ended;
}

/** Opens connections of operators that are never idle. */
async function holdStreams(app: ListeningApp, count: number): Promise<void> {
  const lines = [
    "Host: localhost",
    `Authorization: Bearer ${await app.apiKey("viewer")}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  for (let n = 0; n < count; n++) {
    const connection = openRaw(app.port);
    connection.socket.write(requestText("GET /api/admin/stream HTTP/1.1", lines));
    await connection.until("HTTP/1.1 101");
  }
}

describe("when all connections are in use", () => {
  test("the connection that has been idle longest is closed, but a long poll never is", async () => {
    const app = await listenTestApp({ MAX_CONNECTIONS: "16", MAX_CONNECTIONS_PER_ADDRESS: "16" });
    const { agentToken } = await app.registerAgent();
    const poll = await holdPoll(app, agentToken);
    const idle = await openIdle(app, 15);
    expect((await limitsOf(app)).inUse.connections).toEqual({ used: 16, allowed: 16 });
    // The oldest connection has just been used.
    const [oldest, next] = idle;
    oldest?.socket.write(health);
    await oldest?.until("200 OK", 2);
    await openIdle(app, 1);
    await next?.ended;
    expect(oldest?.socket.destroyed).toBe(false);
    await openIdle(app, 30);
    expect(poll.socket.destroyed).toBe(false);
    expect(poll.received()).toBe("");
    const { inUse, reached } = await limitsOf(app);
    expect(inUse.connections.used).toBe(16);
    expect(reached).toMatchObject({ idleConnections: 31, connections: 0 });
  });

  test("incomplete requests and bodies do not block other clients", async () => {
    const app = await listenTestApp({ MAX_CONNECTIONS: "16", MAX_CONNECTIONS_PER_ADDRESS: "16" });
    const { agentToken } = await app.registerAgent();
    const length = "Content-Length: 5000";
    const bearer = `Authorization: Bearer ${agentToken}`;
    const begun = [
      "GET /api/sys",
      requestText("POST /api/agents/register HTTP/1.1", ["Host: localhost", length], "{"),
      requestText("POST /api/agents/heartbeat HTTP/1.1", ["Host: localhost", bearer, length], "{"),
    ];
    const stuck = Array.from({ length: 16 }, (_, n) => {
      const connection = openRaw(app.port);
      connection.socket.write(begun[n % 3] ?? "");
      return connection;
    });
    const inUse = { connections: { used: 16 }, pendingBodyBytes: { used: 10 * 5000 } };
    await vi.waitFor(async () => expect((await limitsOf(app)).inUse).toMatchObject(inUse), 60_000);
    const idle = await openIdle(app, 16);
    await Promise.all(stuck.map(({ ended }) => ended));
    expect(idle.map(({ socket }) => socket.destroyed)).not.toContain(true);
  });

  test("operators can still connect even if none is idle, and agents get 503", async () => {
    const app = await listenTestApp({ MAX_CONNECTIONS: "16", MAX_CONNECTIONS_PER_ADDRESS: "99" });
    for (let n = 0; n < 16; n++) {
      await holdPoll(app, (await app.registerAgent(`agent-${n}`)).agentToken);
    }
    const { agentToken } = await app.registerAgent("late");
    await openIdle(app, 1);
    const text = await beat(app, agentToken);
    expect(statusesIn(text)).toEqual([503]);
    expect(text).toContain("Retry-After: 5\r\n");
    expect(text).toContain("Connection: close\r\n");
    await openIdle(app, operatorConnections + 1);
    const { inUse, reached } = await limitsOf(app);
    expect(inUse.connections.used).toBeLessThanOrEqual(16 + operatorConnections);
    expect(reached.connections).toBe(1);
  });
});

describe("when one address has its maximum", () => {
  test("clients that have disconnected during a request do not count", async () => {
    const app = await listenTestApp({ MAX_CONNECTIONS_PER_ADDRESS: "4" });
    const { doorbell } = app.app.core;
    const polls: RawConnection[] = [];
    for (let n = 0; n < 3; n++) {
      polls.push(await holdPoll(app, (await app.registerAgent(`here-${n}`)).agentToken));
    }
    for (let n = 0; n < 3; n++) {
      const poll = await holdPoll(app, (await app.registerAgent(`gone-${n}`)).agentToken);
      poll.socket.destroy();
      await vi.waitFor(() => expect(doorbell.size).toBe(3), 60_000);
    }
    // Each new connection takes the place of the previous one.
    await openIdle(app, 6);
    expect((await limitsOf(app)).inUse.connections.used).toBe(4);
    expect(polls.map(({ socket }) => socket.destroyed)).not.toContain(true);
    await holdPoll(app, (await app.registerAgent("last")).agentToken);
    const { agentToken } = await app.registerAgent("late");
    expect(statusesIn(await beat(app, agentToken))).toEqual([503]);
    const { reached } = await limitsOf(app);
    expect(reached).toMatchObject({ idleConnections: 6, connectionsPerAddress: 1 });
  });

  test("a connection gets a 503 with an error body and is logged if operators use theirs", async () => {
    const app = await listenTestApp({ MAX_CONNECTIONS_PER_ADDRESS: "1" });
    const warned = vi.fn();
    app.app.core.log = { ...app.app.core.log, warn: warned };
    const { agentToken } = await app.registerAgent();
    const poll = await holdPoll(app, agentToken);
    await holdStreams(app, operatorConnections);
    for (let n = 0; n < 2; n++) {
      const text = await openRaw(app.port).ended;
      expect(statusesIn(text)).toEqual([503]);
      expect(text).toContain("Retry-After: 5\r\n");
      expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({
        success: false,
        error: { code: "UNAVAILABLE" },
      });
    }
    expect((await limitsOf(app)).reached.connectionsPerAddress).toBe(2);
    const fields = { limit: "connectionsPerAddress", times: 1, address: "127.0.0.1" };
    expect(warned.mock.calls).toEqual([[fields, expect.stringContaining("PER_ADDRESS")]]);
    app.clock.advance(60_200);
    await poll.until("200 OK");
    await holdPoll(app, agentToken, poll);
    await openRaw(app.port).ended;
    expect(warned.mock.calls.map(([fields]) => fields)).toContainEqual({ ...fields, times: 2 });
  });

  test("a trusted proxy is exempt", async () => {
    const app = await listenTestApp({ MAX_CONNECTIONS_PER_ADDRESS: "2", TRUST_PROXY: "loopback" });
    const open = await openIdle(app, 5);
    const { inUse, perClient } = await limitsOf(app);
    expect(inUse.connections.used).toBe(5);
    expect(perClient).toEqual({
      connectionsPerAddress: 2,
      requestsPerSecond: 200,
      stalledOutputSeconds: 30,
    });
    expect(open.map(({ socket }) => socket.destroyed)).not.toContain(true);
  });
});

/** Lets time pass until a client that reads nothing is cut off. Returns the seconds. */
async function untilStalled(app: ListeningApp): Promise<number> {
  let seconds = 0;
  await vi.waitFor(async () => {
    seconds++;
    app.clock.advance(1000);
    expect((await limitsOf(app)).reached.stalledOutput).toBe(1);
  }, 60_000);
  return seconds;
}

describe("when a client reads nothing", () => {
  test("its other requests wait while 256 KiB are unread", async () => {
    const app = await listenWithDocument();
    const taken = vi.spyOn(app.app.core.requestTimes, "note");
    const stalled = openRaw(app.port);
    stalled.socket.pause();
    const asked = await askUnreadOf(app, stalled);
    const isDocument = ([route]: unknown[]) => route === "system.openapi";
    const before = taken.mock.calls.filter(isDocument).length;
    expect(before).toBeLessThan(asked);
    const { used } = (await limitsOf(app)).inUse.pendingOutputBytes;
    expect(used).toBeGreaterThan(256 * 1024);
    stalled.socket.resume();
    await stalled.until("200 OK", asked);
    expect(taken.mock.calls.filter(isDocument)).toHaveLength(asked);
  });

  test("its connection is closed after the configured time, even after a download, and idle connections stay open", async () => {
    const app = await listenWithDocument({ STALLED_OUTPUT_SECONDS: "1" });
    const stalled = openRaw(app.port);
    const lines = ["Host: localhost", `Authorization: Bearer ${await app.apiKey("owner")}`];
    stalled.socket.write(requestText("GET /api/admin/audit-events/export HTTP/1.1", lines));
    // The longer time limit for a download ends with its last chunk.
    await stalled.until("\r\n0\r\n\r\n");
    stalled.socket.pause();
    const asked = await askUnreadOf(app, stalled);
    const [idle] = await openIdle(app, 1);
    expect(await untilStalled(app)).toBeLessThan(300);
    stalled.socket.resume();
    await stalled.ended;
    expect(statusesIn(stalled.received()).length).toBeLessThan(asked);
    idle?.socket.write(health);
    await idle?.until("200 OK", 2);
  });
});

describe("downloads", () => {
  const version = requestText("GET /api/system/version HTTP/1.1", ["Host: localhost"]);

  test("the one that has been unread longest is cut off when too much is unread", async () => {
    const app = await listenTestApp({ MAX_PENDING_OUTPUT_BYTES: "1048576" });
    const chunk = Buffer.alloc(1024 * 1024, "x");
    // This is several times what the system's buffers hold.
    const { port } = await listenForDownloads(app, () => Readable.from(Array(24).fill(chunk)));
    const openUnread = async () => {
      const connection = openRaw(port);
      connection.socket.write(version);
      await connection.until("xxx");
      connection.socket.pause();
      return connection;
    };
    const first = await openUnread();
    const second = await openUnread();
    const { inUse, reached } = await limitsOf(app);
    expect(inUse.pendingOutputBytes.used).toBeGreaterThan(0);
    expect(reached.pendingOutput).toBe(1);
    first.socket.resume();
    expect(await first.ended).not.toContain("\r\n0\r\n\r\n");
    second.socket.resume();
    await second.until("\r\n0\r\n\r\n");
    await vi.waitFor(
      async () => expect((await limitsOf(app)).inUse.pendingOutputBytes.used).toBe(0),
      60_000,
    );
  });

  test("one whose client has read everything so far is not cut off", async () => {
    const app = await listenTestApp({ MAX_PENDING_OUTPUT_BYTES: "1048576" });
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const rest = Promise.withResolvers<string>();
    onTestFinished(() => rest.resolve(""));
    const slow = async function* () {
      yield chunk;
      yield await rest.promise;
    };
    let opened = 0;
    const { port } = await listenForDownloads(app, () =>
      opened++ === 0 ? slow() : Readable.from(Array(24).fill(chunk)),
    );
    const open = async () => {
      const connection = openRaw(port);
      connection.socket.write(version);
      await connection.until("xxx");
      return connection;
    };
    const read = await open();
    await vi.waitFor(
      async () => expect((await limitsOf(app)).inUse.pendingOutputBytes.used).toBe(0),
      60_000,
    );
    for (let n = 0; n < 2; n++) (await open()).socket.pause();
    expect((await limitsOf(app)).reached.pendingOutput).toBe(1);
    rest.resolve("rest");
    await read.until("rest\r\n0\r\n\r\n");
  });

  test(`one credential can have ${maxDownloadsPerCredential} at the same time`, async () => {
    const app = await listenTestApp();
    const rest = Promise.withResolvers<string>();
    const { port } = await listenForDownloads(app, async function* () {
      yield "begun";
      yield await rest.promise;
    });
    onTestFinished(() => rest.resolve("done"));
    const open = (key: string) => {
      const connection = openRaw(port);
      const lines = ["Host: localhost", `Authorization: Bearer ${key}`];
      connection.socket.write(requestText("GET /api/admin/agents/export HTTP/1.1", lines));
      return connection;
    };
    const [key, otherKey] = [await app.apiKey(), await app.apiKey()];
    const all = Array.from({ length: maxDownloadsPerCredential }, () => open(key));
    for (const { until } of all) await until("begun");
    const refused = open(key);
    await refused.until("\r\n\r\n");
    expect(statusesIn(refused.received())).toEqual([429]);
    expect(refused.received()).toContain("Retry-After: 10\r\n");
    expect((await limitsOf(app)).reached.heavyCalls).toBe(1);
    await open(otherKey).until("begun");
    rest.resolve("done");
    for (const { until } of all) await until("\r\n0\r\n\r\n");
    await open(key).until("begun");
  });
});

test("the OpenAPI document has an ETag, and clients that have the document get 304", async () => {
  const { request } = await listenTestApp();
  const path = "/api/system/openapi.json";
  const etag = (await request("GET", path)).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  const { url } = await listenTestApp();
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const answer = await fetch(url + path, { headers: { "if-none-match": known } });
    expect([answer.status, answer.headers.get("etag")]).toEqual([304, etag]);
    expect(await answer.text()).toBe("");
  }
  const other = await request("GET", path, { headers: { "if-none-match": '"other"' } });
  expect(other.status).toBe(200);
});
