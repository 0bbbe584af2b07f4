// Calls every route that needs a credential with each kind of valid one, and some routes with every
// role and with credentials that have ended. The rows have the status for permitted callers, and the
// policy decides who is permitted.

import { expect, test } from "vitest";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../src/api/index.ts";
import {
  type Access,
  type KeyRole,
  mayActAs,
  type Role,
  roles,
} from "../../src/domain/access/principals.ts";
import { somePolicy } from "../core/approvals/requested.ts";
import {
  addUser,
  type ListeningApp,
  listenTestApp,
  password,
  type RequestOptions,
  signIn,
} from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";
import { isChosen } from "../helpers/postgres-app.ts";

interface Row {
  /** The path, with ids instead of parameters, or `:agentId` for the agent's own id. */
  path: string;
  body?: unknown;
  permitted: number;
  /** The status of a registration route with an agent's own token. */
  withAgentToken?: number;
}

const admin = "/api/admin";
const none = "none_at_all";

/** Routes that need a body or a query, or that have an unusual status. */
const special: Partial<Record<RouteName, Partial<Row>>> = {
  "agent.register": { body: someAgent(), permitted: 401 },
  "agent.check": { body: { agent: { code: "edge-1" } }, permitted: 401, withAgentToken: 200 },
  "agent.heartbeat": { body: {}, permitted: 200 },
  "agent.proof": {
    body: { agentId: "agt_1", server: "https://agents.example.com", nonce: "0123456789abcdef" },
    permitted: 421,
  },
  "agent.offline": { body: {}, permitted: 200 },
  "agent.report": { body: { services: [] }, permitted: 200 },
  "agent.poll": { path: "/api/agents/commands?wait=0", permitted: 200 },
  "agent.result": { body: { success: true }, permitted: 404 },
  "agent.publish": { path: "/api/agents/:agentId/bus/events", body: someEvent(), permitted: 404 },
  "auth.login": { body: { username: "owner", password }, permitted: 200 },
  "auth.password": { body: { currentPassword: "x", newPassword: password }, permitted: 403 },
  "auth.sessions": { permitted: 403 },
  "auth.end-session": { permitted: 403 },
  "auth.end-other-sessions": { permitted: 403 },
  "registration-tokens.create": { body: {}, permitted: 201 },
  "services.move": { body: { agentId: none }, permitted: 404 },
  "actions.prepare": { path: `${admin}/capsule-services/${none}/actions/x` },
  "plans.create": {
    path: `${admin}/capsule-services/${none}/actions/x/plan`,
    body: { prepareCommandId: none },
    permitted: 404,
  },
  "plans.apply": { body: { plan: {} }, permitted: 422 },
  "actions.execute": {
    path: `${admin}/capsule-services/${none}/actions/x`,
    body: {},
    permitted: 404,
  },
  "commands.retry": { body: {}, permitted: 404 },
  "rollouts.preview-retry": { body: {}, permitted: 404 },
  "rollouts.retry": { body: {}, permitted: 404 },
  "approvals.approve": { body: { digest: "x" }, permitted: 404 },
  "approvals.reject": { body: { reason: "x" }, permitted: 404 },
  "approval-policies.create": { body: {}, permitted: 422 },
  "approval-policies.test": {
    path: `${admin}/approval-policies/test?serviceId=${none}&action=x`,
    permitted: 404,
  },
  "approval-policies.update": { body: { ...somePolicy, version: 1 }, permitted: 404 },
  "idempotency-keys.get": { path: `${admin}/idempotency-keys?key=k`, permitted: 404 },
  "users.create": { body: { username: "x", password: "short", role: "viewer" }, permitted: 422 },
  "users.update": { body: {}, permitted: 404 },
  "users.set-password": { body: { password }, permitted: 404 },
  "api-keys.create": { body: {}, permitted: 422 },
  "schedules.update": { body: { ...someSchedule(), version: 1 }, permitted: 404 },
  "schedules.preview": { body: { everySeconds: 60 }, permitted: 200 },
  "schedules.pause-all": { body: {}, permitted: 200 },
  "schedules.resume": { body: {}, permitted: 404 },
  "schedules.run": { body: {}, permitted: 404 },
  "bus-routes.create": { body: someRoute(), permitted: 201 },
  "bus-routes.test-draft": { body: { route: someRoute(), event: someEvent() }, permitted: 200 },
  "bus-routes.replay": {
    body: { route: someRoute(), from: "2026-01-01T00:00:00Z" },
    permitted: 200,
  },
  "bus-routes.update": { body: { ...someRoute(), version: 1 }, permitted: 404 },
  "bus-routes.test": { body: { event: someEvent() }, permitted: 404 },
  "bus-events.publish": { body: someEvent(), permitted: 404 },
  "settings.update": { body: {}, permitted: 200 },
  "maintenance.run": { permitted: 200 },
  "maintenance.accept-data-loss": { permitted: 404 },
  "search.find": { path: `${admin}/search?q=x` },
  "overview.commands": { path: `${admin}/overview/commands?hours=6` },
  "attention.actions": { path: `${admin}/attention/actions?groups=x`, permitted: 404 },
  "attention.acknowledge": { body: { serviceIds: [none] }, permitted: 404 },
  "attention.silence": { body: { serviceIds: [none], seconds: 900 }, permitted: 404 },
  "attention.clear": { body: { serviceIds: [none] }, permitted: 404 },
  "stream.open": { permitted: 400 },
  "backup.create": { permitted: isChosen() ? 501 : 200 },
};

