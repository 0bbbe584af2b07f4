// Ended commands are kept as long as configured, and open commands until they end.

import { describe, expect } from "vitest";
import { pruneCommands } from "../../../src/core/commands/retention.ts";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { collector, openScene, type Scene, test } from "../scene.ts";

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = dayMs / 24;

async function idsOf({ as }: Scene): Promise<string[]> {
  const query = { pageSize: 200 };
  return (await as("viewer").page("commands.list", { query })).data.map(({ id }) => id);
}

async function endedNow(scene: Scene, success = true): Promise<string> {
  await scene.beat();
  scene.app.core.presence.agents.add(scene.agent.agentId, scene.clock.now());
  const id = await scene.execute();
  await scene.poll();
  await scene.result(
    id,
    success ? { success, output: { a: 1 } } : { success, error: { code: "NO" } },
  );
  return id;
}

describe("commandRetentionDays", () => {
  test.for<[days: number | null, left: number]>([
    [null, 2],
    [0, 3],
    [5, 1],
  ])("with retention for %j days, %i of three commands remain", async ([days, left], { scene }) => {
    await scene.as("owner").call("settings.update", { body: { commandRetentionDays: days } });
    const made = [await endedNow(scene)];
    scene.clock.advance(85 * dayMs);
    made.unshift(await endedNow(scene));
    scene.clock.advance(10 * dayMs);
    made.unshift(await endedNow(scene));
    scene.clock.advance(hourMs);
    expect((await sweep(scene.app.core)).commandsPruned).toBe(3 - left);
    expect(await idsOf(scene)).toEqual(made.slice(0, left));
    expect(await scene.count("command_results")).toBe(left);
  });

  test("open commands are kept, however old they are", async ({ scene }) => {
    const id = await scene.execute();
    scene.clock.advance(400 * dayMs);
    expect(await pruneCommands(scene.app.core, scene.clock.now())).toBe(0);
    expect(await idsOf(scene)).toEqual([id]);
  });

  test("pruning has one audit row, and the trail verifies", async ({ scene }) => {
    for (let n = 0; n < 3; n++) await endedNow(scene);
    scene.clock.advance(91 * dayMs);
    await sweep(scene.app.core);
    await sweep(scene.app.core);
    const data = await scene.trail({ action: "command.pruned" });
    expect(data).toMatchObject([{ actorType: "SYSTEM", targetId: null }]);
    const before = Date.parse(String(data[0]?.metadata.before));
    expect(before % hourMs).toBe(0);
    expect(await scene.as("viewer").call("audit-events.verify")).toMatchObject({ ok: true });
  });
});

test("pruning keeps counters, and other metrics follow the remaining commands", async ({
  scene,
}) => {
  await endedNow(scene);
  await endedNow(scene, false);
  scene.clock.advance(91 * dayMs);
  await sweep(scene.app.core);
  await endedNow(scene, false);
  expect(await scene.as("owner").call("metrics.get")).toMatchObject({
    operational: { commandsCompleted: 1, commandsFailed: 2 },
    byStatus: { commands: { FAILED: 1 } },
    topCommandErrors: [{ code: "NO", count: 1 }],
    commandDurations: { sampleSize: 1 },
    totals: { commands: 1 },
  });
});

test("a command can be retried after its prepare was deleted", async ({ scene }) => {
  const prepare = await scene.prepare({ success: true, output: {} });
  scene.clock.advance(2 * hourMs);
  scene.app.core.presence.agents.add(scene.agent.agentId, scene.clock.now());
  const id = await scene.execute({ prepareCommandId: prepare });
  await scene.cancel(id);
  expect(await pruneCommands(scene.app.core, scene.clock.now())).toBe(1);
  expect(await scene.get(id)).toMatchObject({ prepareCommandId: prepare });
  const retried = await scene
    .as("operator")
    .call("commands.retry", { params: { commandId: id }, body: {} });
  await scene.cancel(retried.command!.id);
  scene.clock.advance(2 * hourMs);
  expect(await pruneCommands(scene.app.core, scene.clock.now())).toBe(2);
});

test("a bus event still shows the id of a deleted command", async () => {
  const scene = await openScene({ CAPSULE_BUS_ENABLED: "true" });
  const { as } = scene;
  const target = { serviceCode: collector.code, action: "rotate" };
  await as("operator").call("bus-routes.create", {
    body: { name: "r", match: { type: "log.full" }, target, state: "ENABLED" },
  });
  const event = { type: "log.full", source: collector.code };
  const { id: eventId } = await as("operator").call("bus-events.publish", { body: event });
  const [id = ""] = await scene.poll();
  await scene.result(id);
  scene.clock.advance(2 * hourMs);
  expect(await pruneCommands(scene.app.core, scene.clock.now())).toBe(1);
  const stored = await as("viewer").call("bus-events.get", { params: { eventId } });
  expect(stored.routes).toMatchObject([{ outcome: "COMMAND_CREATED", commandId: id }]);
});

describe("many", () => {
  async function makeMany(scene: Scene, many: number): Promise<void> {
    await scene.cancel(await scene.execute());
    const copy = `INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action,
        payload, source_kind, timeout_seconds, created_at, expires_at, completed_at)
      WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
      SELECT 'cmd_' || n, type, status, agent_id, service_id, service_code, action, payload,
        source_kind, timeout_seconds, created_at, expires_at, completed_at FROM commands, numbers`;
    await scene.database.write((tx) => tx.run(copy, many));
    scene.clock.advance(91 * dayMs);
  }

  test("are deleted in several transactions", async ({ scene }) => {
    await makeMany(scene, 450);
    const pruning = pruneCommands(scene.app.core, scene.clock.now() - 90 * dayMs);
    let turns = 0;
    let isOver = false;
    void pruning.then(() => (isOver = true));
    while (!isOver) {
      await scene.database.write(async () => undefined);
      turns++;
    }
    expect(await pruning).toBe(450);
    expect(await scene.count("commands")).toBe(0);
    expect(turns).toBeGreaterThan(2);
  });

  test("are deleted until the service stops between two transactions", async ({ scene }) => {
    await makeMany(scene, 450);
    const pruning = pruneCommands(scene.app.core, scene.clock.now() - 90 * dayMs);
    await scene.database.write(async () => undefined);
    scene.app.beginToStop();
    const first = await pruning;
    expect(first).toBeLessThan(450);
    expect(await scene.count("commands")).toBe(450 - first);
  });
});
