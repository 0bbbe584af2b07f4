import { once } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { RouteName } from "../../src/api/index.ts";
import { mintToken } from "../../src/domain/access/credentials.ts";
import { sceneIn } from "../core/scene.ts";
import { checkAnswer } from "../helpers/contract.ts";
import {
  type HttpAnswer,
  type ListeningApp,
  listenTestApp,
  refused,
} from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";
import { errorsLogged, listenInSight, openRaw, requestText, sendRaw, statusesIn } from "./raw.ts";

const KiB = 1024;
const registerLine = "POST /api/agents/register HTTP/1.1";
const jsonHead = ["Host: localhost", "Content-Type: application/json"];

type Scene = Awaited<ReturnType<typeof scene>>;

async function scene(env: Record<string, string> = {}) {
  const app = await sceneIn(await listenTestApp(env));
  const key = await app.apiKey("owner");
  // Without this token, the server does not read the body of a registration.
  return { ...app, key, registrationToken: await newToken(app) };
}

async function newToken({ as }: Pick<ListeningApp, "as">): Promise<string> {
  return (await as("operator").call("registration-tokens.create", { body: {} })).token;
}

/** Tests that change nothing share this app. */
const shared = perFile(scene);

/** These routes accept a body. Each row has a permitted caller. */
const posts = {
  "agent.register": { path: "/api/agents/register", as: "newcomer" },
  "agent.heartbeat": { path: "/api/agents/heartbeat", as: "agent" },
  "agent.report": { path: "/api/agents/services", as: "agent" },
  "agent.result": { path: "/api/agents/commands/cmd_1/result", as: "agent" },
  "auth.login": { path: "/api/admin/auth/login", as: "nobody" },
  "registration-tokens.create": { path: "/api/admin/registration-tokens", as: "program" },
  "actions.execute": { path: "/api/admin/capsule-services/svc_1/actions/run", as: "program" },
  "api-keys.create": { path: "/api/admin/api-keys", as: "program" },
} as const satisfies Partial<Record<RouteName, { path: string; as: string }>>;

type PostRoute = keyof typeof posts;

