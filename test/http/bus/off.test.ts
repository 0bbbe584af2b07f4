// With the bus off: every endpoint of it, as the route table has them, says so to those who might call it,
// whatever they send; who might not is refused as ever, and nothing is read, written or told.

import { expect, test } from "vitest";
import type { RouteSpec } from "../../../src/api/contract/route.ts";
import { type RouteName, routes } from "../../../src/api/index.ts";
import type { Role } from "../../../src/domain/principals.ts";
import { type ListeningApp, listenTestApp, type RequestOptions } from "../../helpers/http/http.ts";

const all = Object.entries(routes) as [RouteName, RouteSpec][];
const ofBus = all.filter(([, spec]) => spec.bus).map(([name, spec]) => ({ name, spec }));
const password = "correct horse battery";

test("an endpoint is of the bus exactly when its path is, and its answers say so", () => {
  for (const [name, { path, bus = false }] of all) {
    expect([name, path.split("/").includes("bus")]).toEqual([name, bus]);
  }
  expect(ofBus.length).toBeGreaterThanOrEqual(11);
});

test.each(ofBus)("$name", async ({ name, spec }) => {
  const app = await listenTestApp();
  const agent = await app.registerAgent("edge-1");
  const other = await app.registerAgent("edge-2");
  const path = spec.path.replace(":agentId", agent.agentId).replaceAll(/:\w+/g, "none_at_all");
  const call = async (options: RequestOptions) => {
    const { status, body } = await app.request(spec.method, path, options);
    return `${status} ${body.error.code}`;
  };
  const off = "404 CAPSULE_BUS_DISABLED";
  const keyOf = async (role: Role) =>
    (await app.as("owner").call("api-keys.create", { body: { name: role, role } })).key;
  const bodies: RequestOptions[] = [
    {},
    ...(spec.method === "GET"
      ? []
      : [
          { body: "{}" },
          { body: "no JSON" },
          { body: "x", headers: { "content-type": "text/plain" } },
          { body: "x".repeat(300 * 1024) },
        ]),
  ];

  expect(await call({})).toBe("401 UNAUTHORIZED");
  expect(await call({ bearer: "platform_key_nonsense" })).toBe("401 UNAUTHORIZED");
  if (spec.access === "agent") {
    for (const body of bodies) expect(await call({ ...body, bearer: agent.agentToken })).toBe(off);
    expect(await call({ bearer: other.agentToken })).toBe("403 FORBIDDEN");
    expect(await call({ bearer: await keyOf("owner") })).toBe("401 UNAUTHORIZED");
    const operator = app.as("operator");
    await operator.call("agents.disable", { params: { agentId: agent.agentId } });
    expect(await call({ bearer: agent.agentToken })).toBe("403 AGENT_DISABLED");
    await operator.call("agents.enable", { params: { agentId: agent.agentId } });
    await operator.call("agents.revoke-token", { params: { agentId: agent.agentId } });
    expect(await call({ bearer: agent.agentToken })).toBe("401 UNAUTHORIZED");
  } else {
    const bearer = await keyOf("operator");
    for (const body of bodies) expect(await call({ ...body, bearer })).toBe(off);
    const viewers = spec.access === "viewer" ? off : "403 FORBIDDEN";
    expect(await call({ bearer: await keyOf("viewer") })).toBe(viewers);
    expect(await call({ bearer: agent.agentToken })).toBe("401 UNAUTHORIZED");
    const { cookie, csrfToken } = await signIn(app);
    const ofSession = await call({ headers: { cookie } });
    expect(ofSession).toBe(spec.method === "GET" ? off : "403 CSRF_INVALID");
    expect(await call({ headers: { cookie, "x-csrf-token": csrfToken } })).toBe(off);
    const door = app.app.localDoor({ kind: "local", osUser: "ada" });
    expect(await door({ route: name, params: {}, query: {}, body: {} })).toMatchObject({
      status: 404,
      body: { error: { code: "CAPSULE_BUS_DISABLED" } },
    });
  }

  for (const table of ["bus_routes", "bus_events", "bus_matches", "commands"]) {
    expect(await app.database.read.all(`SELECT * FROM ${table}`)).toEqual([]);
  }
  const { data } = await app.as("viewer").page("audit-events.list", { query: { pageSize: 200 } });
  expect(data.filter(({ action }) => action.startsWith("bus."))).toEqual([]);
  expect([name, data.filter(({ action }) => action === "access.denied").length]).toEqual([
    name,
    spec.access === "operator" ? 1 : 0,
  ]);
});

async function signIn(app: ListeningApp) {
  await app
    .as("owner")
    .call("users.create", { body: { username: "ada", password, role: "owner" } });
  const session = await app.request("POST", "/api/admin/auth/login", {
    body: { username: "ada", password },
  });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { cookie, csrfToken: session.body.data.csrfToken as string };
}

test.each([
  { method: "PATCH", path: "/api/admin/bus/routes", status: 405 },
  { method: "GET", path: "/api/admin/bus", status: 404 },
  { method: "GET", path: "/api/admin/bus/routes/a/b", status: 404 },
])("what is no endpoint of it answers as with the bus on: $method $path", async (row) => {
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
