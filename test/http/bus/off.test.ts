// With the bus off, its routes refuse permitted callers and read, write and audit nothing.

import { expect, test } from "vitest";
import type { RouteSpec } from "../../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../../src/api/index.ts";
import {
  addUser,
  listenTestApp,
  type RequestOptions,
  refused,
  signIn,
} from "../../helpers/http/http.ts";
import { perFile } from "../../helpers/lifetime.ts";

const all = Object.entries(routes) as [RouteName, RouteSpec][];
const ofBus = all.filter(([, spec]) => spec.bus).map(([name, spec]) => ({ name, spec }));

test("the routes of the bus are those with its path", () => {
  for (const [name, { path, bus = false }] of all) {
    expect([name, path.split("/").includes("bus")]).toEqual([name, bus]);
  }
  expect(ofBus.length).toBeGreaterThanOrEqual(11);
});

const opened = perFile(async () => {
  const app = await listenTestApp();
  await addUser(app, "owner");
  const bearers = {
    owner: await app.apiKey("owner"),
    operator: await app.apiKey("operator"),
    viewer: await app.apiKey("viewer"),
  };
  const agent = await app.registerAgent("edge-1");
  return { app, agent, bearers, session: await signIn(app, "owner") };
});

test.each(ofBus)("$name", async ({ name, spec }) => {
  const { app, agent, bearers, session } = opened();
  // Without this, an actor's refusals within a minute would become one summary row.
  app.clock.advance(61_000);
  const path = spec.path.replace(":agentId", agent.agentId).replaceAll(/:\w+/g, "none_at_all");
  const call = async (options: RequestOptions) => {
    const { status, body } = await app.request(spec.method, path, options);
    return `${status} ${body.error.code}`;
  };
  const off = "404 CAPSULE_BUS_DISABLED";
  const bearer = spec.access === "agent" ? agent.agentToken : bearers.operator;
  expect(await call({ bearer })).toBe(off);
  if (spec.method !== "GET") {
    expect(await call({ bearer, body: "no JSON" })).toBe(off);
    expect(await call({ bearer, body: "x".repeat(300 * 1024) })).toBe(off);
  }
  expect(await call({})).toBe("401 UNAUTHORIZED");
  if (spec.access === "agent") {
    expect(await call({ bearer: bearers.owner })).toBe("401 UNAUTHORIZED");
    const { agentId, agentToken } = await app.registerAgent("edge-2");
    expect(await call({ bearer: agentToken })).toBe("403 FORBIDDEN");
    await app.as("operator").call("agents.disable", { params: { agentId } });
    expect(await call({ bearer: agentToken })).toBe("403 AGENT_DISABLED");
  } else {
    const viewers = spec.access === "viewer" ? off : "403 FORBIDDEN";
    expect(await call({ bearer: bearers.viewer })).toBe(viewers);
    const { cookie, headers } = session;
    const ofSession = await call({ headers: { cookie } });
    expect(ofSession).toBe(spec.method === "GET" ? off : "403 CSRF_INVALID");
    expect(await call({ headers })).toBe(off);
    const door = app.app.localDoor({ kind: "local", osUser: "ada" });
    expect(await door({ route: name, params: {}, query: {}, body: {} })).toMatchObject(
      refused(404, "CAPSULE_BUS_DISABLED"),
    );
  }

  for (const table of ["bus_routes", "bus_events", "bus_matches", "commands"]) {
    expect(await app.database.read.all(`SELECT * FROM ${table}`)).toEqual([]);
  }
  const { data } = await app.as("viewer").page("audit-events.list", { query: { pageSize: 200 } });
  expect(data.filter(({ action }) => action.startsWith("bus."))).toEqual([]);
  const denied = data.filter(
    ({ action, targetId }) => action === "access.denied" && targetId === name,
  );
  expect(denied).toHaveLength(spec.access === "operator" ? 1 : 0);
});

test.each([
  { method: "PATCH", path: "/api/admin/bus/routes", status: 405 },
  { method: "GET", path: "/api/admin/bus/routes/a/b", status: 404 },
])("$method $path, which is not a bus route, responds as it does with the bus on", async (row) => {
  const codes = await Promise.all(
    ["false", "true"].map(async (on) => {
      const app = await listenTestApp({ CAPSULE_BUS_ENABLED: on });
      const { status, body } = await app.request(row.method, row.path);
      return { status, code: body.error.code };
    }),
  );
  expect(codes[0]?.status).toBe(row.status);
  expect(codes[1]).toEqual(codes[0]);
});
