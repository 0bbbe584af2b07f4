// Requests that are wrong in every way a program can get them wrong: each gets its own status and
// code, and changes nothing. Limits are tried on both sides.

import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { RouteName } from "../../src/api/index.ts";
import { mintToken } from "../../src/domain/credentials.ts";
import type { TestAgent } from "../helpers/app.ts";
import { checkAnswer } from "../helpers/contract.ts";
import { type HttpAnswer, type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";
import { errorsLogged, listenInSight, openRaw, requestText, sendRaw, statusesIn } from "./raw.ts";

const KiB = 1024;
const collector = {
  code: "log-collector",
  name: "Log collector",
  version: "1.0.0",
  healthStatus: "UP",
  actions: [{ name: "rotate-log" }],
};

interface Scene extends ListeningApp {
  agent: TestAgent;
  /** The key of a program with the role owner. */
  apiKey: string;
  /** One that is not used: without it nobody looks at the body of a registration. */
  registrationToken: string;
}

/** One agent with one service, over HTTP. */
async function scene(env: Record<string, string> = {}): Promise<Scene> {
  const app = await listenTestApp(env);
  const agent = await app.registerAgent("agent-1", [collector]);
  const body = { name: "a program", role: "owner" } as const;
  const { key } = await app.as("owner").call("api-keys.create", { body });
  const { token } = await app.as("owner").call("registration-tokens.create", { body: {} });
  return { ...app, agent, apiKey: key, registrationToken: token };
}

/** For what changes nothing. */
const shared = perFile(scene);

/** Each way to reach a route that takes a body. */
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

/** Sends these very bytes, with a content type or without. */
async function post(
  { url, agent, apiKey, registrationToken }: Scene,
  route: PostRoute,
  bytes: string | Buffer,
  contentType: string | null = "application/json",
): Promise<HttpAnswer> {
  const { path, as } = posts[route];
  const bearers = {
    nobody: null,
    newcomer: registrationToken,
    agent: agent.agentToken,
    program: apiKey,
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

describe("a body that is not strict JSON is 400 INVALID_JSON", () => {
  test.each<{ name: string; bytes: string | Buffer; says: string }>([
    { name: "cut", bytes: "{", says: "not valid JSON" },
    { name: "single quotes", bytes: "{'timestamp':1}", says: "not valid JSON" },
    { name: "a comma too many", bytes: '{"a":1,}', says: "not valid JSON" },
    { name: "two values", bytes: "{}{}", says: "not valid JSON" },
    { name: "a comment", bytes: "{} // end", says: "not valid JSON" },
    { name: "only white space", bytes: " \r\n", says: "not valid JSON" },
    { name: "a form", bytes: "a=1&b=2", says: "not valid JSON" },
    { name: "a byte order mark", bytes: "\ufeff{}", says: "not valid JSON" },
    { name: "UTF-16", bytes: Buffer.from("{}", "utf16le"), says: "not valid JSON" },
    { name: "a lone byte ff", bytes: Buffer.from('{"a":"\xff"}', "latin1"), says: "not UTF-8" },
    { name: "a cut character", bytes: Buffer.from('{"a":"\xe2\x82"}', "latin1"), says: "UTF-8" },
    { name: "33 levels", bytes: nested(33), says: "deeper than 32 levels" },
    { name: "10,000 levels", bytes: nested(10_000), says: "deeper than 32 levels" },
    { name: "10,000 brackets", bytes: "[".repeat(10_000), says: "deeper than 32 levels" },
    { name: "__proto__", bytes: '{"a":{"__proto__":{}}}', says: '"__proto__"' },
    { name: "__proto__ escaped", bytes: '{"\\u005f_proto__":{}}', says: '"__proto__"' },
    { name: "a key twice", bytes: '{"timestamp":1,"timestamp":2}', says: '"timestamp" twice' },
    { name: "a key twice, deep", bytes: '[{"a":[{"b":1,"\\u0062":1}]}]', says: '"b" twice' },
  ])("$name", async ({ bytes, says }) => {
    const answer = await post(shared(), "agent.heartbeat", bytes);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "INVALID_JSON" } } });
    expect(answer.body.error.message).toContain(says);
  });

  test.each([
    { name: "32 levels", bytes: nested(32) },
    { name: "white space around it", bytes: " \r\n\t{ } \n" },
    { name: "unknown fields", bytes: '{"new":{"in":["a","later","version"]},"constructor":1}' },
  ])("but $name is fine", async ({ bytes }) => {
    expect(await post(shared(), "agent.heartbeat", bytes)).toMatchObject({ status: 200 });
  });
});

