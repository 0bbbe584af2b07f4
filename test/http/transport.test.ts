import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import { connect } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createHttpServer } from "../../src/http/server.ts";
import { openTestApp } from "../helpers/app.ts";
import { addUser, listenTestApp, password } from "../helpers/http/http.ts";
import { ca, certificatePair, sendHttps } from "../helpers/http/https.ts";
import { listen } from "../helpers/http/listen.ts";
import { openRaw, requestText, sendRaw, statusesIn } from "./raw.ts";

const body = { username: "owner", password };
const login = "/api/admin/auth/login";
const me = "/api/admin/auth/me";
const version = "/api/system/version";

/** The app has an owner. */
async function listenTls(env: Record<string, string> = {}) {
  const test = openTestApp(env);
  await addUser(test, "owner");
  const http = createHttpServer({ ...test.app.httpOptions, tls: certificatePair("first") });
  const port = await listen(http.server);
  onTestFinished(async () => {
    http.server.closeAllConnections();
    await http.close();
  });
  return { ...http, port, url: `https://127.0.0.1:${port}` };
}

const plain = /^platform_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/;
const secure = /^__Host-platform_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Secure$/;
const hsts = "max-age=31536000";

describe("over HTTP", () => {
  const https = { "x-forwarded-proto": "https" };
  const trusting = { TRUST_PROXY: "loopback" };
  const published = { PUBLIC_URL: "https://agents.example.com" };
  type Texts = Record<string, string>;

  test.each<[name: string, env: Texts, headers: Texts, cookie: RegExp, hsts: string | null]>([
    ["directly", {}, {}, plain, null],
    ["an untrusted proxy", {}, https, plain, null],
    ["a trusted proxy with HTTPS", trusting, https, secure, hsts],
    ["a public HTTPS address", published, {}, secure, null],
    ["a public HTTP address", { PUBLIC_URL: "http://agents.example.com" }, {}, plain, null],
  ])("%s", async (_, env, headers, cookie, hsts) => {
    const app = await listenTestApp(env);
    await addUser(app, "owner");
    const answer = await app.request("POST", login, { headers, body });
    expect(answer.headers.get("set-cookie")).toMatch(cookie);
    expect(answer.headers.get("strict-transport-security")).toBe(hsts);

    const session = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const signedIn = { ...headers, cookie: session, "x-csrf-token": answer.body.data.csrfToken };
    expect((await app.request("GET", me, { headers: signedIn })).status).toBe(200);
    const out = await app.request("POST", "/api/admin/auth/logout", { headers: signedIn });
    const [name] = session.split("=");
    expect(out.headers.get("set-cookie")).toMatch(new RegExp(`^${name}=; .*Max-Age=0$`));
  });

  test("HTTP and HTTPS have separate cookies", async () => {
    const app = await listenTestApp(trusting);
    await addUser(app, "owner");
    const sessionOf = async (headers: Record<string, string>) =>
      (await app.request("POST", login, { headers, body })).headers
        .get("set-cookie")
        ?.split(";")[0];
    const cookies = { http: await sessionOf({}), https: await sessionOf(https) };
    const statusOf = async (cookie: string | undefined, headers: Record<string, string>) =>
      (await app.request("GET", me, { headers: { ...headers, cookie: cookie ?? "" } })).status;
    expect(await statusOf(cookies.https, https)).toBe(200);
    expect(await statusOf(cookies.http, https)).toBe(401);
    expect(await statusOf(cookies.https, {})).toBe(401);
    expect(await statusOf(cookies.http, {})).toBe(200);
  });
});

