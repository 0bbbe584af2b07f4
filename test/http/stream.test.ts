// test/core/system/stream.test.ts tests the messages.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { streamLimits } from "../../src/domain/limits.ts";
import { createHttpServer } from "../../src/http/server.ts";
import {
  addUser,
  type ListeningApp,
  listenTestApp,
  refused,
  signIn,
} from "../helpers/http/http.ts";
import { listen } from "../helpers/http/listen.ts";
import { perFile } from "../helpers/lifetime.ts";
import { notebook, restOf, type Told } from "../helpers/process/watcher.ts";
import { errorsLogged, openRaw, requestText, sendRaw, statusesIn } from "./raw.ts";

const path = "/api/admin/stream";
const waiting = { timeout: 60_000, interval: 2 };

interface Stream extends Told {
  socket: WebSocket;
  /** The header of the response that opened the stream. */
  headers: Record<string, string | string[] | undefined>;
  /** The code and the reason with which the stream ended. */
  closed: Promise<[code: number, reason: string]>;
}

interface Refusal extends Pick<Stream, "headers"> {
  status: number | undefined;
  code: string;
}

type Opened = { stream: Stream; refusal: null } | { stream: null; refusal: Refusal };

function tryOpen(
  { port }: ListeningApp,
  headers: Record<string, string>,
  query = "",
  options: object = {},
): Promise<Opened> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}${query}`, { headers, ...options });
  onTestFinished(() => socket.terminate());
  const { note, ...told } = notebook();
  socket.on("message", (data) => note(data as Buffer));
  const closed = new Promise<[number, string]>((resolve) =>
    socket.on("close", (code, reason) => resolve([code, String(reason)])),
  );
  return new Promise((resolve, reject) => {
    let opening: Stream["headers"] = {};
    socket.on("error", reject);
    socket.on("upgrade", (answer) => {
      opening = answer.headers;
    });
    socket.on("open", () =>
      resolve({ stream: { socket, headers: opening, closed, ...told }, refusal: null }),
    );
    socket.on("unexpected-response", async (_request, answer) => {
      const { error } = (await json(answer)) as { error: { code: string } };
      const { statusCode: status, headers } = answer;
      resolve({ stream: null, refusal: { status, headers, code: error.code } });
    });
  });
}

async function open(
  app: ListeningApp,
  headers: Record<string, string>,
  query = "",
  options: object = {},
): Promise<Stream> {
  const { stream, refusal } = await tryOpen(app, headers, query, options);
  if (stream === null) throw new Error(`refused: ${JSON.stringify(refusal)}`);
  return stream;
}

/** Returns a listening app, and the header with an API key. */
async function listenWithKey() {
  const app = await listenTestApp();
  return { app, auth: await newKey(app) };
}

async function newKey({ apiKey }: ListeningApp) {
  return { authorization: `Bearer ${await apiKey()}` };
}

async function listenSignedIn() {
  const app = await listenTestApp();
  await addUser(app, "viewer");
  return { app, ...(await signIn(app, "viewer")) };
}

function makeToken(app: ListeningApp, name: string) {
  return app.as("operator").call("registration-tokens.create", { body: { name } });
}

/** Waits for the message about the token with this name. */
function heard(stream: Stream, name: string) {
  return stream.until("audit", ({ metadata }) => metadata.name === name);
}

describe("a stream is opened for", () => {
  test("an API key", async () => {
    const { app, auth } = await listenWithKey();
    const stream = await open(app, { ...auth, "x-request-id": "req-1" });
    expect(stream.headers).toMatchObject({ "x-request-id": "req-1" });
    await makeToken(app, "one");
    await heard(stream, "one");
  });

  test("a session, from this site or without an origin", async () => {
    const { app, cookie } = await listenSignedIn();
    const own = `http://127.0.0.1:${app.port}`;
    const streams = [
      await open(app, { cookie }),
      await open(app, { cookie, origin: own }),
      await open(app, { cookie, origin: own, "sec-fetch-site": "same-origin" }),
    ];
    await makeToken(app, "one");
    for (const stream of streams) await heard(stream, "one");
  });

  test("no agent, no invalid credential and no page of another site", async () => {
    const { app, cookie } = await listenSignedIn();
    const { agentToken } = await app.registerAgent();
    const refusals: [Record<string, string>, number, string][] = [
      [{}, 401, "UNAUTHORIZED"],
      [{ authorization: `Bearer ${agentToken}` }, 401, "UNAUTHORIZED"],
      [{ cookie, origin: "http://evil.example" }, 403, "CSRF_INVALID"],
      [{ cookie, host: "evil.example" }, 421, "MISDIRECTED_HOST"],
    ];
    for (const [headers, status, code] of refusals) {
      const { refusal } = await tryOpen(app, headers);
      expect(refusal, JSON.stringify(headers)).toMatchObject({ status, code });
      expect(refusal?.headers).toMatchObject({
        "x-request-id": expect.stringMatching(/^req_/),
        connection: "close",
        "cache-control": "no-store",
      });
    }
    expect(app.app.core.feed.isWatched).toBe(false);
  });

  test("no plain request, whose refusal mentions WebSockets", async () => {
    const { app, auth } = await listenWithKey();
    const answer = await app.request("GET", path, { headers: auth });
    expect(answer).toMatchObject(refused(400, "INVALID_REQUEST"));
    expect(answer.body.error.message).toContain("WebSocket");
    const wrong = await app.request("POST", path, { headers: auth });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET"]);
  });

  test(`at most ${streamLimits.maxOpenPerCredential} requests with one key, and for requests with other keys`, async () => {
    const { app, auth } = await listenWithKey();
    const most = streamLimits.maxOpenPerCredential;
    const [first] = await Promise.all(Array.from({ length: most }, () => open(app, auth)));
    const { refusal } = await tryOpen(app, auth);
    expect(refusal).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    expect(refusal?.headers["retry-after"]).toBe("10");
    expect((await app.as("viewer").call("diagnostics.get")).limits.reached.streams).toBe(1);
    await open(app, await newKey(app));
    first?.socket.close();
    await first?.closed;
    await vi.waitFor(async () => expect((await tryOpen(app, auth)).stream).not.toBeNull(), waiting);
  });
});

