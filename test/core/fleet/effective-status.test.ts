// Every part of the API shows the same effective status. test/domain/effective-status.test.ts tests
// the rules, and test/store/tables/services.test.ts the SQL.

import { expect, test } from "vitest";
import { effectiveStatuses } from "../../../src/domain/services.ts";
import { openTestApp, type ServiceInput, type TestAgent, type TestApp } from "../../helpers/app.ts";

interface Scene extends TestApp {
  agent: TestAgent;
  serviceId: string;
  change(how: "disable" | "enable" | "revoke-token"): Promise<{ status: string }>;
  beat(health?: string): Promise<unknown>;
  report(service?: Partial<ServiceInput>): Promise<unknown>;
  sweep(): Promise<{ serviceStatusesStored: number }>;
}

const service = { code: "s", name: "S", version: "1", healthStatus: "UP" };

async function openScene(env: Record<string, string> = {}, first: ServiceInput = service) {
  const app = openTestApp(env);
  const operator = app.as("operator");
  const agent = await app.registerAgent("agent-1", [first]);
  const [listed] = await operator.call("services.list");
  const scene: Scene = {
    ...app,
    agent,
    serviceId: listed!.id,
    change: (how) => operator.call(`agents.${how}`, { params: { agentId: agent.agentId } }),
    beat: (healthStatus) => {
      const health = healthStatus === undefined ? [] : [{ serviceCode: "s", healthStatus }];
      return agent.client.call("agent.heartbeat", { body: { health } });
    },
    report: (changed = {}) =>
      agent.client.call("agent.report", {
        body: { services: [{ ...first, ...changed }] as never },
      }),
    sweep: () => operator.call("maintenance.run", { body: {} }),
  };
  return scene;
}

/** The list, the service and its agent must show the same status. */
async function statusesOf({ as, serviceId, agent }: Scene): Promise<string[]> {
  const viewer = as("viewer");
  const { status, storedStatus } = await viewer.call("services.get", { params: { serviceId } });
  expect(await viewer.call("services.list")).toMatchObject([
    { id: serviceId, status, storedStatus },
  ]);
  const { services } = await viewer.call("agents.get", { params: { agentId: agent.agentId } });
  expect(services).toMatchObject([{ id: serviceId, status }]);
  for (const wanted of effectiveStatuses) {
    const found = await viewer.call("services.list", { query: { status: wanted } });
    expect(found).toHaveLength(wanted === status ? 1 : 0);
  }
  return [status, storedStatus];
}

type Make = (scene: Scene) => unknown;
const pass =
  (ms: number): Make =>
  ({ clock }) =>
    clock.advance(ms);
/** The agent has just called, and it reported the service `ms` ago. */
const reported =
  (ms: number): Make =>
  ({ clock, beat }) => {
    clock.advance(ms);
    return beat();
  };
const down: Make = ({ report }) => report({ healthStatus: "DOWN" });

test.each<[row: string, status: string, storedBefore: string, make: Make, health?: string]>([
  ["disabled", "OFFLINE", "HEALTHY", ({ change }) => change("disable")],
  ["without a token", "OFFLINE", "HEALTHY", ({ change }) => change("revoke-token")],
  ["silent for 900.001 s", "OFFLINE", "HEALTHY", pass(900_001)],
  ["silent for 90.001 s", "STALE", "HEALTHY", pass(90_001)],
  ["reported 120.001 s ago", "STALE", "HEALTHY", reported(120_001)],
  ["no health yet", "UNKNOWN", "UNKNOWN", () => undefined, "none"],
  ["down by its heartbeat", "UNHEALTHY", "UNHEALTHY", ({ beat }) => beat("DOWN")],
  ["down by its report", "UNHEALTHY", "UNHEALTHY", down],
  ["down, and then silent", "STALE", "UNHEALTHY", pass(90_001), "DOWN"],
])(
  "%s: the status is %s, and %s is stored until the sweep",
  async (_, status, storedBefore, make, health) => {
    const { healthStatus, ...without } = service;
    const first =
      health === "none" ? without : { ...service, healthStatus: health ?? healthStatus };
    const scene = await openScene({}, first);
    await make(scene);
    expect(await statusesOf(scene)).toEqual([status, storedBefore]);
    const { serviceStatusesStored } = await scene.sweep();
    expect(serviceStatusesStored).toBe(status === storedBefore ? 0 : 1);
    expect(await statusesOf(scene)).toEqual([status, status]);
  },
);

test("the configured thresholds apply, to the millisecond", async () => {
  const scene = await openScene({
    AGENT_HEARTBEAT_INTERVAL_SECONDS: "10",
    AGENT_OFFLINE_THRESHOLD_SECONDS: "20",
    AGENT_SUPPRESS_AFTER_SECONDS: "40",
    SERVICE_STALE_THRESHOLD_SECONDS: "30",
  });
  const statusAfter = async (ms: number) => {
    scene.clock.advance(ms);
    return (await statusesOf(scene))[0];
  };
  expect([await statusAfter(20_000), await statusAfter(1)]).toEqual(["HEALTHY", "STALE"]);
  await scene.beat();
  expect([await statusAfter(9999), await statusAfter(1)]).toEqual(["HEALTHY", "STALE"]);
  expect([await statusAfter(30_000), await statusAfter(1)]).toEqual(["STALE", "OFFLINE"]);
});

test("an unchanged report counts as a report and corrects the stored status", async () => {
  const scene = await openScene();
  scene.clock.advance(130_000);
  await scene.beat();
  await scene.sweep();
  expect(await statusesOf(scene)).toEqual(["STALE", "STALE"]);
  await scene.report();
  expect(await statusesOf(scene)).toEqual(["HEALTHY", "HEALTHY"]);
  scene.clock.advance(120_000);
  await scene.beat();
  expect(await statusesOf(scene)).toEqual(["HEALTHY", "HEALTHY"]);
});

test("a service that moves gets its status from its new agent", async () => {
  const scene = await openScene();
  const other = await scene.registerAgent("agent-2");
  await scene.change("disable");
  expect((await statusesOf(scene))[0]).toBe("OFFLINE");
  await other.client.call("agent.report", { body: { services: [service] as never } });
  expect((await statusesOf({ ...scene, agent: other }))[0]).toBe("HEALTHY");
});
