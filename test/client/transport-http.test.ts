// Calls over real connections.

import type { IncomingMessage } from "node:http";
import { createServer as createNetServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { type HttpTransportOptions, httpTransport } from "../../src/client/transport-http.ts";
import { Unreachable } from "../../src/client/unreachable.ts";
import { closedPort, listen, serveHttp } from "../helpers/http/listen.ts";

function connected(options: Partial<HttpTransportOptions> & { url: string }): Client {
  const client = createClient(httpTransport({ userAgent: "test/1", ...options }));
  onTestFinished(() => client.close());
  return client;
}

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Starts a server that records requests and responds with success. */
async function listener(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const url = await serveHttp(async (request, response) => {
    const { method, url, headers } = request;
    const body = (await request.toArray()).join("");
    received.push({ method, url, headers, body });
    response.end('{"success":true,"data":{}}');
  });
  return { url, received };
}

/** Starts a server that calls `onRequest` for each connection when its first data arrives. */
async function socketServer(onRequest: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createNetServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => onRequest(socket));
  });
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${port}`;
}

describe("requests on the wire", () => {
  test("a session is sent as a cookie, with its CSRF token for changes", async () => {
    const { url, received } = await listener();
    const client = connected({ url, session: { cookie: "platform_session=a", csrfToken: "b" } });
    await client.call("auth.me");
    await client.call("auth.logout");
    await client.request({ method: "GET", path: "/x" });
    await client.request({ method: "DELETE", path: "/x" });
    const sent = received.map(({ headers }) => [headers.cookie, headers["x-csrf-token"]]);
    const reading = ["platform_session=a", undefined];
    const writing = ["platform_session=a", "b"];
    expect(sent).toEqual([reading, writing, reading, writing]);
    expect(received.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill(undefined));
  });

  test("with a bearer token, no cookie is sent", async () => {
    const { url, received } = await listener();
    const session = { cookie: "platform_session=a", csrfToken: "b" };
    await connected({ url, bearer: "secret", session }).call("auth.logout");
    expect(received).toMatchObject([{ headers: { authorization: "Bearer secret" }, body: "{}" }]);
    expect(received[0]?.headers).not.toHaveProperty("cookie");
    expect(received[0]?.headers).not.toHaveProperty("x-csrf-token");
  });

  test("a raw request has its method, path and unchanged body", async () => {
    const { url, received } = await listener();
    const client = connected({ url: `${url}/below/`, bearer: "secret" });
    const answer = await client.request({ method: "PUT", path: "/a?b=c", body: '{ "d": 1 }' });
    expect(answer.status).toBe(200);
    const headers = { "content-type": "application/json", authorization: "Bearer secret" };
    expect(received).toMatchObject([
      { method: "PUT", url: "/below/a?b=c", body: '{ "d": 1 }', headers },
    ]);
  });

  test.each([
    { id: "cmd_1", path: "cmd_1" },
    { id: "a/b?c#d e%20é", path: "a%2Fb%3Fc%23d%20e%2520%C3%A9" },
  ])("the id '$id' becomes one path segment", async ({ id, path }) => {
    const { url, received } = await listener();
    await connected({ url }).call("commands.get", { params: { commandId: id } });
    expect(received).toMatchObject([
      { method: "GET", url: `/api/admin/commands/${path}`, body: "" },
    ]);
  });

  test.each([
    { query: {}, search: "" },
    { query: { wait: 0, limit: 5 }, search: "?wait=0&limit=5" },
    { query: { held: "" }, search: "?held=" },
    { query: { held: "a,b&c=d +%é", wait: undefined }, search: "?held=a%2Cb%26c%3Dd+%2B%25%C3%A9" },
  ])("the query $query", async ({ query, search }) => {
    const { url, received } = await listener();
    await connected({ url }).call("agent.poll", { query });
    expect(received).toMatchObject([{ url: `/api/agents/commands${search}` }]);
  });

  test("credential, user agent and body are sent, and the path of the URL is kept", async () => {
    const { url, received } = await listener();
    const client = connected({ url: `${url}/behind/a/proxy//`, bearer: "secret" });
    await client.call("registration-tokens.create", { body: { name: "é" } });
    await client.call("system.version");
    expect(received).toMatchObject([
      {
        method: "POST",
        url: "/behind/a/proxy/api/admin/registration-tokens",
        headers: {
          authorization: "Bearer secret",
          "content-type": "application/json",
          "user-agent": "test/1",
        },
        body: '{"name":"é"}',
      },
      { method: "GET", url: "/behind/a/proxy/api/system/version" },
    ]);
    expect(received[1]?.headers).not.toHaveProperty("content-type");
    await connected({ url }).call("system.version");
    expect(received[2]?.headers).not.toHaveProperty("authorization");
  });

  test("the trace shows requests with their outcome, but no credential", async () => {
    const { url } = await listener();
    const lines: string[] = [];
    const trace = (line: string) => void lines.push(line);
    await connected({ url, bearer: "secret", trace }).call("system.version");
    const nowhere = connected({ url: "http://127.0.0.1:1", bearer: "secret", trace });
    await nowhere.call("system.version").catch(() => undefined);
    expect(lines).toEqual([
      `GET ${url}/api/system/version 200 26 characters`,
      expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:1\/api\/system\/version failed: /),
    ]);
    expect(lines.join()).not.toContain("secret");
  });
});