describe("compression", () => {
  test("messages are compressed for the clients that offer it", async () => {
    const { app, auth } = await listenWithKey();
    const operator = app.as("operator");
    const { token } = await makeToken(app, "big");
    const agent = await app.asPrincipal({ kind: "anonymous" }).call("agent.register", {
      body: { registrationToken: token, agent: { code: "big", mode: "sidecar" } },
    });
    const plain = await open(app, auth, "", { perMessageDeflate: false });
    const small = await open(app, auth);
    expect(plain.headers["sec-websocket-extensions"]).toBeUndefined();
    expect(small.headers["sec-websocket-extensions"]).toMatch(/^permessage-deflate/);
    const bytes = ({ socket }: Stream) =>
      (socket as unknown as { _socket: Socket })._socket.bytesRead;
    const before = [bytes(plain), bytes(small)] as const;
    for (let turn = 0; turn < 10; turn++) {
      const status = turn % 2 === 0 ? "DISABLED" : "ONLINE";
      const call = turn % 2 === 0 ? "agents.disable" : "agents.enable";
      for (const { messages } of [plain, small]) messages.length = 0;
      await operator.call(call, { params: agent });
      const got = await small.until("agent", (each) => each.status === status);
      expect(got).toEqual(await plain.until("agent", (each) => each.status === status));
    }
    expect(bytes(small) - before[1]).toBeLessThan((bytes(plain) - before[0]) / 3);
  });

  test("a compressed message that would become huge is not unpacked", async () => {
    const { app, auth } = await listenWithKey();
    const stream = await open(app, auth, "", { perMessageDeflate: { threshold: 0 } });
    stream.socket.send("x".repeat(10_000_000));
    expect([1003, 1009]).toContain((await stream.closed)[0]);
    await vi.waitFor(async () => expect(await connections(app)).toBe(0), waiting);
  });
});

