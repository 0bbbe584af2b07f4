// Who may call what: every route of the table with every kind of credential. The rows say how a call
// looks and what it comes to when it is let in; who is let in follows from the policy below.

import { expect, test } from "vitest";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../src/api/index.ts";
import {
  type Access,
  type KeyRole,
  mayActAs,
  type Role,
  roles,
} from "../../src/domain/principals.ts";
import { type ListeningApp, listenTestApp, type RequestOptions } from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";

interface Row {
  /** With ids in the place of parameters; `:agentId` for the agent's own. */
  path: string;
  body?: unknown;
  /** The status of a call that is let in. */
  letIn: number;
  /** Of a registration's route, with an agent's own token. */
  agentLetIn?: number;
}

const admin = "/api/admin";
const none = "none_at_all";
const password = "correct horse battery";

/** Of routes that are called with a body or a query, or that come to something else than others. */
const special: Partial<Record<RouteName, Partial<Row>>> = {
  "agent.register": { body: someAgent(), letIn: 401 },
  "agent.check": {
    body: { agent: { code: "edge-1" } },
    letIn: 401,
    agentLetIn: 200,
  },
  "agent.heartbeat": { body: {}, letIn: 200 },
  "agent.proof": {
    body: { agentId: "agt_1", server: "https://agents.example.com", nonce: "0123456789abcdef" },
    letIn: 421,
  },
  "agent.offline": { body: {}, letIn: 200 },
  "agent.report": { body: { services: [] }, letIn: 200 },
  "agent.poll": { path: "/api/agents/commands?wait=0", letIn: 200 },
  "agent.result": {
    body: { success: true },
    letIn: 404,
  },
  "agent.publish": { path: "/api/agents/:agentId/bus/events", body: someEvent(), letIn: 404 },
  "auth.login": {
    body: { username: "ada", password },
    letIn: 200,
  },
  "auth.password": {
    body: { currentPassword: "x", newPassword: password },
    letIn: 403,
  },
  "auth.sessions": { letIn: 403 },
  "auth.end-session": { letIn: 403 },
  "auth.end-other-sessions": { letIn: 403 },
  "registration-tokens.create": { body: {}, letIn: 201 },
  "services.move": {
    body: { agentId: none },
    letIn: 404,
  },
  "actions.prepare": { path: `${admin}/capsule-services/${none}/actions/x` },
  "actions.execute": { path: `${admin}/capsule-services/${none}/actions/x`, body: {}, letIn: 404 },
  "commands.retry": { body: {}, letIn: 404 },
  "idempotency-keys.get": { path: `${admin}/idempotency-keys?key=k`, letIn: 404 },
  "users.create": {
    body: { username: "x", password: "short", role: "viewer" },
    letIn: 422,
  },
  "users.update": { body: {}, letIn: 404 },
  "users.set-password": { body: { password }, letIn: 404 },
  "api-keys.create": { body: { name: "x", role: "viewer" }, letIn: 201 },
  "bus-routes.create": { body: someRoute(), letIn: 201 },
  "bus-routes.test-draft": {
    body: { route: someRoute(), event: someEvent() },
    letIn: 200,
  },
  "bus-routes.replay": {
    body: { route: someRoute(), from: "2026-01-01T00:00:00Z" },
    letIn: 200,
  },
  "bus-routes.update": {
    body: { ...someRoute(), version: 1 },
    letIn: 404,
  },
  "bus-routes.test": {
    body: { event: someEvent() },
    letIn: 404,
  },
  "bus-events.publish": { body: someEvent(), letIn: 404 },
  "settings.update": { body: {}, letIn: 200 },
  "maintenance.run": { letIn: 200 },
  "overview.commands": { path: `${admin}/overview/commands?hours=6` },
  "stream.open": { letIn: 400 },
};

const rows = Object.fromEntries(
  Object.entries(routes).map(([name, spec]) => [
    name,
    { ...plainRow(spec), ...special[name as RouteName] },
  ]),
) as Record<RouteName, Row>;

/** With an id that nothing has. */
function plainRow({ path, params, body }: RouteSpec): Row {
  return { path: path.replace(/:\w+/g, none), letIn: body ? 422 : params ? 404 : 200 };
}

function someAgent() {
  return { agent: { code: "edge-2", mode: "sidecar" } };
}