describe("the content type must be JSON", () => {
  test.each([
    { contentType: "application/json", status: 200 },
    { contentType: "application/json; charset=utf-8", status: 200 },
    { contentType: 'Application/JSON;charset="UTF-8"', status: 200 },
    { contentType: "application/cloudevents+json", status: 200 },
    { contentType: "application/cloudevents+json; charset=utf-8", status: 200 },
    { contentType: "text/plain", status: 415 },
    { contentType: "text/json", status: 415 },
    { contentType: "application/x-www-form-urlencoded", status: 415 },
    { contentType: "multipart/form-data; boundary=application/json", status: 415 },
    { contentType: "application/jsonp", status: 415 },
    { contentType: "application/xml, application/json", status: 415 },
    { contentType: null, status: 415 },
  ])("$contentType → $status", async ({ contentType, status }) => {
    const answer = await post(shared(), "agent.heartbeat", "{}", contentType);
    expect(answer.status).toBe(status);
    if (status === 415) expect(answer.body.error.code).toBe("UNSUPPORTED_MEDIA_TYPE");
  });

  test("but nothing needs no type", async () => {
    expect(await post(shared(), "agent.heartbeat", "", null)).toMatchObject({ status: 200 });
  });
});

describe("the wrong shape is 422 VALIDATION_FAILED and names the place", () => {
  const agent = { code: "agent-2", mode: "sidecar" };
  const service = { code: "s", name: "S", version: "1" };
  const many = (count: number, make: (index: number) => object) =>
    Array.from({ length: count }, (_, index) => make(index));
  const withAction = (action: object) => ({ services: [{ ...service, actions: [action] }] });
  const withConfig = (config: object) => ({ services: [{ ...service, configs: [config] }] });
  const actionsPath = "services.0.actions";

  const wrong: [PostRoute, [path: string, body: unknown][]][] = [
    [
      "agent.register",
      [
        ["agent", {}],
        ["agent", { agent: [] }],
        ["agent.code", { agent: { ...agent, code: 7 } }],
        ["agent.code", { agent: { ...agent, code: "a b" } }],
        ["agent.code", { agent: { ...agent, code: "" } }],
        ["agent.mode", { agent: { code: "a" } }],
        ["agent.mode", { agent: { ...agent, mode: "Side Car" } }],
        ["agent.mode", { agent: { ...agent, mode: "a".repeat(33) } }],
        ["agent.labels.a", { agent: { ...agent, labels: { a: 1 } } }],
        ["registrationToken", { agent, registrationToken: 5 }],
        ["service.code", { agent, service: {} }],
        ["services", { agent, services: {} }],
      ],
    ],
    [
      "agent.heartbeat",
      [
        ["timestamp", { timestamp: 1 }],
        ["timestamp", { timestamp: "yesterday" }],
        ["timestamp", { timestamp: "2026-13-01T00:00:00Z" }],
        ["health", { health: {} }],
        ["health.0.serviceCode", { health: [{ healthStatus: "UP" }] }],
      ],
    ],
    [
      "agent.report",
      [
        ["services", {}],
        ["services", { services: null }],
        ["services.1", { services: [service, 5] }],
        ["services.1.code", { services: [service, service] }],
        ["services", { services: many(257, (n) => ({ ...service, code: `s${n}` })) }],
        [
          actionsPath,
          { services: [{ ...service, actions: many(257, (n) => ({ name: `a${n}` })) }] },
        ],
        [
          "services.0.configs",
          {
            services: [
              { ...service, configs: many(513, (n) => ({ key: `k${n}`, type: "string" })) },
            ],
          },
        ],
        [`${actionsPath}.0.name`, withAction({})],
        [`${actionsPath}.0.name`, withAction({ name: "a/b" })],
        [`${actionsPath}.0.dangerLevel`, withAction({ name: "a", dangerLevel: "high" })],
        [`${actionsPath}.0.timeoutSeconds`, withAction({ name: "a", timeoutSeconds: 0 })],
        [`${actionsPath}.0.timeoutSeconds`, withAction({ name: "a", timeoutSeconds: "5" })],
        [`${actionsPath}.0.inputSchema`, withAction({ name: "a", inputSchema: [] })],
        [
          `${actionsPath}.0.inputSchema`,
          withAction({ name: "a", inputSchema: { title: "x".repeat(64 * KiB) } }),
        ],
        [actionsPath, { services: [{ ...service, actions: [{ name: "a" }, { name: "a" }] }] }],
        ["services.0.configs.0.type", withConfig({ key: "k" })],
        [
          "services.0.configs.0.sensitive",
          withConfig({ key: "k", type: "string", sensitive: "no" }),
        ],
      ],
    ],
    [
      "agent.result",
      [
        ["success", {}],
        ["success", { success: "true" }],
        ["error", { success: false, error: "it broke" }],
        ["error.code", { success: false, error: { code: 5 } }],
      ],
    ],
    [
      "auth.login",
      [
        ["password", { username: "admin" }],
        ["username", { username: ["admin"], password: "x" }],
        ["password", { username: "admin", password: "x".repeat(513) }],
      ],
    ],
    [
      "registration-tokens.create",
      [
        ["expiresInSeconds", { expiresInSeconds: -1 }],
        ["expiresInSeconds", { expiresInSeconds: 1.5 }],
        ["expiresAt", { expiresAt: "2020-01-01T00:00:00Z" }],
        ["expiresAt", { expiresAt: null, expiresInSeconds: 5 }],
      ],
    ],
    [
      "actions.execute",
      [
        ["payload", { payload: [] }],
        ["confirmation", { confirmation: "yes" }],
      ],
    ],
    ["api-keys.create", [["role", { name: "x", role: "root" }]]],
  ];

  test.each(
    wrong.flatMap(([route, bodies]) => bodies.map(([path, body]) => ({ route, path, body }))),
  )("$route: $path", async ({ route, body, path }) => {
    const answer = await post(shared(), route, JSON.stringify(body));
    expect(answer).toMatchObject({ status: 422, body: { error: { code: "VALIDATION_FAILED" } } });
    expect(answer.body.error.details.issues).toContainEqual({
      path,
      message: expect.any(String),
    });
  });

  test.each(["null", "[]", '"text"', "5", "true"])(
    "a body of %s, on every route",
    async (bytes) => {
      const own = shared();
      for (const route of Object.keys(posts) as PostRoute[]) {
        const { status } = await post(own, route, bytes);
        expect({ route, status }).toEqual({ route, status: 422 });
      }
    },
  );

  test("no body where one is needed", async () => {
    const own = shared();
    const needed = [
      "agent.register",
      "agent.report",
      "agent.result",
      "auth.login",
      "api-keys.create",
    ] as const;
    for (const route of needed) {
      const { status } = await post(own, route, "");
      expect({ route, status }).toEqual({ route, status: 422 });
    }
  });

  test("what is just within the limits is taken", async () => {
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

  test("an input schema is deeper than any JSON may be", async () => {
    const withSchema = (levels: number) =>
      `{"services":[{"code":"s","name":"S","version":"1","actions":[{"name":"a","inputSchema":${nested(levels)}}]}]}`;
    const own = await scene();
    expect(await post(own, "agent.report", withSchema(27))).toMatchObject({ status: 200 });
    expect(await post(own, "agent.report", withSchema(33))).toMatchObject({ status: 400 });
  });
});

describe("a body may be as large as its route allows", () => {
  test.each<{ route: PostRoute; limit: number; body: object; status: number; code?: string }>([
    {
      route: "agent.register",
      limit: 512 * KiB,
      body: { agent: { code: "a", mode: "m" } },
      status: 201,
    },
    { route: "agent.heartbeat", limit: 64 * KiB, body: {}, status: 200 },
    { route: "agent.report", limit: 1024 * KiB, body: { services: [] }, status: 200 },
    {
      route: "agent.result",
      limit: 1_000_000 + KiB,
      body: { success: true },
      status: 404,
      code: "COMMAND_RESULT_TOO_LARGE",
    },
    { route: "auth.login", limit: 16 * KiB, body: { username: "a", password: "b" }, status: 401 },
    { route: "registration-tokens.create", limit: 256 * KiB, body: {}, status: 201 },
    { route: "actions.execute", limit: 256 * KiB, body: {}, status: 404 },
  ])("$route: $limit bytes", async ({ route, limit, body, status, code }) => {
    const own = await scene();
    const full = JSON.stringify(body).padEnd(limit);
    expect(await post(own, route, full)).toMatchObject({ status });
    const answer = await post(own, route, `${full} `);
    expect(answer).toMatchObject({
      status: 413,
      body: { error: { code: code ?? "PAYLOAD_TOO_LARGE" } },
    });
    expect(answer.headers.get("connection")).toBe("close");
  });

  const megabytes = 20;
  const piece = "x".repeat(1_000_000);

  test.each([
    { name: "announced", headers: [`Content-Length: ${megabytes * 1_000_000}`], chunk: piece },
    { name: "in chunks", headers: ["Transfer-Encoding: chunked"], chunk: `f4240\r\n${piece}\r\n` },
  ])("more is not read: $name", async ({ headers, chunk }) => {
    const { server, port } = await listenInSight(await scene());
    let bytesRead = 0;
    server.on("connection", (socket) =>
      socket.on("close", () => {
        bytesRead = socket.bytesRead;
      }),
    );
    const { socket, ended } = openRaw(port);
    const first = "POST /api/agents/register HTTP/1.1";
    socket.write(
      requestText(first, ["Host: localhost", "Content-Type: application/json", ...headers]),
    );
    for (let sent = 0; sent < megabytes; sent++) socket.write(chunk);
    const answer = await ended;
    expect(statusesIn(answer)).toEqual([413]);
    await vi.waitFor(() => expect(bytesRead).toBeGreaterThan(0), 10_000);
    expect(bytesRead).toBeLessThan(2_000_000);
  });

  test("a sender in the middle of it is not cut off before the answer has arrived", async () => {
    const { server, port } = await listenInSight(await scene());
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const connected = new Promise<Socket>((resolve) => server.once("connection", resolve));
    const { socket, ended, until } = openRaw(port);
    const headers = [
      "Host: localhost",
      "Content-Type: application/json",
      "Content-Length: 2000000",
    ];
    socket.write(requestText("POST /api/agents/register HTTP/1.1", headers, "{"));
    await until('"requestId"');
    expect((await connected).destroyed).toBe(false);
    vi.runAllTimers();
    expect(statusesIn(await ended)).toEqual([413]);
  });
});

test("a result that is too large is counted, and the command waits for a smaller one", async () => {
  const own = await scene({ COMMAND_RESULT_MAX_BYTES: "2048" });
  const { agent, app, as, request } = own;
  const commandId = await runningCommand(own);
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
  const command = () => as("viewer").call("commands.get", { params: { commandId } });
  expect(await command()).toMatchObject({ status: "RUNNING", result: null });
  expect(await send(2000)).toMatchObject({ status: 200, body: { data: { status: "SUCCEEDED" } } });
  expect(await command()).toMatchObject({ status: "SUCCEEDED" });
});

/** Creates a command and lets the agent take it. */
async function runningCommand({ as, agent }: Scene): Promise<string> {
  const services = await as("viewer").call("services.list");
  const params = { serviceId: services[0]!.id, actionName: "rotate-log" };
  const { command } = await as("operator").call("actions.execute", { params });
  await agent.client.call("agent.poll", { query: { wait: 0 } });
  return command.id;
}

describe("a body that breaks off stores nothing and is no error of ours", () => {
  const body = JSON.stringify({ agent: { code: "half", mode: "sidecar" } });

  test.each([
    { name: "the socket is reset", announced: body.length, sent: body.slice(0, -1), end: "reset" },
    { name: "the socket is closed", announced: body.length, sent: body.slice(0, -1), end: "close" },
    { name: "the length lies", announced: body.length + 100, sent: body, end: "close" },
    { name: "the length lies, reset", announced: body.length + 100, sent: body, end: "reset" },
    { name: "nothing comes at all", announced: body.length, sent: "", end: "reset" },
  ])("$name", async ({ announced, sent, end }) => {
    const own = await scene();
    const { token } = await own.as("operator").call("registration-tokens.create", { body: {} });
    const { server, port } = await listenInSight(own);
    const errors = errorsLogged(own);
    const arrived = new Promise<void>((resolve) => server.once("request", () => resolve()));
    const left = new Promise<void>((resolve) =>
      server.once("connection", (socket) => socket.once("close", resolve)),
    );
    const { socket, ended } = openRaw(port);
    socket.write(
      requestText(
        "POST /api/agents/register HTTP/1.1",
        [
          "Host: localhost",
          "Content-Type: application/json",
          `Authorization: Bearer ${token}`,
          `Content-Length: ${announced}`,
        ],
        sent,
      ),
    );
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

  test("a length that is too short makes the rest the next request, which is none", async () => {
    const { port } = await scene();
    const head = ["Host: localhost", "Content-Type: application/json", "Content-Length: 2"];
    const answer = await sendRaw(
      port,
      requestText("POST /api/agents/register HTTP/1.1", head, `{}${body}`),
    );
    expect(statusesIn(answer).at(-1)).toBe(400);
  });
});

describe("a path that leads nowhere is 404, and a wrong method is 405 with Allow", () => {
  test.each([
    "/api",
    "/api/",
    "/api/agents/heartbeat/",
    "/api/Agents/heartbeat",
    "/api/agents/commands/../commands/none",
    "/api/agents/commands/%2e%2e/none",
    "/api/nothing?wait=1",
    "/api/admin/agents/%ff",
    "/api/admin/agents/%zz",
    "/api/admin/agents/%",
    "/api/admin/agents/%c3%28",
    `/api/admin/agents/${"a".repeat(201)}`,
    "//",
    "/%00",
  ])("%s", async (path) => {
    const { request, apiKey } = shared();
    const answer = await request("GET", path, { bearer: apiKey });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } });
  });

  test.each(["%00", "a%00b", "%F0%9F%98%80", "%2F", "%25", "'%20OR%201=1", "a".repeat(200)])(
    "an id of %s is not found, and that is all",
    async (id) => {
      const { request, apiKey } = shared();
      const path = `/api/admin/agents/${id}`;
      const answer = await request("GET", path, { bearer: apiKey });
      expect(answer).toMatchObject({ status: 404, body: { error: { code: "AGENT_NOT_FOUND" } } });
    },
  );

  test.each([
    { method: "GET", path: "/api/agents/heartbeat", allow: "POST" },
    { method: "DELETE", path: "/api/agents/register", allow: "POST" },
    { method: "POST", path: "/api/system/health", allow: "GET" },
    { method: "OPTIONS", path: "/api/system/health", allow: "GET" },
    { method: "PUT", path: "/api/admin/registration-tokens", allow: "POST" },
    {
      method: "PATCH",
      path: "/api/admin/capsule-services/svc_1/actions/run",
      allow: "GET, POST",
    },
  ])("$method $path", async ({ method, path, allow }) => {
    const { request } = shared();
    const answer = await request(method, path);
    expect(answer).toMatchObject({ status: 405, body: { error: { code: "METHOD_NOT_ALLOWED" } } });
    const allowed = (text: string | null) => text?.split(", ").sort();
    expect(allowed(answer.headers.get("allow"))).toEqual(
      expect.arrayContaining(allowed(allow) ?? []),
    );
  });

  test.each(["/api/system/health", "/api/system/version", "/api/system/openapi.json"])(
    "HEAD %s is GET without the body",
    async (path) => {
      const { request } = shared();
      const [head, get] = [await request("HEAD", path), await request("GET", path)];
      expect(head).toMatchObject({ status: 200, body: null });
      expect(Number(head.headers.get("content-length"))).toBeGreaterThan(50);
      // What is said of the connection is fetch's own wish.
      const names = ({ headers }: HttpAnswer) =>
        [...headers.keys()].filter((name) => !/^(connection|keep-alive)$/.test(name));
      expect(names(head)).toEqual(names(get));
    },
  );

  test("HEAD takes no command, and nothing else that is handed out once", async () => {
    const { agent, apiKey, request } = await scene();
    for (const [path, bearer] of [
      ["/api/agents/commands?wait=0", agent.agentToken],
      ["/api/admin/agents", apiKey],
    ] as const) {
      const answer = await request("HEAD", path, { bearer });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")?.split(", ")).toContain("GET");
    }
  });
});

describe("a credential that does not fit is 401, and says why", () => {
  const unknown = (kind: "agent" | "registration" | "apiKey") =>
    mintToken(kind, (bytes) => bytes.fill(7));
  const agentPath = "/api/agents/commands?wait=0";
  const adminPath = "/api/admin/agents";

  test.each<{ name: string; path: string; header: (scene: Scene) => string | null; says: RegExp }>([
    { name: "agent: none", path: agentPath, header: () => null, says: /needs an agent token/ },
    {
      name: "agent: another scheme",
      path: agentPath,
      header: () => "Basic YTpi",
      says: /must be: Bearer/,
    },
    {
      name: "agent: no token behind Bearer",
      path: agentPath,
      header: () => "Bearer",
      says: /must be: Bearer/,
    },
    {
      name: "agent: no scheme",
      path: agentPath,
      header: ({ agent }) => agent.agentToken,
      says: /must be: Bearer/,
    },
    {
      name: "agent: garbage",
      path: agentPath,
      header: () => "Bearer abc",
      says: /mistyped or cut/,
    },
    {
      name: "agent: mistyped",
      path: agentPath,
      header: ({ agent }) => `Bearer ${swapped(agent.agentToken)}`,
      says: /mistyped or cut/,
    },
    {
      name: "agent: cut",
      path: agentPath,
      header: ({ agent }) => `Bearer ${agent.agentToken.slice(0, -1)}`,
      says: /mistyped or cut/,
    },
    {
      name: "agent: unknown",
      path: agentPath,
      header: () => `Bearer ${unknown("agent")}`,
      says: /not known here/,
    },
    {
      name: "agent: a registration token",
      path: agentPath,
      header: () => `Bearer ${unknown("registration")}`,
      says: /needs an agent token, not a registration token/,
    },
    {
      name: "agent: an API key",
      path: agentPath,
      header: ({ apiKey }) => `Bearer ${apiKey}`,
      says: /needs an agent token, not an API key/,
    },
    {
      name: "admin: none",
      path: adminPath,
      header: () => null,
      says: /needs a session .* or an API key/,
    },
    {
      name: "admin: another scheme",
      path: adminPath,
      header: () => "Basic YTpi",
      says: /must be: Bearer/,
    },
    { name: "admin: garbage", path: adminPath, header: () => "Bearer abc", says: /not an API key/ },
    {
      name: "admin: mistyped",
      path: adminPath,
      header: ({ apiKey }) => `Bearer ${swapped(apiKey)}`,
      says: /mistyped or cut/,
    },
    {
      name: "admin: unknown",
      path: adminPath,
      header: () => `Bearer ${unknown("apiKey")}`,
      says: /not known here/,
    },
    {
      name: "admin: an agent token",
      path: adminPath,
      header: ({ agent }) => `Bearer ${agent.agentToken}`,
      says: /not an agent token/,
    },
    {
      name: "admin: a registration token",
      path: adminPath,
      header: () => `Bearer ${unknown("registration")}`,
      says: /not a registration token/,
    },
  ])("$name", async ({ path, header, says }) => {
    const own = shared();
    const authorization = header(own);
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    const answer = await own.request("GET", path, { headers });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
    expect(answer.body.error.message).toMatch(says);
  });

  test("a revoked agent token is known as revoked; a disabled agent as disabled", async () => {
    const { agent, as, request } = await scene();
    const params = { agentId: agent.agentId };
    const beat = () => request("POST", "/api/agents/heartbeat", { bearer: agent.agentToken });
    expect((await beat()).status).toBe(200);
    await as("operator").call("agents.disable", { params });
    expect(await beat()).toMatchObject({
      status: 403,
      body: { error: { code: "AGENT_DISABLED" } },
    });
    await as("operator").call("agents.enable", { params });
    expect((await beat()).status).toBe(200);
    await as("operator").call("agents.revoke-token", { params });
    const refused = await beat();
    expect(refused).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
    expect(refused.body.error.message).toContain("revoked");
  });

  test("the scheme may be written in any case", async () => {
    const { agent, request } = await scene();
    const headers = { authorization: `bearer  ${agent.agentToken}` };
    expect((await request("GET", agentPath, { headers })).status).toBe(200);
  });
});

/** A token with one character typed wrong. */
function swapped(token: string): string {
  const at = token.length - 10;
  return token.slice(0, at) + (token[at] === "a" ? "b" : "a") + token.slice(at + 1);
}

describe("what is another agent's is not this one's", () => {
  test.each([
    { method: "POST", path: "/heartbeat" },
    { method: "POST", path: "/services" },
    { method: "POST", path: "/services/report" },
    { method: "GET", path: "/commands" },
    { method: "POST", path: "/commands/cmd_1/result" },
  ])("$method /api/agents/:other$path is 403", async ({ method, path }) => {
    const { agent, registerAgent, request } = await scene();
    const other = await registerAgent("agent-2");
    for (const id of [other.agentId, "agt_none", "agent-1"]) {
      const bearer = agent.agentToken;
      const answer = await request(method, `/api/agents/${id}${path}`, { bearer });
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    }
  });

  test("an agentId in the body that is not one's own is 403, the own one is fine", async () => {
    const { agent, registerAgent, request } = await scene();
    const other = await registerAgent("agent-2");
    const report = (agentId: string) =>
      request("POST", "/api/agents/services", {
        bearer: agent.agentToken,
        body: { agentId, services: [] },
      });
    expect(await report(other.agentId)).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN" } },
    });
    expect(await report(agent.agentId)).toMatchObject({ status: 200 });
  });

  test("a result for an unknown command, or for another agent's, is 404 and changes nothing", async () => {
    const own = await scene();
    const { as, registerAgent, request } = own;
    const commandId = await runningCommand(own);
    const other = await registerAgent("agent-2");
    for (const id of [commandId, "cmd_01K0000000000000000000000", "none"]) {
      const answer = await request("POST", `/api/agents/commands/${id}/result`, {
        bearer: other.agentToken,
        body: { success: true },
      });
      expect(answer).toMatchObject({ status: 404, body: { error: { code: "COMMAND_NOT_FOUND" } } });
    }
    const command = await as("viewer").call("commands.get", { params: { commandId } });
    expect(command).toMatchObject({ status: "RUNNING", result: null, lateResult: null });
  });
});