describe("a stream ends", () => {
  test("with its session: signing out closes it with 1008", async () => {
    const { app, cookie, headers } = await listenSignedIn();
    const mine = await open(app, { cookie });
    const other = await open(app, await newKey(app));
    await app.request("POST", "/api/admin/auth/logout", { headers });
    expect(await mine.closed).toEqual([1008, "the session has ended"]);
    await makeToken(app, "after");
    await heard(other, "after");
  });

  test("with the server: clients get a reason, and those that do not respond are disconnected", async () => {
    const { app, auth } = await listenWithKey();
    const streams = [await open(app, auth), await open(app, auth)];
    const stalled = await open(app, auth);
    stalled.socket.pause();
    await app.stopListening();
    for (const { closed } of streams)
      expect(await closed).toEqual([1001, "the server is stopping"]);
  });

  test("with lost audit rows: clients get a reason", async () => {
    const { app, auth } = await listenWithKey();
    const { closed } = await open(app, auth);
    for (const { outlet } of app.app.core.feed.watchers) outlet.end("rowsLost");
    expect(await closed).toEqual([1012, "the database has lost audit rows"]);
  });

  test("with its listener, and none is opened after that", async () => {
    const { app, auth } = await listenWithKey();
    const one = createHttpServer(app.app.httpOptions);
    const port = await listen(one.server);
    const [stream, other] = [await open({ ...app, port }, auth), await open(app, auth)];
    const late = openRaw(port);
    await new Promise((resolve) => late.socket.once("connect", resolve));
    const opening = Promise.withResolvers<void>();
    const key = app.app.core.credentials.apiKey.bind(app.app.core.credentials);
    vi.spyOn(app.app.core.credentials, "apiKey").mockImplementation(async (token) => {
      await opening.promise;
      return key(token);
    });
    late.socket.write(handshake(auth));
    await vi.waitFor(() => expect(app.app.core.credentials.apiKey).toHaveBeenCalled(), waiting);
    const closing = one.close();
    opening.resolve();
    await closing;
    expect(await stream.closed).toEqual([1001, "the server is stopping"]);
    expect(await late.ended).toContain("the server is stopping");
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });

  test("with the client, without leaving anything behind", async () => {
    const { app, auth } = await listenWithKey();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const ways: ((socket: WebSocket) => void)[] = [
      (socket) => socket.close(),
      (socket) => socket.close(1000, "bye"),
      (socket) => socket.terminate(),
    ];
    for (const leave of ways) {
      const streams = [await open(app, auth), await open(app, auth)];
      expect(app.app.core.feed.watchers.size).toBe(2);
      // One timer pings the clients, and another one looks for changes by other processes.
      expect(vi.getTimerCount()).toBe(2);
      for (const { socket } of streams) leave(socket);
      await restOf(app.app.core);
      expect(app.app.core.feed.isWatched).toBe(false);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0), waiting);
    }
  });
});