function someRoute() {
  return { name: "x", match: { type: "a.b" }, target: { serviceCode: "s", action: "a" } };
}

function someEvent() {
  return { type: "a.b", source: "s" };
}

const credentials = [
  "no credential",
  "agent token",
  "viewer",
  "operator",
  "owner",
  "metrics",
  "revoked key",
  "expired session",
  "LOCAL",
] as const;
type Credential = (typeof credentials)[number];

/** The rule, in one place: what `access` means for each credential. */
function expected(
  spec: RouteSpec,
  { letIn, agentLetIn = letIn }: Row,
  credential: Credential,
): number {
  switch (spec.access) {
    case "public":
      return letIn;
    case "registration":
      return credential === "agent token" ? agentLetIn : letIn;
    case "agent":
      return credential === "agent token" ? letIn : 401;
    default:
      if (credential === "LOCAL") return letIn;
      if (credential === "metrics") return spec.metrics ? letIn : 403;
      if (!isRole(credential)) return 401;
      return mayActAs(credential, spec.access) ? letIn : 403;
  }
}

function isRole(credential: Credential): credential is Role {
  return roles.includes(credential as Role);
}

/** Who may call what. Other tests take it as given. */
const policy: Record<Access, string> = {
  public: `
    agent.proof auth.login system.health system.ready system.version system.openapi
  `,
  registration: `
    agent.register agent.check
  `,
  agent: `
    agent.heartbeat agent.offline agent.report agent.poll agent.result agent.publish
  `,
  viewer: `
    auth.me auth.password auth.sessions auth.end-session auth.end-other-sessions auth.logout
    registration-tokens.list registration-tokens.get agents.list agents.get services.list
    services.get commands.list commands.get idempotency-keys.get bus-routes.list
    bus-routes.test-draft bus-routes.replay bus-routes.get bus-routes.test bus-events.list
    bus-events.get audit-events.list audit-events.export audit-events.verify overview.get
    overview.health-map overview.commands diagnostics.get stream.open
  `,
  operator: `
    registration-tokens.create registration-tokens.revoke registration-tokens.delete
    agents.disable agents.enable agents.revoke-token agents.delete services.delete
    services.move actions.prepare actions.execute commands.cancel commands.retry
    bus-routes.create bus-routes.update bus-routes.delete bus-events.publish maintenance.run
  `,
  owner: `
    users.list users.create users.get users.update users.delete users.set-password
    users.sessions users.end-sessions api-keys.create api-keys.list api-keys.get
    api-keys.delete api-keys.revoke settings.get settings.update metrics.get
    metrics.prometheus backup.create
  `,
};

test("the table of routes says so", () => {
  const access = (Object.keys(policy) as Access[]).map((each) => [
    each,
    Object.keys(routes)
      .filter((name) => routes[name as RouteName].access === each)
      .sort(),
  ]);
  const wanted = Object.entries(policy).map(([each, names]) => [
    each,
    names.trim().split(/\s+/).sort(),
  ]);
  expect(access).toEqual(wanted);
});

const opened = perFile(async () => {
  const app = await listenTestApp({ CAPSULE_BUS_ENABLED: "true" });
  return { app, carried: await makeCredentials(app) };
});

test.each(Object.entries(rows) as [RouteName, Row][])("%s", async (name, row) => {
  const { app, carried } = opened();
  // Refusals of one actor within a minute are summed up.
  app.clock.advance(61_000);
  const actual = {} as Record<Credential, number>;
  for (const credential of credentials) {
    actual[credential] =
      credential === "LOCAL"
        ? await callLocally(app, name, row)
        : await call(app, name, row, carried[credential]);
  }
  const spec: RouteSpec = routes[name];
  expect(actual).toEqual(
    Object.fromEntries(credentials.map((each) => [each, expected(spec, row, each)])),
  );
  // Whoever has a role and is refused leaves a trace.
  const query = { action: "access.denied", pageSize: 200 };
  const { data: all } = await app.as("viewer").page("audit-events.list", { query });
  const denied = all.filter(({ targetId }) => targetId === name);
  const refused = credentials.filter((each) => {
    const letIn = actual[each] === row.letIn;
    if (each === "metrics") return roles.includes(spec.access as Role) && !spec.metrics;
    return !letIn && (isRole(each) ? actual[each] === 403 : each === "LOCAL");
  });
  expect(denied.map(({ targetId, result }) => [targetId, result])).toEqual(
    refused.map(() => [name, "DENIED"]),
  );
});