const rows = Object.fromEntries(
  Object.entries(routes).map(([name, spec]) => [
    name,
    { ...plainRow(spec), ...special[name as RouteName] },
  ]),
) as Record<RouteName, Row>;

/** Replaces the parameters with ids that do not exist. */
function plainRow({ path, params, body }: RouteSpec): Row {
  return { path: path.replace(/:\w+/g, none), permitted: body ? 422 : params ? 404 : 200 };
}

function someAgent() {
  return { agent: { code: "edge-2", mode: "sidecar" } };
}

function someSchedule() {
  const target = { kind: "action", service: "s", action: "a" };
  return { name: "x", everySeconds: 60, target };
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

/** The server refuses ended credentials after looking only at a route's access and method. */
const hasEnded = (credential: Credential) =>
  credential === "revoked key" || credential === "expired session";

/**
 * Returns all credentials for the first route with its access and method. For the other routes,
 * returns the valid ones, but of the roles only the lowest that is permitted and the one below it.
 * Public routes ignore credentials, so they get only some.
 */
function triedOn(name: RouteName): Credential[] {
  const { access, method }: RouteSpec = routes[name];
  const [first] = Object.entries<RouteSpec>(routes).find(
    ([, spec]) => spec.access === access && spec.method === method,
  )!;
  if (first === name) return [...credentials];
  if (access === "public") return ["no credential", "viewer", "LOCAL"];
  const lowest = roles.findIndex((role) => mayActAs(role, access as Role));
  const tried = roles.slice(Math.max(lowest - 1, 0), lowest + 1);
  return credentials.filter((credential) =>
    isRole(credential) ? tried.includes(credential) : !hasEnded(credential),
  );
}

/** Returns the status that the credential must get. */
function expected(
  spec: RouteSpec,
  { permitted, withAgentToken = permitted }: Row,
  credential: Credential,
): number {
  switch (spec.access) {
    case "public":
      return permitted;
    case "registration":
      return credential === "agent token" ? withAgentToken : permitted;
    case "agent":
      return credential === "agent token" ? permitted : 401;
    default:
      if (credential === "LOCAL") return permitted;
      if (credential === "metrics") return spec.metrics ? permitted : 403;
      if (!isRole(credential)) return 401;
      return mayActAs(credential, spec.access) ? permitted : 403;
  }
}

function isRole(credential: Credential): credential is Role {
  return roles.includes(credential as Role);
}

/** Other tests rely on this policy. */
const policy: Record<Access, string> = {
  public: `
    agent.proof auth.login system.health system.ready system.version system.openapi
  `,
  registration: `
    agent.register agent.check
  `,
  agent: `
    agent.heartbeat agent.offline agent.report agent.poll agent.result agent.output
    agent.publish
  `,
  viewer: `
    approvals.list approvals.get approval-policies.list approval-policies.get approval-policies.test
    auth.me auth.password auth.sessions auth.end-session auth.end-other-sessions auth.logout
    registration-tokens.list registration-tokens.get rollouts.list rollouts.get rollouts.targets rollouts.results
    schedules.list schedules.get schedules.runs schedules.preview schedules.pause-state agents.list agents.get services.list
    services.get services.history commands.list commands.get commands.output idempotency-keys.get bus-routes.list
    bus-routes.test-draft bus-routes.replay bus-routes.get bus-routes.test bus-events.list
    saved-views.list saved-views.create saved-views.get saved-views.update saved-views.delete
    declarations.preview
    search.find
    bus-events.get audit-events.list audit-events.export audit-events.verify overview.get
    overview.health-map overview.commands attention.get attention.group attention.actions nodes.list diagnostics.get stream.open
  `,
  operator: `
    approvals.approve approvals.reject approvals.withdraw
    declarations.apply attention.acknowledge attention.silence attention.clear
    rollouts.preview rollouts.create rollouts.pause rollouts.resume rollouts.cancel
    rollouts.preview-retry rollouts.retry
    schedules.create schedules.update schedules.delete schedules.pause schedules.resume schedules.run
    schedules.pause-all schedules.resume-all
    registration-tokens.create registration-tokens.revoke registration-tokens.delete
    agents.disable agents.enable agents.revoke-token agents.delete services.delete
    services.move actions.prepare actions.execute plans.create plans.apply commands.cancel
    commands.retry bus-routes.create bus-routes.update bus-routes.delete bus-events.publish maintenance.run
    api-keys.create api-keys.list api-keys.get api-keys.delete api-keys.revoke
  `,
  owner: `
    approval-policies.create approval-policies.update approval-policies.delete
    maintenance.accept-data-loss
    users.list users.create users.get users.update users.delete users.set-password
    users.sessions users.end-sessions settings.get settings.update metrics.get
    metrics.prometheus backup.create agents.label services.label
  `,
};

/** Exports have the access of their lists (list-export.test.ts). */
function isListExport(name: string): boolean {
  return "exportOf" in routes[name as RouteName];
}

test("the route table follows this policy", () => {
  const access = (Object.keys(policy) as Access[]).map((each) => [
    each,
    Object.keys(routes)
      .filter((name) => routes[name as RouteName].access === each && !isListExport(name))
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
  return { app, ...(await makeCredentials(app)) };
});

test.each(Object.entries(rows) as [RouteName, Row][])("%s", async (name, row) => {
  const { app, agentId, carried } = opened();
  const path = row.path.replace(":agentId", agentId);
  // Without this, an actor's refusals within a minute would become one summary row.
  app.clock.advance(61_000);
  const actual = {} as Record<Credential, number>;
  const tried = triedOn(name);
  for (const credential of tried) {
    actual[credential] =
      credential === "LOCAL"
        ? await callLocally(app, name, row)
        : await call(app, name, { ...row, path }, carried[credential]);
  }
  const spec: RouteSpec = routes[name];
  expect(actual).toEqual(
    Object.fromEntries(tried.map((each) => [each, expected(spec, row, each)])),
  );
  // The refusal of a caller with a role is audited.
  const denied = await app.database.read.all<{ result: string }>(
    "SELECT result FROM audit_events WHERE action = 'access.denied' AND target_id = ?",
    name,
  );
  const refused = tried.filter((each) => {
    const permitted = actual[each] === row.permitted;
    if (each === "metrics") return roles.includes(spec.access as Role) && !spec.metrics;
    return !permitted && (isRole(each) ? actual[each] === 403 : each === "LOCAL");
  });
  expect(denied.map(({ result }) => result)).toEqual(refused.map(() => "DENIED"));
});

type Carried = Record<Exclude<Credential, "LOCAL">, RequestOptions>;

async function makeCredentials(app: ListeningApp): Promise<{ agentId: string; carried: Carried }> {
  const owner = app.as("owner");
  const body = { name: "revoked", role: "owner" } as const;
  const revoked = await owner.call("api-keys.create", { body });
  await owner.call("api-keys.revoke", { params: { keyId: revoked.id } });
  await addUser(app, "owner");
  const { headers } = await signIn(app, "owner");
  app.clock.advance(8 * 3_600_000 + 1);
  const agent = await app.registerAgent("edge-1");
  const keyOf = async (role: KeyRole) => ({ bearer: await app.apiKey(role) });
  const carried = {
    "no credential": {},
    "agent token": { bearer: agent.agentToken },
    viewer: await keyOf("viewer"),
    operator: await keyOf("operator"),
    owner: await keyOf("owner"),
    metrics: await keyOf("metrics"),
    "revoked key": { bearer: revoked.key },
    "expired session": { headers },
  };
  return { agentId: agent.agentId, carried };
}

async function call(
  app: ListeningApp,
  name: RouteName,
  { path, body }: Row,
  carried: RequestOptions,
): Promise<number> {
  const { method } = routes[name];
  const { status } = await app.request(method, path, { ...carried, ...(body ? { body } : {}) });
  return status;
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