describe("clients that do not read", () => {
  /** Records how much the server's sockets buffer, and the codes with which they close. */
  function watchSockets() {
    const send = vi.spyOn(WebSocket.prototype, "send");
    const pong = vi.spyOn(WebSocket.prototype, "pong");
    const close = vi.spyOn(WebSocket.prototype, "close");
    onTestFinished(() => void vi.restoreAllMocks());
    return {
      maxBuffered: () =>
        Math.max(
          ...[...send.mock.contexts, ...pong.mock.contexts].map(
            (socket) => (socket as WebSocket).bufferedAmount,
          ),
        ),
      codes: () => close.mock.calls.map(([code]) => code),
    };
  }

  test("a client that does not read is closed with 1013, and others continue", async () => {
    const { app, auth } = await listenWithKey();
    const operator = app.as("operator");
    const { token } = await makeToken(app, "big");
    const runtime = { blob: "x".repeat(400_000) };
    const agent = await app.asPrincipal({ kind: "anonymous" }).call("agent.register", {
      body: { registrationToken: token, agent: { code: "big", mode: "sidecar", runtime } },
    });
    const slow = await open(app, auth, "", { perMessageDeflate: false });
    const good = await open(app, auth);
    const sockets = watchSockets();
    slow.socket.pause();
    let most = 0;
    // The operating system's buffers hold some of the messages, so this sends many.
    let left = 200;
    for (let turn = 0; left > 0; turn++, left--) {
      const call = turn % 2 === 0 ? "agents.disable" : "agents.enable";
      const status = turn % 2 === 0 ? "DISABLED" : "ONLINE";
      good.messages.length = 0;
      await operator.call(call, { params: agent });
      const { runtime: received } = await good.until("agent", (each) => each.status === status);
      expect(received).toEqual(runtime);
      most = Math.max(most, sockets.maxBuffered());
      if (sockets.codes().length > 0) left = Math.min(left, 5);
    }
    expect(most).toBeGreaterThan(streamLimits.maxBufferedBytes);
    expect(most).toBeLessThan(streamLimits.maxBufferedBytes + 410_000);
    expect(sockets.codes()).toEqual([1013]);
    expect(app.app.core.feed.watchers.size).toBe(1);
    // The client's connection is closed too, although the client never responded.
    good.socket.close();
    await good.closed;
    await vi.waitFor(async () => expect(await connections(app)).toBe(0), waiting);
  });

  test("a client that sends pings without reading the pongs is disconnected", async () => {
    const { app, auth } = await listenWithKey();
    const sockets = watchSockets();
    const accepted = once(app.server, "connection");
    const raw = openRaw(app.port);
    raw.socket.write(handshake(auth));
    await raw.until("\r\n\r\n");
    raw.socket.pause();
    // As if the system's buffers were full, so that fewer pings are enough.
    const [serverSocket] = (await accepted) as [Socket];
    serverSocket.cork();
    const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 500 }, () => ping));
    await vi.waitFor(
      () => {
        if (!raw.socket.destroyed) raw.socket.write(pings);
        expect(sockets.codes()).toEqual([1013]);
      },
      { timeout: 60_000, interval: 1 },
    );
    expect(sockets.maxBuffered()).toBeLessThan(streamLimits.maxBufferedBytes + 200);
    await restOf(app.app.core);
  });

  test("a client that does not answer a ping before the next ping is disconnected", async () => {
    const { app, auth } = await listenWithKey();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const good = await open(app, auth);
    const dead = await open(app, auth, "", { autoPong: false });
    for (let round = 0; round < 3; round++) {
      const pinged = new Promise((resolve) => good.socket.once("ping", resolve));
      vi.advanceTimersByTime(streamLimits.pingSeconds * 1000);
      await pinged;
      // The pong is on its way, and later messages arrive after it.
      await makeToken(app, `round ${round}`);
      await heard(good, `round ${round}`);
      await roundTrip(good);
    }
    expect((await dead.closed)[0]).toBe(1006);
    expect(good.socket.readyState).toBe(WebSocket.OPEN);
  });
});

/** Waits until the server has received everything that the client has sent. */
function roundTrip({ socket }: Stream): Promise<unknown> {
  const answered = new Promise((resolve) => socket.once("pong", resolve));
  socket.ping();
  return answered;
}

function connections(app: ListeningApp): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
}