type Carried = Record<Exclude<Credential, "LOCAL">, RequestOptions>;

async function makeCredentials(app: ListeningApp): Promise<Carried> {
  const owner = app.as("owner");
  const keyOf = async (role: KeyRole) =>
    owner.call("api-keys.create", { body: { name: role, role } });
  const revoked = await keyOf("owner");
  await owner.call("api-keys.revoke", { params: { keyId: revoked.id } });
  await owner.call("users.create", { body: { username: "ada", password, role: "owner" } });
  const body = { username: "ada", password };
  const session = await app.request("POST", `${admin}/auth/login`, { body });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  const csrfToken: string = session.body.data.csrfToken;
  app.clock.advance(8 * 3_600_000 + 1);
  const agent = await app.registerAgent("edge-1");
  return {
    "no credential": {},
    "agent token": { bearer: agent.agentToken },
    viewer: { bearer: (await keyOf("viewer")).key },
    operator: { bearer: (await keyOf("operator")).key },
    owner: { bearer: (await keyOf("owner")).key },
    metrics: { bearer: (await keyOf("metrics")).key },
    "revoked key": { bearer: revoked.key },
    "expired session": { headers: { cookie, "x-csrf-token": csrfToken } },
  };
}

async function call(
  app: ListeningApp,
  name: RouteName,
  row: Row,
  carried: RequestOptions,
): Promise<number> {
  const { method } = routes[name];
  const { body } = row;
  const path = await pathOf(app, row);
  const { status } = await app.request(method, path, { ...carried, ...(body ? { body } : {}) });
  return status;
}

async function pathOf({ as }: ListeningApp, { path }: Row): Promise<string> {
  const { data } = await as("viewer").page("agents.list");
  return path.replace(":agentId", data[0]?.id ?? none);
}

async function callLocally(
  { app }: ListeningApp,
  name: RouteName,
  { path, body }: Row,
): Promise<number> {
  const spec: RouteSpec = routes[name];
  const names = [...spec.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  const params = Object.fromEntries(names.map((param) => [param, none]));
  const query = Object.fromEntries(new URL(path, "http://localhost").searchParams);
  const door = app.localDoor({ kind: "local", osUser: "ada" });
  const { status } = await door({ route: name, params, query, body });
  return status;
}

/** Whose answers tell of the process, its times and its files: they differ from moment to moment. */
const livelyRoutes = ["diagnostics.get", "metrics.prometheus", "system.health"];

test("what is not of the bus is answered alike with the bus on and off", async () => {
  const [off, on] = await Promise.all(["false", "true"].map(answersOfOthers));
  expect(on).toEqual(off);
});

/** Of every route that is not of the bus, to somebody who may call it: what is the same each time. */
async function answersOfOthers(busEnabled: string): Promise<Record<string, unknown>> {
  const app = await listenTestApp({ CAPSULE_BUS_ENABLED: busEnabled });
  const carried = await makeCredentials(app);
  const answers: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows) as [RouteName, Row][]) {
    const spec: RouteSpec = routes[name];
    if (spec.bus || spec.websocket || name === "backup.create") continue;
    const { status, headers, body } = await app.request(spec.method, await pathOf(app, row), {
      ...carried[spec.access === "agent" ? "agent token" : "owner"],
      ...(row.body ? { body: row.body } : {}),
    });
    const told = livelyRoutes.includes(name) ? null : maskIds(JSON.stringify(body));
    answers[name] = [status, [...headers.keys()].sort(), told];
  }
  return answers;
}

/** What no two services share (ids, tokens, hashes), how long a sweep took, and who has the bus. */
function maskIds(text: string): string {
  return text
    .replaceAll(/\b(platform_\w+|[a-z]{3})_[0-9A-Za-z]{16,}\b/g, "$1_…")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "…")
    .replaceAll(/"csrfToken":"[^"]+"/g, "csrfToken")
    .replaceAll(/"busEnabled":(true|false)/g, "busEnabled")
    .replaceAll(/"durationMs":\d+/g, "durationMs");
}
