// Sends ambiguous requests, garbage and floods on raw sockets.

import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { routes } from "../../src/api/index.ts";
import { audit } from "../../src/core/audit/trail.ts";
import { systemContext } from "../../src/core/context.ts";
import { AppError } from "../../src/domain/errors.ts";
import type { Call } from "../../src/http/dispatch.ts";
import { sceneIn } from "../core/scene.ts";
import { anyCharacter } from "../helpers/any-character.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { certificatePair } from "../helpers/http/https.ts";
import { perFile } from "../helpers/lifetime.ts";
import { isChosen } from "../helpers/postgres-app.ts";
import { size } from "../helpers/size.ts";
import {
  bodyIn,
  errorsLogged,
  listenForDownloads,
  listenInSight,
  openRaw,
  requestText,
  sendRaw,
  statusesIn,
} from "./raw.ts";

const host = "Host: localhost";
const versionLine = "GET /api/system/version HTTP/1.1";
const loginLine = "POST /api/admin/auth/login HTTP/1.1";
const beatLine = "POST /api/agents/heartbeat HTTP/1.1";

/** Tests that change nothing share this app. */
const shared = perFile(() => listenTestApp());

async function isWell(app: ListeningApp): Promise<void> {
  expect((await app.request("GET", "/api/system/health")).status).toBe(200);
}

describe("an ambiguous request is refused, and the connection closed", () => {
  const smuggled = requestText(versionLine, [host]);

  const chunked = "Transfer-Encoding: chunked";
  const large = "a".repeat(8 * 1024);
  const lengths = (...values: string[]) => [host, ...values.map((n) => `Content-Length: ${n}`)];
  const many = Array.from({ length: 2000 }, (_, n) => `A${n}: b`);
  const get = (...headers: string[]) => requestText(versionLine, headers);

  test.each<[name: string, request: string, status?: number]>([
    ["two Content-Length", requestText(beatLine, lengths("2", "3"), "{} ")],
    ["two equal Content-Length headers", requestText(beatLine, lengths("2", "2"), "{}")],
    [
      "Transfer-Encoding with Content-Length",
      requestText(beatLine, [host, chunked, "Content-Length: 5"], `0\r\n\r\n${smuggled}`),
    ],
    [
      "an unknown Transfer-Encoding",
      requestText(beatLine, [host, `${chunked}, identity`], smuggled),
    ],
    ["two Host", get(host, host)],
    ["two Authorization", get(host, "Authorization: Bearer a", "AUTHORIZATION: Bearer b")],
    ["two X-CSRF-Token", get(host, "X-CSRF-Token: a", "x-csrf-token: a")],
    ["no Host", get()],
    ["a header folded over two lines", get(host, "A: b\r\n c")],
    ["bare line feeds", `${versionLine}\n${host}\n\n`],
    ["another protocol", "EHLO example.com\r\n"],
    ["more than 8 KiB of headers", get(host, `A: ${large}`), 431],
    ["many headers", get(host, ...many), 431],
  ])("%s", async (_, request, status = 400) => {
    const app = shared();
    const errors = errorsLogged(app);
    const answer = await sendRaw(app.port, Buffer.from(request, "latin1"));
    expect(statusesIn(answer)).toEqual([status]);
    expect(bodyIn(answer)).toMatchObject({ success: false, error: { code: "INVALID_REQUEST" } });
    expect(answer).toContain(`X-Request-Id: ${bodyIn(answer).error.requestId}\r\n`);
    expect(answer).toContain("X-Content-Type-Options: nosniff\r\n");
    expect(answer).toContain("Cache-Control: no-store\r\n");
    expect(answer).toContain("Connection: close\r\n");
    expect(errors).toEqual([]);
    await isWell(app);
  });

  test.each([
    [get(host, "Host: other"), /occurs twice/],
    [get(), /Host header is missing/],
    ["EHLO example.com\r\n", /not an HTTP request/],
    [get(host, `A: ${large}`), /headers are too large/],
  ])("the response says why: %#", async (request, says) => {
    expect(bodyIn(await sendRaw(shared().port, request)).error.message).toMatch(says);
  });

  test("a request that garbage follows is refused, and not carried out", async () => {
    const app = await listenTestApp();
    const lines = [
      host,
      `Authorization: Bearer ${await app.apiKey("owner")}`,
      "Content-Type: application/json",
      "Content-Length: 2",
    ];
    const request = requestText("POST /api/admin/registration-tokens HTTP/1.1", lines, "{}");
    expect(statusesIn(await sendRaw(app.port, `${request}GARBAGE\r\n\r\n`))).toEqual([400]);
    await app.as("owner").call("maintenance.run");
    expect(await app.as("owner").page("registration-tokens.list")).toMatchObject({ data: [] });
  });

  test("a broken connection gets no response", async () => {
    const { server, port } = await listenInSight(await listenTestApp());
    const connected = once(server, "connection");
    const { ended } = openRaw(port);
    const [socket] = await connected;
    server.emit("clientError", Object.assign(new Error("no"), { code: "ECONNRESET" }), socket);
    expect(await ended).toBe("");
  });
});

