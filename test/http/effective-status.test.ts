// The effective status of a service as it goes over the wire: each row of the table in domain/effective-status.ts,
// on both sides of every threshold, wherever a status is shown; and the stored one before and after
// the sweep.

import { describe, expect, test } from "vitest";
import { effectiveStatuses } from "../../src/domain/services.ts";
import type { ServiceInput, TestAgent } from "../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";

interface Scene extends ListeningApp {
  agent: TestAgent;
  serviceId: string;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  change(how: "disable" | "enable" | "revoke-token"): Promise<unknown>;
  beat(health?: string): Promise<unknown>;
  report(service?: Partial<ServiceInput>): Promise<unknown>;
}

const service = { code: "s", name: "S", version: "1", healthStatus: "UP" };

async function openScene(
  env: Record<string, string> = {},
  first: ServiceInput = service,
): Promise<Scene> {
  const app = await listenTestApp(env);
  const { agentToken, ...agent } = await app.registerAgent("agent-1", [first]);
  const { key } = await app.as("owner").call("api-keys.create", {
    body: { name: "p", role: "operator" },
  });
  const send = async (bearer: string, method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, path, { bearer, body });
    expect(answer.status).toBe(200);
    return answer.body.data;
  };
  const [listed] = (await app.as("viewer").page("services.list")).data;
  return {
    ...app,
    agent: { ...agent, agentToken },
    serviceId: listed!.id,
    call: (method, path, body) => send(key, method, path, body),
    change: (how) => send(key, "POST", `/api/admin/agents/${agent.agentId}/${how}`),
    beat: (healthStatus) =>
      send(agentToken, "POST", "/api/agents/heartbeat", {
        health: healthStatus === undefined ? [] : [{ serviceCode: "s", healthStatus }],
      }),
    report: (changed = {}) =>
      send(agentToken, "POST", "/api/agents/services", { services: [{ ...first, ...changed }] }),
  };
}

/** Effective and stored status: the same in the list, by its id, and where its agent shows it. */
async function statusesOf(scene: Scene): Promise<{ status: string; storedStatus: string }> {
  const { call, serviceId, agent } = scene;
  const byId = (await call("GET", `/api/admin/capsule-services/${serviceId}`)) as {
    status: string;
    storedStatus: string;
  };
  const { status, storedStatus } = byId;
  const listed = (await call("GET", "/api/admin/capsule-services")) as object[];
  expect(listed).toEqual([expect.objectContaining({ id: serviceId, status, storedStatus })]);
  const shown = (await call("GET", `/api/admin/agents/${agent.agentId}`)) as { services: object[] };
  expect(shown.services).toEqual([expect.objectContaining({ id: serviceId, status })]);
  for (const wanted of effectiveStatuses) {
    const found = await call("GET", `/api/admin/capsule-services?status=${wanted}`);
    expect(found).toHaveLength(wanted === status ? 1 : 0);
  }
  return { status, storedStatus };
}

type Make = (scene: Scene) => unknown;
const pass =
  (ms: number): Make =>
  ({ clock }) =>
    clock.advance(ms);
/** Called now, reported `ms` ago. */
const reported =
  (ms: number): Make =>
  ({ clock, beat }) => {
    clock.advance(ms);
    return beat();
  };
const neverCalled: Make = ({ database }) =>
  database.write((tx) => tx.run("UPDATE agents SET last_heartbeat_at = NULL"));

const rows: [row: string, status: string, storedBefore: string, make: Make, health?: string][] = [
  ["1: disabled", "OFFLINE", "HEALTHY", ({ change }) => change("disable")],
  ["1: without a token", "OFFLINE", "HEALTHY", ({ change }) => change("revoke-token")],
  ["2: never called", "OFFLINE", "HEALTHY", neverCalled],
  ["2: silent for 900.001 s", "OFFLINE", "HEALTHY", pass(900_001)],
  ["3: silent for 900 s", "STALE", "HEALTHY", pass(900_000)],
  ["3: silent for 90.001 s", "STALE", "HEALTHY", pass(90_001)],
  ["6: silent for 90 s", "HEALTHY", "HEALTHY", pass(90_000)],
  ["4: reported 120.001 s ago", "STALE", "HEALTHY", reported(120_001)],
  ["6: reported 120 s ago", "HEALTHY", "HEALTHY", reported(120_000)],
  ["5: no health yet", "UNKNOWN", "UNKNOWN", () => undefined, "none"],
  ["5: health unknown", "UNKNOWN", "UNKNOWN", () => undefined, "STARTING"],
  ["6: healthy in other letters", "HEALTHY", "HEALTHY", () => undefined, "healthy"],
  ["6: degraded", "UNHEALTHY", "UNHEALTHY", () => undefined, "DEGRADED"],
  ["6: down by its heartbeat", "UNHEALTHY", "UNHEALTHY", ({ beat }) => beat("DOWN")],
  [
    "6: unhealthy by its report",
    "UNHEALTHY",
    "UNHEALTHY",
    (s) => s.report({ healthStatus: "DOWN" }),
  ],
  [
    "1 before 3",
    "OFFLINE",
    "HEALTHY",
    async (scene) => {
      await scene.change("disable");
      scene.clock.advance(100_000);
    },
  ],
  ["2 before 5", "OFFLINE", "UNKNOWN", pass(900_001), "none"],
  ["3 before 6", "STALE", "UNHEALTHY", pass(90_001), "DOWN"],
  ["4 before 5", "STALE", "UNKNOWN", reported(120_001), "none"],
  ["4 before 6", "STALE", "UNHEALTHY", reported(120_001), "DOWN"],
];