function handshake(headers: Record<string, string>, changes: Record<string, string | null> = {}) {
  const all: Record<string, string | null> = {
    Host: "localhost",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    ...headers,
    ...changes,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return requestText(`GET ${path} HTTP/1.1`, lines);
}

describe("hostile clients", () => {
  /** Tests whose clients open no stream share this app. */
  const shared = perFile(listenWithKey);

  test.each<[what: string, changes: Record<string, string | null>, answer: RegExp]>([
    ["no key", { "Sec-WebSocket-Key": null }, /^HTTP\/1.1 400 .*INVALID_REQUEST/s],
    ["a bad version", { "Sec-WebSocket-Version": "99" }, /^HTTP\/1.1 400 .*-Version: 13\r\n/s],
    ["a second key", { authorization: "Bearer x" }, /^HTTP\/1.1 400 .*INVALID_REQUEST/s],
    ["no host", { Host: null }, /^HTTP\/1.1 400 /],
  ])("%s: refused and disconnected", async (_what, changes, answer) => {
    const { app, auth } = shared();
    const errors = errorsLogged(app);
    const raw = openRaw(app.port);
    raw.socket.write(handshake({ Authorization: auth.authorization }, changes));
    await raw.until("\r\n\r\n");
    expect(app.app.core.feed.isWatched).toBe(false);
    const text = await raw.ended;
    expect(text).toMatch(answer);
    expect(statusesIn(text)).toHaveLength(1);
    await restOf(app.app.core);
    expect(errors).toEqual([]);
  });

  test.each<[what: string, first: string, headers: string[], body: string, status: number]>([
    ["HTTP/1.0", `GET ${path} HTTP/1.0`, [], "", 400],
    ["a body", `GET ${path} HTTP/1.1`, ["Content-Length: 4"], "abcd", 400],
    ["a chunked body", `GET ${path} HTTP/1.1`, ["Transfer-Encoding: chunked"], "0\r\n\r\n", 400],
    ["another spelling", "GET /api/admin/%73tream HTTP/1.1", [], "", 400],
    ["another route", "GET /api/system/version HTTP/1.1", [], "", 200],
  ])("an upgrade with %s is ignored", async (_what, first, more, body, status) => {
    const { app, auth } = shared();
    const lines = handshake({ Authorization: auth.authorization }).split("\r\n").slice(1, -2);
    const raw = openRaw(app.port);
    raw.socket.write(requestText(first, [...lines, ...more], body));
    await raw.until("}");
    expect(statusesIn(raw.received())).toEqual([status]);
    expect(raw.received()).toMatch(/X-Request-Id: req_/);
  });

  test("an upgrade to another protocol is refused", async () => {
    const { app, auth } = shared();
    const text = await sendRaw(app.port, handshake(auth, { Upgrade: "h2c" }));
    expect(text).toMatch(/^HTTP\/1.1 400 .*INVALID_REQUEST/s);
  });

  test("an offer to use HTTP/2 is ignored, because some clients make it with every request", async () => {
    const { app } = shared();
    const lines = ["Host: localhost", "Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c"];
    const text = await sendRaw(app.port, requestText("GET /api/system/version HTTP/1.1", lines));
    expect(statusesIn(text)).toEqual([200]);
  });

  test("an upgrade while an earlier request waits closes the connection", async () => {
    const { app, auth } = await listenWithKey();
    const { agentToken } = await app.registerAgent();
    const poll = requestText("GET /api/agents/commands?wait=60 HTTP/1.1", [
      "Host: localhost",
      `Authorization: Bearer ${agentToken}`,
    ]);
    expect(await sendRaw(app.port, poll + handshake(auth))).toBe("");
    await restOf(app.app.core);
  });

  test.each<[what: string, frame: Buffer, code: number]>([
    ["a message", masked(0x81, Buffer.from("{}")), 1003],
    ["a frame that claims to be huge", Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0]), 1009],
    ["a frame without a mask", Buffer.from([0x81, 0x01, 0x78]), 1002],
  ])("%s ends it", async (_what, frame, code) => {
    const { app, auth } = await listenWithKey();
    const errors = errorsLogged(app);
    const other = await open(app, auth);
    const closing = vi.spyOn(WebSocket.prototype, "close");
    onTestFinished(() => void vi.restoreAllMocks());
    // Some clients send a frame in one packet with the handshake.
    await sendRaw(app.port, Buffer.concat([Buffer.from(handshake(auth)), frame]));
    expect(closing.mock.calls[0]?.[0]).toBe(code);
    await makeToken(app, "after");
    await heard(other, "after");
    expect(app.app.core.feed.watchers.size).toBe(1);
    expect(errors).toEqual([]);
  });

  test("connections that are closed at any time do no harm", async () => {
    const { app, auth } = await listenWithKey();
    const errors = errorsLogged(app);
    const text = handshake(auth);
    for (let length = 1; length <= text.length; length += 13) {
      const socket = connect(app.port, "127.0.0.1").resume();
      socket.on("error", () => undefined);
      socket.write(text.slice(0, length), () => socket.resetAndDestroy());
      await new Promise((resolve) => socket.on("close", resolve));
    }
    for (let turn = 0; turn < 20; turn++) {
      const refused = openRaw(app.port);
      refused.socket.write(handshake({}));
      await refused.until("}}");
      refused.socket.resetAndDestroy();
      const socket = connect(app.port, "127.0.0.1").resume();
      socket.on("error", () => undefined);
      socket.write(text, () => (turn % 2 === 0 ? socket.resetAndDestroy() : socket.end()));
      await new Promise((resolve) => socket.on("close", resolve));
    }
    await restOf(app.app.core);
    expect(errors).toEqual([]);
    await open(app, auth);
  });
});

function masked(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < 126 ? [first, 0x80 | length] : [first, 0xfe, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}
