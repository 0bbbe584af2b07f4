// Every part of the API shows the same effective status. test/domain/fleet/effective-status.test.ts tests
// the rules, and test/store/tables/fleet/services.test.ts the SQL.

import { expect } from "vitest";
import { effectiveStatuses } from "../../../src/domain/fleet/services.ts";
import type { ServiceInput } from "../../helpers/app.ts";
import { collector, openScene, type Scene, test } from "../scene.ts";

const beat = (scene: Scene, healthStatus: string) =>
  scene.beat({ health: [{ serviceCode: collector.code, healthStatus }] });

const sweep = ({ as }: Scene) => as("operator").call("maintenance.run");

/** Returns the status, and checks that the list, the service and its agent show the same one. */
async function statusesOf({ as, service, serviceId, agent }: Scene): Promise<string[]> {
  const viewer = as("viewer");
  const { status, storedStatus } = await service();
  expect(await viewer.call("services.list")).toMatchObject([
    { id: serviceId, status, storedStatus },
  ]);
  const { services } = await viewer.call("agents.get", { params: agent });
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
const reported =
  (healthStatus?: string): Make =>
  ({ report }) => {
    const { healthStatus: _, ...service }: ServiceInput = collector;
    return report([{ ...service, ...(healthStatus ? { healthStatus } : {}) }]);
  };

test.for<[row: string, status: string, storedBefore: string, make: Make]>([
  ["disabled", "OFFLINE", "HEALTHY", (scene) => scene.change("disable")],
  ["without a token", "OFFLINE", "HEALTHY", (scene) => scene.change("revoke-token")],
  ["silent for 900.001 s", "OFFLINE", "HEALTHY", pass(900_001)],
  ["silent for 90.001 s", "STALE", "HEALTHY", pass(90_001)],
  ["without health", "UNKNOWN", "UNKNOWN", reported()],
  ["down by its heartbeat", "UNHEALTHY", "UNHEALTHY", (scene) => beat(scene, "DOWN")],
  ["down by its report", "UNHEALTHY", "UNHEALTHY", reported("DOWN")],
])(
  "%s: the status is %s, and %s is stored until the sweep",
  async ([_row, status, storedBefore, make], { scene }) => {
    await make(scene);
    expect(await statusesOf(scene)).toEqual([status, storedBefore]);
    const { serviceStatusesStored } = await sweep(scene);
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

test("an unchanged report counts as a report and corrects the stored status", async ({ scene }) => {
  scene.clock.advance(130_000);
  await scene.beat();
  await sweep(scene);
  expect(await statusesOf(scene)).toEqual(["STALE", "STALE"]);
  await scene.report([collector]);
  expect(await statusesOf(scene)).toEqual(["HEALTHY", "HEALTHY"]);
  scene.clock.advance(120_000);
  await scene.beat();
  expect(await statusesOf(scene)).toEqual(["HEALTHY", "HEALTHY"]);
});

test("a service that moves gets its status from its new agent", async ({ scene }) => {
  const agent = await scene.registerAgent("edge-2");
  await scene.change("disable");
  expect((await statusesOf(scene))[0]).toBe("OFFLINE");
  await scene.report([collector], agent);
  expect((await statusesOf({ ...scene, agent }))[0]).toBe("HEALTHY");
});