describe("over TLS", () => {
  test("the cookie is secure, and every response has Strict-Transport-Security", async () => {
    const { url } = await listenTls();
    const answer = await sendHttps(url, "POST", login, { body });
    expect(answer.headers["set-cookie"]).toEqual([expect.stringMatching(secure)]);
    for (const { path, method, status } of [
      { method: "GET", path: version, status: 200 },
      { method: "GET", path: "/api/nothing", status: 404 },
      { method: "GET", path: me, status: 401 },
      { method: "POST", path: login, status: 422 },
    ]) {
      const { headers, ...rest } = await sendHttps(url, method, path);
      expect(rest.status).toBe(status);
      expect(headers["strict-transport-security"]).toBe(hsts);
    }
    const foreign = await sendHttps(url, "GET", version, { headers: { host: "evil.example" } });
    expect(foreign).toMatchObject({ status: 421 });
    expect(foreign.headers["strict-transport-security"]).toBe(hsts);
  });

  test("X-Forwarded-Proto: http has no effect", async () => {
    const { url } = await listenTls({ TRUST_PROXY: "loopback" });
    const headers = { "x-forwarded-proto": "http" };
    const answer = await sendHttps(url, "POST", login, { headers, body });
    expect(answer.headers["set-cookie"]).toEqual([expect.stringMatching(secure)]);
  });

  test.each<["TLSv1.1" | "TLSv1.2", boolean]>([
    ["TLSv1.1", false],
    ["TLSv1.2", true],
  ])("%s: %s", async (protocol, spoken) => {
    const { port } = await listenTls();
    const only = { minVersion: protocol, maxVersion: protocol, ciphers: "DEFAULT@SECLEVEL=0" };
    const ended = await new Promise<string | null>((resolve) => {
      const socket = connect({ port, host: "127.0.0.1", ca, ...only });
      socket.on("error", () => resolve(null));
      socket.on("secureConnect", () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
    });
    expect(ended).toBe(spoken ? protocol : null);
  });

  test("garbage over TLS gets a response, and plain HTTP gets none", async () => {
    const { port, url } = await listenTls();
    const { socket, ended } = openRaw(port, connect({ port, host: "127.0.0.1", ca }));
    socket.write("garbage\r\n\r\n");
    const answer = await ended;
    expect(statusesIn(answer)).toEqual([400]);
    expect(answer).toContain(`Strict-Transport-Security: ${hsts}\r\n`);

    const plain = await sendRaw(port, requestText(`GET ${version} HTTP/1.1`, ["Host: localhost"]));
    expect(statusesIn(plain)).toEqual([]);
    expect((await sendHttps(url, "GET", version)).status).toBe(200);
  });

  test("a connection is known even if its addresses and ports are unknown", async () => {
    const { port, server } = await listenTls();
    server.prependListener("secureConnection", (socket: Socket) => {
      // As after a reset.
      for (const name of ["remoteAddress", "remotePort", "localAddress", "localPort"]) {
        Object.defineProperty(socket, name, { value: undefined });
      }
    });
    const { socket, until } = openRaw(port, connect({ port, host: "127.0.0.1", ca }));
    socket.write(requestText(`GET ${version} HTTP/1.1`, ["Host: localhost"]));
    await until("200 OK");
  });

  test("a new certificate applies to new connections, and open connections continue", async () => {
    const { url, useCertificate } = await listenTls();
    const agent = new HttpsAgent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0, ca });
    onTestFinished(() => agent.destroy());
    const ask = () => sendHttps(url, "GET", version, { agent });
    expect((await ask()).status).toBe(200);
    const [open] = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    expect(await nameShown(url)).toBe("first");
    useCertificate(certificatePair("second"));
    expect(await nameShown(url)).toBe("second");
    expect((await ask()).status).toBe(200);
    expect(Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])).toEqual([open]);
  });
});

/** Returns the name in the certificate of a new connection. */
function nameShown(url: string): Promise<unknown> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), ca }, () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

describe("the client's address", () => {
  const failed = { query: { action: "session.login.failed" } };
  const wrong = { username: "owner", password: "wrong" };

  test.each<{ name: string; env?: Record<string, string>; ip: string }>([
    { name: "no proxy is trusted", ip: "127.0.0.1" },
    { name: "the proxy is trusted", env: { TRUST_PROXY: "loopback" }, ip: "192.0.2.7" },
  ])("the client's address in the audit trail is $ip when $name", async ({ env, ip }) => {
    const app = await listenTestApp(env);
    const headers = { "x-forwarded-for": "198.51.100.1, 192.0.2.7" };
    await app.request("POST", login, { headers, body: wrong });
    const { data } = await app.as("owner").page("audit-events.list", failed);
    expect(data).toMatchObject([{ ip }]);
  });

  test("identifies failed registrations", async () => {
    const app = await listenTestApp({ TRUST_PROXY: "loopback" });
    const token = { registrationToken: "platform_reg_x", agent: { code: "a", mode: "sidecar" } };
    const statusFrom = async (ip: string) => {
      const headers = { "x-forwarded-for": ip };
      return (await app.request("POST", "/api/agents/register", { headers, body: token })).status;
    };
    for (let failure = 0; failure < 60; failure++) await statusFrom("192.0.2.7");
    expect(await statusFrom("192.0.2.7")).toBe(429);
    expect(await statusFrom("192.0.2.8")).toBe(401);
  });
});

test("the reads of a request count for its credential", async () => {
  const app = await listenTestApp();
  const created = { name: "a program", role: "viewer" } as const;
  const { id, key } = await app.as("owner").call("api-keys.create", { body: created });
  const opened = vi.spyOn(app.app.core.db, "bulkReader");
  await app.request("GET", "/api/admin/agents", { bearer: key });
  expect(opened.mock.calls[0]?.[0]).toMatchObject({ credential: id });
});
