import { describe, expect, test } from "vitest";
import type { ZodType } from "zod";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../src/api/index.ts";
import { hostCheck } from "../../src/http/site/hosts.ts";
import { collector, sceneIn } from "../core/scene.ts";
import { listenTestApp, refused } from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";
import { bodyIn, requestText, sendRaw, statusesIn } from "./raw.ts";

/** Tests that change nothing share this app. */
const shared = perFile(() => listenTestApp());

describe("every path of a route for agents", () => {
  const bodies: Partial<Record<RouteName, object>> = {
    "agent.report": { services: [collector] },
    "agent.result": { success: true },
    "agent.output": { chunks: [] },
    "agent.publish": { type: "door.opened", source: collector.code },
  };
  const forms = Object.entries<RouteSpec>(routes)
    .filter(([, { access }]) => access === "agent")
    .flatMap(([name, spec]) =>
      [spec.path, ...(spec.aliases ?? [])].map((form) => ({ name: name as RouteName, spec, form })),
    );

  test("exists with and without the agent's id", () => {
    const short = forms.map(({ form }) => form).filter((form) => !form.includes(":agentId"));
    expect(short.toSorted()).toEqual([
      "/api/agents/commands",
      "/api/agents/commands/:commandId/output",
      "/api/agents/commands/:commandId/result",
      "/api/agents/heartbeat",
      "/api/agents/offline",
      "/api/agents/services",
      "/api/agents/services/report",
    ]);
    const long = short.map((form) => form.replace("/api/agents", "/api/agents/:agentId"));
    const withId = forms.map(({ form }) => form).filter((form) => form.includes(":agentId"));
    expect(withId.toSorted()).toEqual([...long, "/api/agents/:agentId/bus/events"].toSorted());
  });

  const opened = perFile(async () => sceneIn(await listenTestApp({ CAPSULE_BUS_ENABLED: "true" })));

  test.each(forms)("$form", async ({ name, spec, form }) => {
    const app = opened();
    const { agentId, agentToken } = app.agent;
    await app.beat();
    const commandId = await app.execute();
    if (name !== "agent.poll") await app.poll();

    const path = form.replace(":agentId", agentId).replace(":commandId", commandId);
    const body = spec.method === "GET" ? {} : { body: bodies[name] ?? {} };
    const answer = await app.request(spec.method, path, { bearer: agentToken, ...body });
    expect(answer.status).toBe(spec.status ?? 200);
    const { shape } = spec.reply as unknown as { shape: Record<string, ZodType> };
    const always = Object.keys(shape).filter((key) => !shape[key]?.safeParse(undefined).success);
    expect(Object.keys(answer.body.data)).toEqual(always);
  });
});

describe("the envelope of a response", () => {
  test("has its own form for a success, a list and a failure", async () => {
    const app = await listenTestApp();
    const bearer = await app.apiKey("owner");
    const get = async (path: string) => (await app.request("GET", path, { bearer })).body;
    expect(await get("/api/system/version")).toEqual({
      success: true,
      data: { version: "0.0.0-dev", edition: "ce" },
    });
    expect(await get("/api/admin/agents?page=3&pageSize=7")).toEqual({
      success: true,
      data: [],
      pagination: { page: 3, pageSize: 7, total: 0 },
    });
    expect(await get("/api/admin/agents/agt_1")).toEqual({
      success: false,
      error: {
        code: "AGENT_NOT_FOUND",
        message: "There is no agent agt_1.",
        requestId: expect.stringMatching(/^req_/),
      },
    });
    expect(await get("/api/admin/agents?page=0")).toEqual({
      success: false,
      error: {
        code: "VALIDATION_FAILED",
        message: expect.stringContaining("page: "),
        details: { issues: [{ path: "page", message: expect.any(String) }] },
        requestId: expect.any(String),
      },
    });
  });

  test("has no details for an internal error, which is logged once", async () => {
    const app = await listenTestApp();
    const bearer = await app.apiKey("owner");
    const logged: object[] = [];
    app.app.core.log = { ...app.app.core.log, error: (fields) => logged.push(fields) };
    const err = new Error("the secret reason");
    app.app.core.newId = () => {
      throw err;
    };
    const answer = await app.request("POST", "/api/admin/registration-tokens", {
      bearer,
      headers: { "x-request-id": "my-request" },
      body: {},
    });
    expect(answer).toMatchObject(refused(500, "INTERNAL_ERROR"));
    expect(answer.body.error.requestId).toBe("my-request");
    expect(JSON.stringify(answer.body)).not.toContain("secret");
    expect(logged).toEqual([{ err, requestId: "my-request", route: "registration-tokens.create" }]);
  });
});

describe("X-Request-Id", () => {
  test.each(["a.b:c-d_e", "x".repeat(128)])("%s is valid, and is returned", async (id) => {
    const { request } = shared();
    const headers = { "x-request-id": id };
    expect((await request("GET", "/api/nothing", { headers })).body.error.requestId).toBe(id);
    const answer = await request("GET", "/api/system/version", { headers });
    expect(answer.headers.get("x-request-id")).toBe(id);
  });

  test.each(["", "a,b", "é", "x".repeat(129)])("'%s' is replaced", async (id) => {
    const { request } = shared();
    const headers = { "x-request-id": id };
    const answer = await request("GET", "/api/nothing", { headers });
    expect(answer.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{18}$/);
    expect(answer.body.error.requestId).toBe(answer.headers.get("x-request-id"));
  });

  test("two request ids are replaced by one, and new request ids are unique", async () => {
    const { request, port } = await listenTestApp();
    const twice = requestText("GET /api/system/version HTTP/1.1", [
      "Host: localhost",
      "X-Request-Id: a",
      "X-Request-Id: b",
      "Connection: close",
    ]);
    expect(await sendRaw(port, twice)).toMatch(/X-Request-Id: req_/);
    const ids = new Set<string | null>();
    for (let round = 0; round < 10; round++) {
      ids.add((await request("GET", "/api/system/version")).headers.get("x-request-id"));
    }
    expect(ids.size).toBe(10);
  });
});