describe("a request that is too slow", () => {
  const tooSlow = Object.assign(new Error("no"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  const usedBytes = ({ app }: ListeningApp) => app.core.limitWatch.usage().pendingBodyBytes.used;

  /** Lets a request time out in the middle of its body. The client keeps its side open. */
  async function timeOut() {
    const app = await listenTestApp();
    const lines = [
      host,
      `Authorization: Bearer ${await app.apiKey("owner")}`,
      "Content-Type: application/json",
      "Content-Length: 5000",
    ];
    const connected = once(app.server, "connection");
    const options = { port: app.port, host: "127.0.0.1", allowHalfOpen: true };
    const { socket, until, received } = openRaw(app.port, connect(options));
    socket.write(requestText("POST /api/admin/registration-tokens HTTP/1.1", lines, "{"));
    await vi.waitFor(() => expect(usedBytes(app)).toBe(5000), 60_000);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const [accepted] = await connected;
    app.server.emit("clientError", tooSlow, accepted);
    await until('"success":false');
    return { app, accepted, socket, text: received() };
  }

  test("gets 408 with a code that means that the client may try again", async () => {
    const { text } = await timeOut();
    expect(statusesIn(text)).toEqual([408]);
    expect(text).toContain("Retry-After: 1\r\n");
    expect(bodyIn(text).error).toMatchObject({ code: "UNAVAILABLE" });
  });

  test("gets no response before an earlier request has its own", async () => {
    const opening = Promise.withResolvers<void>();
    const waiting = { opening: opening.promise };
    const { server, port } = await listenInSight(await listenTestApp(), waiting);
    onTestFinished(() => opening.resolve());
    const connected = once(server, "connection");
    const requested = once(server, "request");
    const { socket, ended } = openRaw(port);
    socket.write(`${requestText(versionLine, [host])}${versionLine}\r\n`);
    const [accepted] = await connected;
    await requested;
    await nextTurn();
    server.emit("clientError", tooSlow, accepted);
    expect(await ended).toBe("");
  });

  test("holds its connection and memory only for a moment", async () => {
    const { app, accepted } = await timeOut();
    vi.runAllTimers();
    expect(accepted.destroyed).toBe(true);
    vi.useRealTimers();
    await vi.waitFor(() => expect(usedBytes(app)).toBe(0), 60_000);
  });

  test("does nothing when its body arrives in the end", async () => {
    const { app, socket, accepted } = await timeOut();
    socket.end(`${" ".repeat(4998)}}`);
    await once(accepted, "close");
    await app.as("owner").call("maintenance.run");
    expect(await app.as("owner").page("registration-tokens.list")).toMatchObject({ data: [] });
  });
});

describe("old or unusual HTTP is accepted", () => {
  const close = "Connection: close";
  const json = "Content-Type: application/json";
  const chunks = "1;a=b\r\n{\r\n1\r\n}\r\n0\r\nX: y\r\n\r\n";
  const get = (...headers: string[]) => requestText(versionLine, [host, close, ...headers]);

  test.each<[name: string, request: string, ...statuses: number[]]>([
    ["HTTP/1.0", requestText("GET /api/system/version HTTP/1.0", [host]), 200],
    ["HTTP/1.0 without a host", requestText("GET /api/system/version HTTP/1.0"), 421],
    [
      "an absolute URL",
      requestText("GET http://localhost/api/system/version HTTP/1.1", [host, close]),
      200,
    ],
    [
      "chunks with an extension and a trailer",
      requestText(loginLine, [host, json, "Transfer-Encoding: chunked", close], chunks),
      422,
    ],
    ["a body after a GET, which is ignored", `${get("Content-Length: 3")}{x}`, 200],
    [
      "Expect: 100-continue",
      requestText(
        loginLine,
        [host, "Expect: 100-continue", "Content-Length: 2", json, close],
        "{}",
      ),
      100,
      422,
    ],
    [
      "an upgrade to WebSocket on another route",
      requestText(versionLine, [host, "Connection: close, Upgrade", "Upgrade: websocket"]),
      200,
    ],
  ])("%s", async (_, request, ...statuses) => {
    expect(statusesIn(await sendRaw(shared().port, request))).toEqual(statuses);
  });
});

describe("pipelined requests on one connection", () => {
  test("16 requests at a time get responses in order, again and again", async () => {
    const { socket, until, received } = openRaw(shared().port);
    const ids = Array.from({ length: 48 }, (_, n) => `X-Request-Id: number-${n}-`);
    for (let round = 1; round <= 3; round++) {
      const some = ids.slice((round - 1) * 16, round * 16);
      socket.write(some.map((id) => requestText(versionLine, [host, id])).join(""));
      await until('"success":true', round * 16);
    }
    const text = received();
    expect(statusesIn(text)).toEqual(ids.map(() => 200));
    const order = ids.map((id) => text.indexOf(id));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  test("a 17th request while 16 wait closes the connection", async () => {
    const app = await listenTestApp();
    const { request, held } = await heldRead(app);
    const { socket, ended } = openRaw(app.port);
    socket.write(request.repeat(16));
    await vi.waitFor(() => expect(held()).toBe(16), 60_000);
    socket.write(request);
    expect(await ended).toBe("");
    await vi.waitFor(() => expect(held()).toBe(0), 60_000);
    await isWell(app);
  });

  test("garbage after a long poll ends the poll and the connection", async () => {
    const app = await listenTestApp();
    const { request, held } = await heldRead(app);
    const { socket, ended } = openRaw(app.port);
    socket.write(request);
    await vi.waitFor(() => expect(held()).toBe(1), 60_000);
    socket.write("garbage\r\n\r\n");
    expect(statusesIn(await ended)).toEqual([400]);
    await vi.waitFor(() => expect(held()).toBe(0), 60_000);
  });
});

describe("the body of a refused request", () => {
  const head = (length: number) =>
    `POST /api/admin/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;

  test("is not read: the server sends one response and closes the connection", async () => {
    const app = await listenTestApp();
    const { socket, ended } = openRaw(app.port);
    socket.write(`${head(100_000_000_000)}{"username":`);
    const text = await ended;
    expect(statusesIn(text)).toEqual([401]);
    expect(text).toMatch(/^Connection: close\r$/m);
    await isWell(app);
  });

  test("that arrives with the headers keeps the connection open, also for an immediate response", async () => {
    const app = await listenTestApp();
    const key = await app.apiKey();
    const lines = [host, `Authorization: Bearer ${key}`, "Content-Length: 2"];
    const request = requestText("POST /api/admin/maintenance/run HTTP/1.1", lines, "{}");
    const connection = openRaw(app.port);
    // The API key is cached after the first request.
    for (const n of [1, 2, 3]) {
      connection.socket.write(request);
      await connection.until('"FORBIDDEN"', n);
    }
    connection.socket.write(`${head(2)}{}`);
    await connection.until("UNAUTHORIZED");
    expect(connection.received()).not.toContain("Connection: close");
    expect(statusesIn(connection.received())).toEqual([403, 403, 403, 401]);
  });
});

test("garbage during a download aborts the download and adds nothing to it", async () => {
  const app = await listenTestApp();
  const { core } = app.app;
  await core.db.write(async (tx) => {
    for (let n = 0; n < 300; n++) {
      await audit(systemContext(core), tx, {
        action: "maintenance.run",
        targetType: "system",
        targetId: null,
        message: "x".repeat(40_000),
      });
    }
  });
  const key = await app.apiKey("owner");
  const { socket, ended, until } = openRaw(app.port);
  const path = "/api/admin/audit-events/export?format=csv";
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await until("maintenance.run");
  socket.pause();
  socket.write("GARBAGE\r\n\r\n");
  await vi.waitFor(() => {
    socket.resume();
    expect(socket.destroyed).toBe(true);
  }, 60_000);
  const text = await ended;
  expect(statusesIn(text)).toEqual([200]);
  expect(text).not.toContain("\r\n0\r\n\r\n");
});

test("a client that leaves before its download begins is not an error of the server", async () => {
  const app = await listenTestApp();
  const errors = errorsLogged(app);
  const began = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const { port } = await listenInSight(app, {
    async dispatch({ caller }) {
      caller.onGone(left.resolve);
      began.resolve();
      await left.promise;
      const download = { contentType: "text/plain", chunks: Readable.from(["text"]) };
      return { status: 200, body: {}, download };
    },
  });
  const { socket } = openRaw(port);
  socket.write(requestText(versionLine, [host]));
  await began.promise;
  socket.destroy();
  await left.promise;
  await nextTurn();
  expect(errors).toEqual([]);
});

test.each([1, 2])(
  "a client that leaves during the download of its request %d is not an error of the server",
  async (position) => {
    const app = await listenTestApp();
    const log = logOf(app);
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const chunksFor = async function* ({ caller }: Call) {
      yield "begun";
      begun.resolve();
      const read = Promise.withResolvers<string>();
      caller.onGone(() => read.reject(new AppError("UNAVAILABLE", "The read was stopped.")));
      yield await read.promise.finally(ended.resolve);
    };
    let calls = 0;
    const { port } = await listenInSight(app, {
      async dispatch(call) {
        // The response to the second request waits for this one.
        if (++calls < position) await new Promise<void>((resolve) => call.caller.onGone(resolve));
        const download = { contentType: "text/plain", chunks: chunksFor(call) };
        return { status: 200, body: {}, download };
      },
    });
    const { socket } = openRaw(port);
    socket.write(requestText(versionLine, [host]).repeat(position));
    await begun.promise;
    socket.destroy();
    await ended.promise;
    await nextTurn();
    expect(log.warn.mock.calls).toEqual([]);
    expect(log.error.mock.calls).toEqual([]);
  },
);

test.for<["warn" | "error", Error]>([
  ["warn", new AppError("UNAVAILABLE", "The database is busy.")],
  ["error", new Error("broken")],
])("a download that fails is aborted and logged (%s)", async ([level, error]) => {
  const failing = async function* () {
    yield "begun";
    throw error;
  };
  for (const chunksOf of [failing, () => Readable.from(failing())]) {
    const app = await listenTestApp();
    const log = logOf(app);
    const { port } = await listenForDownloads(app, chunksOf);
    const text = await sendRaw(port, requestText(versionLine, [host]));
    expect(text).not.toContain("\r\n0\r\n\r\n");
    const fields = { err: error, requestId: expect.any(String) };
    await vi.waitFor(
      () => expect(log[level].mock.calls).toEqual([[fields, "a download failed"]]),
      60_000,
    );
  }
});

/** Replaces what logs warnings and errors. */
function logOf({ app }: ListeningApp) {
  const log = { warn: vi.fn(), error: vi.fn() };
  app.core.log = { ...app.core.log, ...log };
  return log;
}

/** Returns a request for a read that waits a minute. `held` returns the number of waiting reads. */
async function heldRead(app: ListeningApp): Promise<{ request: string; held: () => number }> {
  const commandId = await (await sceneIn(app)).execute();
  const lines = [host, `Authorization: Bearer ${await app.apiKey()}`];
  const request = requestText(`GET /api/admin/commands/${commandId}?wait=60 HTTP/1.1`, lines);
  return { request, held: () => app.app.core.doorbell.countWaiting().readers };
}

test.each([
  ["HTTP", {}],
  ["HTTPS", { tls: certificatePair("first") }],
])("Node enforces the configured timeouts over %s", async (_, options) => {
  const { server } = await listenInSight(await listenTestApp(), options);
  expect(server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // The interval of Node's checks, which adds to the timeouts above.
    connectionsCheckingInterval: 5_000,
  });
});

describe("random input", () => {
  // fast-check's own parts of URLs take half a second, because they first list all characters.
  const segment = fc.string({ unit: anyCharacter }).map(encodeURIComponent);
  const line = fc.oneof(
    fc.constantFrom(versionLine, loginLine, beatLine, "GET / HTTP/1.0", "OPTIONS * HTTP/1.1"),
    fc
      .tuple(fc.constantFrom("GET", "POST", "HEAD", "CONNECT", "get", "PRI"), fc.array(segment))
      .map(([method, path]) => `${method} /${path.join("/")} HTTP/1.1`),
    fc.string(),
  );
  const header = fc.oneof(
    fc.constantFrom(
      host,
      "Host: evil",
      "Connection: close",
      "Connection: Upgrade",
      "Upgrade: h2c",
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
      "Content-Length: 2",
      "Content-Length: 99999999",
      "Expect: 100-continue",
      "Expect: the unexpected",
      "Authorization: Bearer x",
      "Cookie: platform_session=x; platform_session=y",
    ),
    fc
      .tuple(fc.string(), fc.string({ unit: anyCharacter }))
      .map(([name, value]) => `${name}: ${value}`),
  );
  const body = fc.oneof(
    fc.constantFrom("", "{}", "0\r\n\r\n", "2\r\n{}\r\n0\r\n\r\n"),
    fc.string(),
  );
  const almostRequest = fc
    .tuple(line, fc.array(header, { maxLength: 6 }), body)
    .map(([first, headers, content]) =>
      Buffer.from(requestText(first, headers, content), "latin1"),
    );
  const garbage = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const stream = fc.array(fc.oneof({ weight: 4, arbitrary: almostRequest }, garbage), {
    minLength: 1,
    maxLength: 4,
  });

  test("over a socket gets a status below 500 or a closed connection", async () => {
    const app = await listenTestApp();
    const errors = errorsLogged(app);
    await fc.assert(
      fc.asyncProperty(stream, async (pieces) => {
        const { socket, ended } = openRaw(app.port);
        socket.end(Buffer.concat(pieces));
        expect(statusesIn(await ended).filter((status) => status >= 500)).toEqual([]);
      }),
      { numRuns: size(15, 400) },
    );
    expect(errors).toEqual([]);
    expect(app.app.core.doorbell.size).toBe(0);
    await isWell(app);
  });

  test("as JSON, to every route, from permitted callers, gets a status below 500", async () => {
    const app = await listenTestApp();
    const errors = errorsLogged(app);
    const agent = await app.registerAgent("agent-1");
    const key = await app.apiKey("owner");
    const bearerOf = ({ access }: RouteSpec) => (access === "agent" ? agent.agentToken : key);
    const calls = Object.values<RouteSpec>(routes).flatMap((spec) =>
      [spec.path, ...(spec.aliases ?? [])].map((path) => ({ ...spec, path })),
    );
    const value = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom("0", "1", "-1", "", "null"),
    );
    const query = fc.dictionary(fc.constantFrom("page", "limit", "held", "q", "from"), value, {
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...calls),
        // `.` and `..` as ids would change the path.
        segment.filter((id) => !/^\.{1,2}$/.test(id)),
        query,
        bodyLike(),
        async (spec, id, fields, content) => {
          const path = spec.path.replaceAll(":agentId", agent.agentId).replace(/:\w+/g, id || "x");
          const text = new URLSearchParams({ ...fields, wait: "0" }).toString();
          const answer = await app.request(spec.method, `${path}?${text}`, {
            bearer: bearerOf(spec),
            ...(spec.method === "GET" ? {} : { body: content }),
          });
          // PostgreSQL does not support backups.
          if (answer.status === 501 && isChosen()) return;
          expect(answer.status).toBeLessThan(500);
        },
      ),
      { numRuns: size(15, 400) },
    );
    expect(errors).toEqual([]);
    await isWell(app);
  });

  /** Generates random JSON, often with the names of known fields. */
  function bodyLike() {
    const names = ["agent", "code", "mode", "services", "name", "version", "success", "output"];
    const known = fc.constantFrom(...names, "error", "payload", "health", "expiresAt", "role");
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom("a", 1, true)),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(known, tie("node"), { maxKeys: 6, noNullPrototype: true }),
      ),
    }));
    return node.map((value) => JSON.stringify(value));
  }
});