describe("registration tokens", () => {
  const agent = { code: "agent-2", mode: "sidecar" };
  const revoke = ({ database }: Scene) =>
    database.write((tx) =>
      tx.run(
        "UPDATE registration_tokens SET status = 'REVOKED', revoked_at = ? WHERE status = 'ACTIVE'",
        tx.now,
      ),
    );

  test.each<{
    name: string;
    token: (good: string, scene: Scene) => string | null;
    before?: (scene: Scene, good: string) => unknown;
    status: number;
    code: string;
    says: RegExp;
  }>([
    {
      name: "none",
      token: () => null,
      status: 401,
      code: "REGISTRATION_TOKEN_INVALID",
      says: /is needed/,
    },
    {
      name: "mistyped",
      token: swapped,
      status: 401,
      code: "REGISTRATION_TOKEN_INVALID",
      says: /mistyped/,
    },
    {
      name: "unknown",
      token: () => mintToken("registration", (bytes) => bytes.fill(9)),
      status: 401,
      code: "REGISTRATION_TOKEN_INVALID",
      says: /not known/,
    },
    {
      name: "an agent token",
      token: (_, shared) => shared.agent.agentToken,
      status: 401,
      code: "REGISTRATION_TOKEN_INVALID",
      says: /./,
    },
    {
      name: "expired",
      token: (good) => good,
      before: ({ clock }) => clock.advance(86_400_000),
      status: 401,
      code: "REGISTRATION_TOKEN_EXPIRED",
      says: /expired/,
    },
    {
      name: "revoked",
      token: (good) => good,
      before: revoke,
      status: 401,
      code: "REGISTRATION_TOKEN_REVOKED",
      says: /revoked/,
    },
    {
      name: "used",
      token: (good) => good,
      before: ({ request }, bearer) =>
        request("POST", "/api/agents/register", {
          bearer,
          body: { agent: { code: "first", mode: "sidecar" } },
        }),
      status: 409,
      code: "REGISTRATION_TOKEN_USED",
      says: /has been used/,
    },
  ])(
    "$name: $status $code, in header and body alike",
    async ({ token, before, status, code, says }) => {
      const own = await scene();
      const good = (await own.as("operator").call("registration-tokens.create", { body: {} }))
        .token;
      await before?.(own, good);
      const wrong = token(good, own);
      const path = "/api/agents/register";
      const answers = [
        await own.request("POST", path, {
          body: { agent },
          ...(wrong === null ? {} : { bearer: wrong }),
        }),
        await own.request("POST", path, {
          body: { agent, registrationToken: wrong ?? undefined },
        }),
      ];
      for (const answer of answers) {
        expect(answer).toMatchObject({ status, body: { error: { code } } });
        expect(answer.body.error.message).toMatch(says);
      }
      const { data } = await own.as("viewer").page("agents.list", { query: { q: "agent-2" } });
      expect(data).toEqual([]);
    },
  );

  test("header and body may both carry the token, but not two of them", async () => {
    const { as, request } = await scene();
    const create = async () =>
      (await as("operator").call("registration-tokens.create", { body: {} })).token;
    const [token, another] = [await create(), await create()];
    const register = (registrationToken: string) =>
      request("POST", "/api/agents/register", {
        bearer: token,
        body: { agent, registrationToken },
      });
    expect(await register(another)).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_REQUEST" } },
    });
    expect(await register(token)).toMatchObject({ status: 201 });
  });

  test("60 that fail in a minute are enough, whatever comes then from that address", async () => {
    const { as, request } = await scene();
    const { token } = await as("operator").call("registration-tokens.create", { body: {} });
    const register = (bearer: string) =>
      request("POST", "/api/agents/register", { bearer, body: { agent } });
    for (let failure = 0; failure < 60; failure++) {
      expect((await register(swapped(token))).status).toBe(401);
    }
    const answer = await register(token);
    expect(answer).toMatchObject({ status: 429, body: { error: { code: "RATE_LIMITED" } } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("a header that is no bearer token is 401, whatever the body has", async () => {
    const { as, request } = await scene();
    const { token } = await as("operator").call("registration-tokens.create", { body: {} });
    const answer = await request("POST", "/api/agents/register", {
      headers: { authorization: "Basic YTpi" },
      body: { agent, registrationToken: token },
    });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
  });
});

describe("a query that is not valid is 422 and names the parameter", () => {
  test.each([
    { path: "/api/agents/commands?wait=abc", name: "wait" },
    { path: "/api/agents/commands?wait=-1", name: "wait" },
    { path: "/api/agents/commands?wait=", name: "wait" },
    { path: "/api/agents/commands?wait=0.5", name: "wait" },
    { path: "/api/agents/commands?wait=0x1", name: "wait" },
    { path: "/api/agents/commands?wait=61", name: "wait" },
    { path: "/api/agents/commands?wait=Infinity", name: "wait" },
    { path: "/api/agents/commands?wait=0&wait=60", name: "wait" },
    { path: "/api/agents/commands?wait=0&limit=0", name: "limit" },
    { path: "/api/agents/commands?wait=0&limit=11", name: "limit" },
    { path: "/api/agents/commands?wait=0&limit=1.5", name: "limit" },
    { path: "/api/agents/commands?wait=0&held=cmd_1&held=cmd_2", name: "held" },
    { path: `/api/agents/commands?wait=0&held=${"c".repeat(3101)}`, name: "held" },
    { path: "/api/admin/agents?page=0", name: "page" },
    { path: "/api/admin/agents?page=one", name: "page" },
    { path: "/api/admin/agents?page=0x10", name: "page" },
    { path: "/api/admin/agents?page=1e1", name: "page" },
    { path: "/api/admin/agents?page=1.0", name: "page" },
    { path: "/api/admin/agents?page=+1", name: "page" },
    { path: "/api/admin/agents?page=01", name: "page" },
    { path: "/api/admin/agents?page=", name: "page" },
    { path: "/api/admin/agents?pageSize=0x10", name: "pageSize" },
    { path: "/api/admin/agents?page=1&page=2", name: "page" },
    { path: "/api/admin/agents?page=9999999", name: "page" },
    { path: "/api/admin/agents?pageSize=0", name: "pageSize" },
    { path: "/api/admin/agents?pageSize=201", name: "pageSize" },
    { path: "/api/admin/agents?status=online", name: "status" },
    { path: "/api/admin/agents?label=novalue", name: "label" },
    { path: "/api/admin/agents?q=", name: "q" },
    { path: "/api/admin/commands?from=yesterday", name: "from" },
    { path: "/api/admin/commands?to=2026-01-02", name: "to" },
    { path: "/api/admin/commands?type=ACTION", name: "type" },
    { path: "/api/admin/commands/cmd_1?wait=61", name: "wait" },
    { path: "/api/admin/audit-events?result=maybe", name: "result" },
    { path: "/api/admin/agents?unknown=1", name: "unknown" },
    { path: "/api/admin/agents?__proto__=1", name: "__proto__" },
    { path: "/api/admin/agents?constructor=2", name: "constructor" },
    { path: "/api/admin/agents?page[]=5", name: "page[]" },
    { path: "/api/admin/users?rol=owner", name: "rol" },
  ])("$path", async ({ path, name }) => {
    const { agent, apiKey, request } = shared();
    const bearer = path.startsWith("/api/agents") ? agent.agentToken : apiKey;
    const answer = await request("GET", path, { bearer });
    expect(answer).toMatchObject({ status: 422, body: { error: { code: "VALIDATION_FAILED" } } });
    expect(answer.body.error.details.issues).toMatchObject([{ path: name }]);
  });

  test("a number is told in plain words", async () => {
    const { apiKey, request } = shared();
    const { body } = await request("GET", "/api/admin/agents?page=0x10", { bearer: apiKey });
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
  ])("%s is odd, but fine", async (path) => {
    const { apiKey, request } = shared();
    expect((await request("GET", path, { bearer: apiKey })).status).toBe(200);
  });
});