describe("the headers of every response", () => {
  const login = "/api/admin/auth/login";

  test.each<[name: string, status: number, method: string, path: string, size?: number]>([
    ["success", 200, "GET", "/api/system/version"],
    ["not found", 404, "GET", "/nothing"],
    ["too large", 413, "POST", login, 300_000],
    ["invalid", 422, "POST", login, 0],
  ])("%s: %i", async (_, status, method, path, size) => {
    const { request } = shared();
    const body = size === undefined ? {} : { body: `{}${" ".repeat(size)}` };
    const answer = await request(method, path, body);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "x-request-id": expect.stringMatching(/./),
    });
    expect(answer.headers.get("x-powered-by")).toBeNull();
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.headers.get("strict-transport-security")).toBeNull();
  });
});

describe("host names", () => {
  const loopback = { allowedHosts: [], publicUrl: null, boundHost: "127.0.0.1" };
  const open = { ...loopback, boundHost: "0.0.0.0" };
  const named = { ...open, allowedHosts: ["agents.example.com", "10.0.0.5", "[2001:db8::1]"] };
  const second = { ...loopback, boundHost: "127.0.0.2" };
  const evil = "evil.example";
  const published = { ...loopback, publicUrl: "https://Agents.example.com:8443/admin" };

  test.each([
    { policy: loopback, ours: ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:1"] },
    { policy: loopback, ours: ["[::1]", "[::1]:80"] },
    { policy: loopback, foreign: ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io"] },
    { policy: loopback, foreign: ["10.0.0.5", "[::2]", "", undefined] },
    { policy: loopback, foreign: ["localhost@evil.example", "evil.example:localhost"] },
    { policy: loopback, foreign: ["localhost:evil.example"] },
    { policy: { ...loopback, boundHost: "::1" }, ours: ["[::1]:80"], foreign: [evil] },
    { policy: { ...loopback, boundHost: "localhost" }, ours: ["localhost"], foreign: [evil] },
    { policy: second, ours: ["127.0.0.2:80", "localhost"], foreign: [evil, "127.0.0.3"] },
    { policy: open, ours: ["anything.example", "10.0.0.5:8080", undefined] },
    { policy: { ...open, publicUrl: "https://agents.example.com" }, ours: ["anything.example"] },
    { policy: named, ours: ["agents.example.com", "agents.example.com:8080", "10.0.0.5"] },
    { policy: named, ours: ["localhost", "[2001:db8::1]", "[2001:DB8:0::1]:8080"] },
    { policy: named, foreign: ["example.com", "a.agents.example.com", "10.0.0.6", undefined] },
    { policy: published, ours: ["agents.example.com", "agents.example.com:8443", "localhost"] },
    { policy: published, ours: ["AGENTS.example.com"], foreign: [evil] },
  ])("$policy", ({ policy, ours = [], foreign = [] }) => {
    const isOurs = hostCheck(policy);
    expect(ours.filter((host) => !isOurs(host))).toEqual([]);
    expect(foreign.filter((host) => isOurs(host))).toEqual([]);
  });

  test.each<{ env: Record<string, string>; host: string; status: number }>([
    { env: {}, host: "agents.example.com", status: 421 },
    { env: { ALLOWED_HOSTS: "agents.example.com" }, host: "agents.example.com:80", status: 200 },
    { env: { PUBLIC_URL: "https://agents.example.com" }, host: "agents.example.com", status: 200 },
  ])("over HTTP: $host with $env is $status", async ({ env, host, status }) => {
    const { port } = await listenTestApp(env);
    const headers = [`Host: ${host}`, "Connection: close"];
    const text = await sendRaw(port, requestText("GET /api/system/version HTTP/1.1", headers));
    expect(statusesIn(text)).toEqual([status]);
    if (status === 421) expect(bodyIn(text).error.code).toBe("MISDIRECTED_HOST");
  });

  test.each([
    { host: "evil.example", forwarded: "localhost", status: 421 },
    { host: "localhost", forwarded: "evil.example", status: 421 },
  ])(
    "both host names from a trusted proxy must be ours: $host, forwarded for $forwarded",
    async (each) => {
      const { port } = await listenTestApp({ TRUST_PROXY: "loopback" });
      const headers = [
        `Host: ${each.host}`,
        `X-Forwarded-Host: ${each.forwarded}`,
        "Connection: close",
      ];
      const text = await sendRaw(port, requestText("GET /api/system/version HTTP/1.1", headers));
      expect(statusesIn(text)).toEqual([each.status]);
    },
  );

  test("a foreign host name is refused before anything else is checked", async () => {
    const { port } = await listenTestApp();
    for (const first of ["GET /nothing", "POST /api/admin/auth/login"]) {
      const headers = ["Host: evil.example", "Content-Length: 0", "Connection: close"];
      const text = await sendRaw(port, requestText(`${first} HTTP/1.1`, headers));
      expect(statusesIn(text)).toEqual([421]);
    }
  });
});