test.each(rows)("row %s: %s, and %s is stored until the sweep", async (...row) => {
  const [, status, storedBefore, make, health = "UP"] = row;
  const { healthStatus: _, ...without } = service;
  const first = health === "none" ? without : { ...service, healthStatus: health };
  const scene = await openScene({}, first);
  await make(scene);
  expect(await statusesOf(scene)).toEqual({ status, storedStatus: storedBefore });
  const swept = await scene.call("POST", "/api/admin/maintenance/run");
  expect(swept).toMatchObject({ serviceStatusesStored: status === storedBefore ? 0 : 1 });
  expect(await statusesOf(scene)).toEqual({ status, storedStatus: status });
});

test("the thresholds are the configured ones, to the millisecond", async () => {
  const scene = await openScene({
    AGENT_HEARTBEAT_INTERVAL_SECONDS: "10",
    AGENT_OFFLINE_THRESHOLD_SECONDS: "20",
    AGENT_SUPPRESS_AFTER_SECONDS: "40",
    SERVICE_STALE_THRESHOLD_SECONDS: "30",
  });
  const status = async () => (await statusesOf(scene)).status;
  scene.clock.advance(20_000);
  expect(await status()).toBe("HEALTHY");
  scene.clock.advance(1);
  expect(await status()).toBe("STALE");
  await scene.beat();
  expect(await status()).toBe("HEALTHY");
  scene.clock.advance(9999);
  expect(await status()).toBe("HEALTHY");
  scene.clock.advance(1);
  expect(await status()).toBe("STALE");
  scene.clock.advance(30_000);
  expect(await status()).toBe("STALE");
  scene.clock.advance(1);
  expect(await status()).toBe("OFFLINE");
});

test("a report that changes nothing counts as one, and puts the stored status right", async () => {
  const scene = await openScene();
  scene.clock.advance(130_000);
  await scene.beat();
  await scene.call("POST", "/api/admin/maintenance/run");
  expect(await statusesOf(scene)).toEqual({ status: "STALE", storedStatus: "STALE" });
  await scene.report();
  expect(await statusesOf(scene)).toEqual({ status: "HEALTHY", storedStatus: "HEALTHY" });
  scene.clock.advance(120_000);
  await scene.beat();
  expect(await statusesOf(scene)).toEqual({ status: "HEALTHY", storedStatus: "HEALTHY" });
});

describe("an agent that is enabled again", () => {
  test.each([
    ["ONLINE", "HEALTHY", 90_000],
    ["OFFLINE", "STALE", 90_001],
    ["OFFLINE", "OFFLINE", 900_001],
  ])("is %s, its service %s, when it has been silent for %i ms", async (...row) => {
    const [agentStatus, status, ms] = row;
    const scene = await openScene();
    await scene.change("disable");
    scene.clock.advance(ms);
    expect((await statusesOf(scene)).status).toBe("OFFLINE");
    expect(await scene.change("enable")).toMatchObject({ status: agentStatus, disabledAt: null });
    expect((await statusesOf(scene)).status).toBe(status);
    // A call brings it back; its service with the next report.
    await scene.beat();
    const found = await scene.call("GET", "/api/admin/agents?status=ONLINE");
    expect(found).toMatchObject([{ id: scene.agent.agentId }]);
    await scene.report();
    expect((await statusesOf(scene)).status).toBe("HEALTHY");
  });

  test("whose token was revoked meanwhile has services that are OFFLINE", async () => {
    const scene = await openScene();
    await scene.change("disable");
    await scene.change("revoke-token");
    expect(await scene.change("enable")).toMatchObject({ status: "OFFLINE", token: null });
    expect((await statusesOf(scene)).status).toBe("OFFLINE");
  });

  test("is still refused a call that it makes while it is disabled, and is not alive by it", async () => {
    const scene = await openScene();
    await scene.change("disable");
    scene.clock.advance(90_001);
    const bearer = scene.agent.agentToken;
    const refused = await scene.request("POST", "/api/agents/heartbeat", { bearer, body: {} });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "AGENT_DISABLED" } } });
    expect(await scene.change("enable")).toMatchObject({ status: "OFFLINE" });
  });
});

test("a service that moves has the status that its new agent gives it", async () => {
  const scene = await openScene();
  const other = await scene.registerAgent("agent-2");
  await scene.change("disable");
  expect((await statusesOf(scene)).status).toBe("OFFLINE");
  await other.client.call("agent.report", { body: { services: [service] as never } });
  scene.agent = other;
  expect((await statusesOf(scene)).status).toBe("HEALTHY");
});

test("a status that is none is refused, and nobody without a credential sees any", async () => {
  const scene = await openScene();
  const path = "/api/admin/capsule-services";
  expect((await scene.request("GET", path)).status).toBe(401);
  expect((await scene.request("GET", path, { bearer: scene.agent.agentToken })).status).toBe(401);
  const { key: bearer } = await scene.as("owner").call("api-keys.create", {
    body: { name: "v", role: "viewer" },
  });
  const wrong = await scene.request("GET", `${path}?status=ONLINE`, { bearer });
  expect(wrong).toMatchObject({ status: 422, body: { error: { code: "VALIDATION_FAILED" } } });
  expect((await scene.request("GET", `${path}?status=HEALTHY`, { bearer })).status).toBe(200);
});