test("a redirect is not followed, because it is not from this API", async () => {
  const url = await serveHttp((_, response) => {
    response.writeHead(301, { location: "/" }).end("moved");
  });
  await expect(connected({ url }).call("system.version")).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: `${url} responded with 301, but the response is not from this API.`,
  });
});

describe("a missing response is Unreachable, with the reason", () => {
  const half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{";

  const lost = /connection lost/;
  const doing = (onRequest: (socket: Socket) => void) => () => socketServer(onRequest);
  const closed = async () => `http://127.0.0.1:${await closedPort()}`;
  const resetAfter = (text: string) => (socket: Socket) =>
    void socket.write(text, () => socket.resetAndDestroy());

  test.each<[name: string, url: () => Promise<string>, reason: RegExp, timeoutMs?: number]>([
    ["no listener", closed, /connection refused/],
    ["no such host", async () => "http://a..b", /host/],
    ["no URL", async () => "nonsense", /Invalid URL/],
    [
      "closed without a response",
      doing((socket) => socket.end()),
      /lost; if it uses HTTPS, try https/,
    ],
    [
      "no HTTPS",
      async () => (await serveHttp(() => undefined)).replace("http:", "https:"),
      /does not use HTTPS; try http:/,
    ],
    ["reset without a response", doing((socket) => socket.resetAndDestroy()), lost],
    ["closed during the response", doing((socket) => socket.end(half)), /connection lost\)/],
    ["reset during the response", doing(resetAfter(half)), lost],
    ["not HTTP", doing((socket) => socket.end("SSH-2.0-OpenSSH\r\n")), /\(Expected HTTP/],
    ["silence", doing(() => undefined), /no response in time/, 50],
    [
      "silence during the response",
      doing((socket) => void socket.write(half)),
      /the response was incomplete/,
      50,
    ],
  ])("%s", async (_, url, reason, timeoutMs) => {
    const target = await url();
    const options = timeoutMs === undefined ? {} : { timeoutMs };
    const call = connected({ url: target }).call("system.version", {}, options);
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Unreachable);
    expect(error).toMatchObject({ target, message: expect.stringMatching(reason) });
    expect((error as Unreachable).message.startsWith(`cannot reach ${target} (`)).toBe(true);
  });
});

describe("a signal ends a call with its reason", () => {
  test("while it waits for the response", async () => {
    const asked = Promise.withResolvers<void>();
    const url = await socketServer(() => asked.resolve());
    const leaving = new AbortController();
    const call = connected({ url }).call("system.version", {}, { signal: leaving.signal });
    await asked.promise;
    const reason = new Error("enough");
    leaving.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("before the call has started, so nothing is sent", async () => {
    const { url, received } = await listener();
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(connected({ url }).call("system.version", {}, { signal })).rejects.toThrow(
      "too late",
    );
    expect(received).toEqual([]);
  });

  test("closing the client ends calls in progress", async () => {
    const asked = Promise.withResolvers<void>();
    const client = connected({ url: await socketServer(() => asked.resolve()) });
    const call = client.call("system.version");
    await asked.promise;
    await Promise.all([expect(call).rejects.toBeInstanceOf(Unreachable), client.close()]);
  });
});