/** Sends these bytes unchanged, with or without a content type. */
async function post(
  { url, agent, key, registrationToken }: Scene,
  route: PostRoute,
  bytes: string | Buffer,
  contentType: string | null = "application/json",
): Promise<HttpAnswer> {
  const { path, as } = posts[route];
  const bearers = {
    nobody: null,
    newcomer: registrationToken,
    agent: agent.agentToken,
    program: key,
  };
  const bearer = bearers[as];
  const answer = await fetch(url + path, {
    method: "POST",
    headers: {
      ...(contentType === null ? {} : { "content-type": contentType }),
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: new Uint8Array(Buffer.from(bytes)),
  });
  const body = await answer.json();
  checkAnswer(route, answer.status, body);
  return { status: answer.status, headers: answer.headers, body };
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
}

// test/lib/json/strict-json.test.ts tests what strict JSON is.
describe("a body that is not strict JSON is 400 INVALID_JSON", () => {
  test.each<[name: string, bytes: string | Buffer, says: string]>([
    ["incomplete", "{", "not valid JSON"],
    ["a lone byte ff", Buffer.from('{"a":"\xff"}', "latin1"), "not UTF-8"],
    ["33 levels", nested(33), "deeper than 32 levels"],
    ["a key twice", '{"timestamp":1,"timestamp":2}', '"timestamp" twice'],
  ])("%s", async (_, bytes, says) => {
    const answer = await post(shared(), "agent.heartbeat", bytes);
    expect(answer).toMatchObject(refused(400, "INVALID_JSON"));
    expect(answer.body.error.message).toContain(says);
  });

  const rounded = '{"payload":{"order":12345678901234567890}}';

  test("a number that would be rounded, if an operator sends it", async () => {
    const answer = await post(shared(), "actions.execute", rounded);
    expect(answer).toMatchObject(refused(400, "INVALID_JSON"));
    expect(answer.body.error.message).toBe(
      "In the body, the number at /payload/order is too large: whole numbers above 9007199254740991 would be rounded.",
    );
  });

  test("an agent's numbers may be rounded", async () => {
    expect(await post(shared(), "agent.heartbeat", rounded)).toMatchObject({ status: 200 });
  });

  test("unknown fields are accepted", async () => {
    const bytes = '{"new":{"in":["a","later","version"]},"constructor":1}';
    expect(await post(shared(), "agent.heartbeat", bytes)).toMatchObject({ status: 200 });
  });
});

describe("the content type must be JSON", () => {
  test.each([
    ['Application/JSON;charset="UTF-8"', 200],
    ["application/cloudevents+json; charset=utf-8", 200],
    ["text/plain", 415],
    ["application/xml, application/json", 415],
    [null, 415],
  ])("%s → %i", async (contentType, status) => {
    const answer = await post(shared(), "agent.heartbeat", "{}", contentType);
    expect(answer.status).toBe(status);
    if (status === 415) expect(answer.body.error.code).toBe("UNSUPPORTED_MEDIA_TYPE");
  });

  test("an empty body needs no content type, and is invalid if the route needs one", async () => {
    expect(await post(shared(), "agent.heartbeat", "", null)).toMatchObject({ status: 200 });
    expect(await post(shared(), "agent.register", "", null)).toMatchObject({ status: 422 });
  });
});

describe("an invalid body is 422 VALIDATION_FAILED with the path of the error", () => {
  const agent = { code: "agent-2", mode: "sidecar" };
  const service = { code: "s", name: "S", version: "1" };
  const many = (count: number, make: (index: number) => object) =>
    Array.from({ length: count }, (_, index) => make(index));
  const withActions = (...actions: object[]) => ({ services: [{ ...service, actions }] });
  const withConfigs = (...configs: object[]) => ({ services: [{ ...service, configs }] });
  const tooLarge = { title: "x".repeat(64 * KiB) };

  const invalid: Partial<Record<PostRoute, [path: string, body: unknown][]>> = {
    "agent.register": [
      ["agent", {}],
      ["agent.code", { agent: { ...agent, code: "a b" } }],
      ["agent.mode", { agent: { ...agent, mode: "Side Car" } }],
      ["agent.labels.a", { agent: { ...agent, labels: { a: 1 } } }],
      ["registrationToken", { agent, registrationToken: 5 }],
      ["service.code", { agent, service: {} }],
      ["services", { agent, services: {} }],
    ],
    "agent.heartbeat": [
      ["timestamp", { timestamp: "2026-13-01T00:00:00Z" }],
      ["health.0.serviceCode", { health: [{ healthStatus: "UP" }] }],
    ],
    "agent.report": [
      ["services", {}],
      ["services.1", { services: [service, 5] }],
      ["services.1.code", { services: [service, service] }],
      ["services", { services: many(257, (n) => ({ ...service, code: `s${n}` })) }],
      ["services.0.actions", withActions(...many(257, (n) => ({ name: `a${n}` })))],
      ["services.0.configs", withConfigs(...many(513, (n) => ({ key: `k${n}`, type: "string" })))],
      ["services.0.actions.0.name", withActions({ name: "a/b" })],
      ["services.0.actions.0.dangerLevel", withActions({ name: "a", dangerLevel: "high" })],
      ["services.0.actions.0.timeoutSeconds", withActions({ name: "a", timeoutSeconds: 0 })],
      ["services.0.actions.0.inputSchema", withActions({ name: "a", inputSchema: [] })],
      ["services.0.actions.0.inputSchema", withActions({ name: "a", inputSchema: tooLarge })],
      ["services.0.actions", withActions({ name: "a" }, { name: "a" })],
      [
        "services.0.configs.0.sensitive",
        withConfigs({ key: "k", type: "string", sensitive: "no" }),
      ],
    ],
    "agent.result": [
      ["success", { success: "true" }],
      ["error", { success: false, error: "it broke" }],
      ["error.code", { success: false, error: { code: 5 } }],
    ],
    "auth.login": [
      ["password", { username: "admin" }],
      ["username", { username: ["admin"], password: "x" }],
      ["password", { username: "admin", password: "x".repeat(513) }],
    ],
    "registration-tokens.create": [
      ["expiresInSeconds", { expiresInSeconds: -1 }],
      ["expiresAt", { expiresAt: "2020-01-01T00:00:00Z" }],
      ["expiresAt", { expiresAt: null, expiresInSeconds: 5 }],
    ],
    "actions.execute": [
      ["payload", { payload: [] }],
      ["confirmation", { confirmation: "yes" }],
    ],
    "api-keys.create": [["role", { name: "x", role: "root" }]],
  };

  test.each(
    (Object.keys(invalid) as PostRoute[]).flatMap((route) =>
      (invalid[route] ?? []).map(([path, body]) => ({ route, path, body })),
    ),
  )("$route: $path", async ({ route, body, path }) => {
    const answer = await post(shared(), route, JSON.stringify(body));
    expect(answer).toMatchObject(refused(422, "VALIDATION_FAILED"));
    expect(answer.body.error.details.issues).toContainEqual({ path, message: expect.any(String) });
  });

  test.each(["null", "[]"])("a body of %s, on every route that accepts one", async (bytes) => {
    const own = shared();
    for (const route of Object.keys(posts) as PostRoute[]) {
      const { status } = await post(own, route, bytes);
      expect({ route, status }).toEqual({ route, status: 422 });
    }
  });

  test("a report at its limits is accepted", async () => {
    const fullSchema = { title: "x".repeat(64 * KiB - '{"title":""}'.length) };
    const services = [
      {
        ...service,
        configs: many(512, (n) => ({ key: `k${n}`, type: "string" })),
        actions: [
          ...many(255, (n) => ({ name: `a${n}` })),
          { name: "full", inputSchema: fullSchema },
        ],
      },
      ...many(255, (n) => ({ ...service, code: `s${n}` })),
    ];
    const own = await scene();
    const answer = await post(own, "agent.report", JSON.stringify({ services }));
    expect(answer.status).toBe(200);
    expect(answer.body.data.services).toHaveLength(256);
  });
});

describe("each route has a limit for its body", () => {
  const limited = perFile(scene);

  test.each<[route: PostRoute, limit: number, body: object, status: number, code?: string]>([
    ["agent.register", 512 * KiB, { agent: { code: "a", mode: "m" } }, 201],
    ["agent.heartbeat", 64 * KiB, {}, 200],
    ["agent.report", 1024 * KiB, { services: [] }, 200],
    ["agent.result", 1_000_000 + KiB, { success: true }, 404, "COMMAND_RESULT_TOO_LARGE"],
    ["auth.login", 16 * KiB, { username: "a", password: "b" }, 401],
    ["registration-tokens.create", 256 * KiB, {}, 201],
    ["actions.execute", 256 * KiB, {}, 404],
  ])("%s: %i bytes", async (route, limit, body, status, code = "PAYLOAD_TOO_LARGE") => {
    const own = limited();
    const full = JSON.stringify(body).padEnd(limit);
    expect(await post(own, route, full)).toMatchObject({ status });
    const answer = await post(own, route, `${full} `);
    expect(answer).toMatchObject(refused(413, code));
    expect(answer.headers.get("connection")).toBe("close");
  });

  const megabytes = 5;
  const piece = "x".repeat(1_000_000);

  test.each([
    { name: "announced", headers: [`Content-Length: ${megabytes * 1_000_000}`], chunk: piece },
    { name: "in chunks", headers: ["Transfer-Encoding: chunked"], chunk: `f4240\r\n${piece}\r\n` },
  ])("a body over the limit is not read: $name", async ({ headers, chunk }) => {
    const { server, port } = await listenInSight(limited());
    const connected = once(server, "connection");
    const { socket, ended } = openRaw(port);
    socket.write(requestText(registerLine, [...jsonHead, ...headers]));
    for (let sent = 0; sent < megabytes; sent++) socket.write(chunk);
    const answer = await ended;
    expect(statusesIn(answer)).toEqual([413]);
    const [accepted] = await connected;
    await vi.waitFor(() => expect(accepted.destroyed).toBe(true), 60_000);
    expect(accepted.bytesRead).toBeLessThan(2_000_000);
  });

  test("a client that is still sending receives the response before the connection closes", async () => {
    const { server, port } = await listenInSight(limited());
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const connected = once(server, "connection");
    const { socket, ended, until } = openRaw(port);
    socket.write(requestText(registerLine, [...jsonHead, "Content-Length: 2000000"], "{"));
    await until('"requestId"');
    expect((await connected)[0].destroyed).toBe(false);
    vi.runAllTimers();
    expect(statusesIn(await ended)).toEqual([413]);
  });
});

test("a result that is too large is counted, and the command accepts a smaller result", async () => {
  const own = await scene({ COMMAND_RESULT_MAX_BYTES: "2048" });
  const { agent, app, request } = own;
  const commandId = await own.execute();
  await own.poll();
  const path = `/api/agents/commands/${commandId}/result`;
  const send = (size: number) =>
    request("POST", path, {
      bearer: agent.agentToken,
      body: { success: true, output: "x".repeat(size) },
    });

  expect(await send(4000)).toMatchObject({
    status: 413,
    body: { error: { code: "COMMAND_RESULT_TOO_LARGE", details: { maxBytes: 2048 } } },
  });
  expect(app.core.counters.take().values.get("oversizedCommandResultsRejected")).toBe(1);
  expect(await own.get(commandId)).toMatchObject({ status: "RUNNING", result: null });
  expect(await send(2000)).toMatchObject({ status: 200, body: { data: { status: "SUCCEEDED" } } });
});

test("a result with too many values is refused in the same way", async () => {
  const own = await scene();
  const commandId = await own.execute();
  await own.poll();
  const body = { success: true, output: Array(300_000).fill({}) };
  const sent = { bearer: own.agent.agentToken, body };
  const answer = await own.request("POST", `/api/agents/commands/${commandId}/result`, sent);
  const details = { maxBytes: 1_000_000, maxParts: 200_204 };
  expect(answer).toMatchObject({
    status: 413,
    body: { error: { code: "COMMAND_RESULT_TOO_LARGE", details } },
  });
  const counts = own.app.core.counters.take().values;
  expect(counts.get("oversizedCommandResultsRejected")).toBe(1);
  expect(await own.get(commandId)).toMatchObject({ status: "RUNNING", result: null });
});

describe("an incomplete body stores nothing and logs no error", () => {
  const body = JSON.stringify({ agent: { code: "half", mode: "sidecar" } });

  test.each([
    { name: "the socket is reset", announced: body.length, sent: body.slice(0, -1), end: "reset" },
    { name: "the length is wrong", announced: body.length + 100, sent: body, end: "close" },
  ])("$name", async ({ announced, sent, end }) => {
    const own = await scene();
    const token = own.registrationToken;
    const { server, port } = await listenInSight(own);
    const errors = errorsLogged(own);
    const arrived = once(server, "request");
    const left = new Promise<void>((resolve) =>
      server.once("connection", (accepted) => accepted.once("close", resolve)),
    );
    const { socket, ended } = openRaw(port);
    const headers = [...jsonHead, `Authorization: Bearer ${token}`, `Content-Length: ${announced}`];
    socket.write(requestText(registerLine, headers, sent));
    await arrived;
    if (end === "reset") socket.resetAndDestroy();
    else socket.end();
    await left;
    expect(statusesIn(await ended)).toEqual(end === "reset" ? [] : [400]);

    const agents = await own.as("viewer").page("agents.list");
    expect(agents.pagination.total).toBe(1);
    expect(errors).toEqual([]);
    expect((await own.request("GET", "/api/system/health")).status).toBe(200);
    const registered = await own.request("POST", "/api/agents/register", {
      bearer: token,
      body,
    });
    expect(registered.status).toBe(201);
  });

  test("if the length is too short, the rest is treated as an invalid second request", async () => {
    const { port } = await scene();
    const text = requestText(registerLine, [...jsonHead, "Content-Length: 2"], `{}${body}`);
    const answer = await sendRaw(port, text);
    expect(statusesIn(answer).at(-1)).toBe(400);
  });
});

describe("an unknown path is 404, and a wrong method is 405 with Allow", () => {
  test.each([
    "/api/",
    "/api/agents/heartbeat/",
    "/api/Agents/heartbeat",
    "/api/agents/commands/%2e%2e/none",
    "/api/admin/agents/%ff",
    `/api/admin/agents/${"a".repeat(201)}`,
    "//",
    "/%00",
  ])("%s", async (path) => {
    const { request, key } = shared();
    const answer = await request("GET", path, { bearer: key });
    expect(answer).toMatchObject(refused(404, "NOT_FOUND"));
  });

  test.each(["a%00b", "%F0%9F%98%80", "%2F", "'%20OR%201=1", "a".repeat(200)])(
    "the id %s is not found",
    async (id) => {
      const { request, key } = shared();
      const path = `/api/admin/agents/${id}`;
      const answer = await request("GET", path, { bearer: key });
      expect(answer).toMatchObject(refused(404, "AGENT_NOT_FOUND"));
    },
  );

  test.each([
    ["GET", "/api/agents/heartbeat", "POST"],
    ["POST", "/api/system/health", "GET"],
    ["OPTIONS", "/api/system/health", "GET"],
    ["PATCH", "/api/admin/capsule-services/svc_1/actions/run", "GET, POST"],
  ])("%s %s", async (method, path, allow) => {
    const answer = await shared().request(method, path);
    expect(answer).toMatchObject(refused(405, "METHOD_NOT_ALLOWED"));
    const allowed = answer.headers.get("allow")?.split(", ");
    expect(allowed).toEqual(expect.arrayContaining(allow.split(", ")));
  });

  test("HEAD responds as GET does, without the body", async () => {
    const { request } = shared();
    const path = "/api/system/version";
    const [head, get] = [await request("HEAD", path), await request("GET", path)];
    expect(head).toMatchObject({ status: 200, body: null });
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(50);
    // fetch sets its own connection headers.
    const names = ({ headers }: HttpAnswer) =>
      [...headers.keys()].filter((name) => !/^(connection|keep-alive)$/.test(name));
    expect(names(head)).toEqual(names(get));
  });

  test("HEAD is refused for routes whose GET can have effects", async () => {
    const { agent, key, request } = await scene();
    for (const [path, bearer] of [
      ["/api/agents/commands?wait=0", agent.agentToken],
      ["/api/admin/agents", key],
    ] as const) {
      const answer = await request("HEAD", path, { bearer });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")?.split(", ")).toContain("GET");
    }
  });
});

describe("an invalid credential is a 401 with the reason", () => {
  const unknown = (kind: "agent" | "registration" | "apiKey") =>
    `Bearer ${mintToken(kind, (bytes) => bytes.fill(7))}`;
  const agentPath = "/api/agents/commands?wait=0";
  type Header = (scene: Scene) => string | null;

  test.each<[name: string, header: Header, says: RegExp]>([
    ["agent: none", () => null, /requires an agent token/],
    ["agent: another scheme", () => "Basic YTpi", /must be: Bearer/],
    ["agent: no token after Bearer", () => "Bearer", /must be: Bearer/],
    ["agent: no scheme", ({ agent }) => agent.agentToken, /must be: Bearer/],
    ["agent: garbage", () => "Bearer abc", /mistyped or cut/],
    ["agent: mistyped", ({ agent }) => bearer(mistyped(agent.agentToken)), /mistyped or cut/],
    ["agent: unknown", () => unknown("agent"), /not known to this server/],
    ["agent: a registration token", () => unknown("registration"), /not a registration token/],
    ["agent: an API key", ({ key }) => bearer(key), /not an API key/],
    ["admin: none", () => null, /requires a session .* or an API key/],
    ["admin: garbage", () => "Bearer abc", /not an API key/],
    ["admin: mistyped", ({ key }) => bearer(mistyped(key)), /mistyped or cut/],
    ["admin: unknown", () => unknown("apiKey"), /not known to this server/],
    ["admin: an agent token", ({ agent }) => bearer(agent.agentToken), /not an agent token/],
    ["admin: a registration token", () => unknown("registration"), /not a registration token/],
  ])("%s", async (name, header, says) => {
    const path = name.startsWith("agent") ? agentPath : "/api/admin/agents";
    const own = shared();
    const authorization = header(own);
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    const answer = await own.request("GET", path, { headers });
    expect(answer).toMatchObject(refused(401, "UNAUTHORIZED"));
    expect(answer.body.error.message).toMatch(says);
  });

  test("the authentication scheme may be written in any case", async () => {
    const { agent, request } = await scene();
    const headers = { authorization: `bearer  ${agent.agentToken}` };
    expect((await request("GET", agentPath, { headers })).status).toBe(200);
  });
});

function bearer(token: string): string {
  return `Bearer ${token}`;
}

function mistyped(token: string): string {
  const at = token.length - 10;
  return token.slice(0, at) + (token[at] === "a" ? "b" : "a") + token.slice(at + 1);
}

describe("an agent cannot act for another agent", () => {
  test.each([
    ["POST", "/heartbeat"],
    ["GET", "/commands"],
    ["POST", "/commands/cmd_1/result"],
  ])("%s /api/agents/:other%s is 403", async (method, path) => {
    const { agent, request } = shared();
    const answer = await request(method, `/api/agents/agt_none${path}`, {
      bearer: agent.agentToken,
    });
    expect(answer).toMatchObject(refused(403, "FORBIDDEN"));
  });

  test("an agentId in the body must be the agent's own", async () => {
    const { agent, registerAgent, request } = await scene();
    const other = await registerAgent("agent-2");
    const report = (agentId: string) =>
      request("POST", "/api/agents/services", {
        bearer: agent.agentToken,
        body: { agentId, services: [] },
      });
    expect(await report(other.agentId)).toMatchObject(refused(403, "FORBIDDEN"));
    expect(await report(agent.agentId)).toMatchObject({ status: 200 });
  });
});

describe("registration tokens", () => {
  const agent = { code: "agent-2", mode: "sidecar" };

  test.each<[name: string, token: (scene: Scene) => string | undefined, says: RegExp]>([
    ["none", () => undefined, /is required/],
    ["a mistyped one", (own) => mistyped(own.registrationToken), /mistyped/],
    ["an agent token", (own) => own.agent.agentToken, /registration token/],
  ])("%s is refused with the reason", async (_, token, says) => {
    const bearer = token(shared());
    const options = { body: { agent }, ...(bearer === undefined ? {} : { bearer }) };
    const answer = await shared().request("POST", "/api/agents/register", options);
    expect(answer).toMatchObject(refused(401, "REGISTRATION_TOKEN_INVALID"));
    expect(answer.body.error.message).toMatch(says);
  });

  test("the header and the body can have the same token, but not different tokens", async () => {
    const { as, request, registrationToken: token } = await scene();
    const another = await newToken({ as });
    const register = (registrationToken: string) =>
      request("POST", "/api/agents/register", {
        bearer: token,
        body: { agent, registrationToken },
      });
    expect(await register(another)).toMatchObject(refused(400, "INVALID_REQUEST"));
    expect(await register(token)).toMatchObject({ status: 201 });
    const again = await register(token);
    expect(again).toMatchObject(refused(409, "REGISTRATION_TOKEN_USED"));
    expect(again.body.error.message).toContain("has been used");
  });

  test("a header that is not a bearer token is 401, even with a valid token in the body", async () => {
    const { request, registrationToken: token } = await scene();
    const answer = await request("POST", "/api/agents/register", {
      headers: { authorization: "Basic YTpi" },
      body: { agent, registrationToken: token },
    });
    expect(answer).toMatchObject(refused(401, "UNAUTHORIZED"));
  });
});

describe("an invalid query is a 422 that names the parameter", () => {
  const invalid: Record<string, Record<string, string[]>> = {
    "/api/agents/commands": {
      wait: ["-1", "", "0x1", "61", "0&wait=60"],
      limit: ["0&wait=0", "11&wait=0"],
      held: ["cmd_1&held=cmd_2", "c".repeat(3101)],
    },
    "/api/admin/agents": {
      page: ["0", "0x10", "", "1&page=2", "9999999"],
      pageSize: ["0", "201"],
      status: ["online", "ONLINE,"],
      label: ["", ":x", "site:x&label=tier"],
      mode: ["a&mode=b"],
      q: ["", "a&q=b"],
      unknown: ["1"],
      ["__proto__"]: ["1"],
      "page[]": ["5"],
    },
    "/api/admin/commands": {
      from: ["yesterday"],
      to: ["2026-01-02"],
      type: ["ACTION"],
    },
    "/api/admin/commands/cmd_1": { wait: ["61"] },
    "/api/admin/audit-events": { result: ["maybe"] },
    "/api/admin/users": { rol: ["owner"], status: ["ACTIVE,GONE"] },
    "/api/admin/api-keys": { status: ["OLD"] },
  };
  const cases = Object.entries(invalid).flatMap(([path, names]) =>
    Object.entries(names).flatMap(([name, values]) =>
      values.map((value) => ({ path, name, value })),
    ),
  );

  test.each(cases)("$path?$name=$value", async ({ path, name, value }) => {
    const { agent, key, request } = shared();
    const bearer = path.startsWith("/api/agents") ? agent.agentToken : key;
    const answer = await request("GET", `${path}?${name}=${value}`, { bearer });
    expect(answer).toMatchObject(refused(422, "VALIDATION_FAILED"));
    expect(answer.body.error.details.issues).toMatchObject([{ path: name }]);
  });

  test("the message for an invalid number names the allowed range", async () => {
    const { key, request } = shared();
    const { body } = await request("GET", "/api/admin/agents?page=0x10", { bearer: key });
    const message = "must be a whole number from 1 to 1000000";
    expect(body.error.details.issues).toEqual([{ path: "page", message }]);
  });

  test.each([
    "/api/admin/agents?q=%ff",
    "/api/admin/agents?q=%00",
    "/api/admin/agents?q=%25_%27",
    "/api/admin/agents?pageSize=200&page=1000000",
    "/api/admin/agents?",
    "/api/admin/agents?&&=&",
  ])("%s is unusual but valid", async (path) => {
    const { key, request } = shared();
    expect((await request("GET", path, { bearer: key })).status).toBe(200);
  });
});
