// The metrics equal what happened, even after restarts and deletions.

import { describe, expect, vi } from "vitest";
import type { ReplyData } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import { createFirstOwner } from "../../../src/core/access/users.ts";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { expireTokens } from "../../../src/core/fleet/registration-tokens.ts";
import { sweepSilentAgents } from "../../../src/core/fleet/status-sweep.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { refuseRows } from "../../helpers/stored.ts";
import { anotherProcess } from "../access/people.ts";
import { collector, type Scene, test } from "../scene.ts";

type Metrics = ReplyData<Routes["metrics.get"]>;

const metricsOf = ({ as }: TestApp): Promise<Metrics> => as("owner").call("metrics.get");

const nothingCounted = {
  agentCommandPolls: 0,
  commandsDispatched: 0,
  commandsCompleted: 0,
  commandsFailed: 0,
  actionPrepareRequested: 0,
  actionPrepareTimeouts: 0,
  actionPrepareFailures: 0,
  oversizedCommandResultsRejected: 0,
  commandOutputBytes: 0,
  scheduleRunsStarted: 0,
  scheduleRunsSkipped: 0,
  scheduleRunsFailed: 0,
  schedulesPaused: 0,
  staleOnlineAgents: 0,
};

test("for an empty database, every field is zero or null", async () => {
  const { workspace, ...counted } = await metricsOf(openTestApp());
  expect(workspace).toEqual({ id: expect.stringMatching(/^wsp_/), name: "default" });
  const values = JSON.stringify(counted).match(/(?<=":)[^,{}]+/g)!;
  expect(new Set(values)).toEqual(new Set(["0", "null", "[]"]));
});

test("the workspace keeps its id and has its current name", async () => {
  const scene = openTestApp({ WORKSPACE_NAME: "north" });
  const { workspace } = await metricsOf(scene);
  expect(workspace.name).toBe("north");
  await scene.as("owner").call("settings.update", { body: { workspaceName: "south" } });
  expect((await metricsOf(scene)).workspace).toEqual({ id: workspace.id, name: "south" });
});

test("each counter counts its own events once", async ({ scene }) => {
  expect((await metricsOf(scene)).operational).toEqual(nothingCounted);
  const [completed, failed, cancelled] = await scene.executeMany(3);
  await scene.poll({ wait: 0 });
  await scene.poll({ wait: 0, held: "" });
  const params = { commandId: completed! };
  const chunks = [{ offset: 10, stream: "stdout" as const, text: "four" }];
  await scene.agent.client.call("agent.output", { params, body: { chunks } });
  await scene.agent.client.call("agent.output", { params, body: { chunks } });
  await scene.result(completed!);
  await scene.result(completed!);
  await scene.result(failed!, { success: false });
  await scene.cancel(cancelled!);
  await scene.result(cancelled!).catch(() => undefined);
  expect((await metricsOf(scene)).operational).toEqual({
    ...nothingCounted,
    agentCommandPolls: 2,
    commandsDispatched: 3,
    commandsCompleted: 1,
    commandsFailed: 1,
    commandOutputBytes: 4,
  });
});

describe("durations", () => {
  /** Runs a command for each duration, one after the other. `end` ends each command. */
  async function run(scene: Scene, milliseconds: number[], end?: (id: string) => Promise<unknown>) {
    for (const ms of milliseconds) {
      const id = await scene.execute();
      await scene.poll();
      scene.clock.advance(ms);
      await (end ?? scene.result)(id);
    }
  }

  test("include only commands that ran and succeeded or failed", async ({ scene }) => {
    await run(scene, [300, 100, 400]);
    await run(scene, [200], (id) => scene.result(id, { success: false }));
    await run(scene, [5000], scene.cancel);
    await run(scene, [60_001], () => expireCommands(scene.app.core));
    await scene.cancel(await scene.execute());
    await scene.execute();
    scene.clock.advance(300_001);
    await expireCommands(scene.app.core);
    const { commandDurations, byStatus } = await metricsOf(scene);
    // The fifth command timed out. Cancelled and undelivered commands are not included.
    expect(commandDurations).toEqual({
      sampleSize: 5,
      p50Ms: 300,
      p95Ms: 60_001,
      maxMs: 60_001,
      meanMs: 12_200,
    });
    expect(byStatus.commands).toMatchObject({ SUCCEEDED: 3, FAILED: 3, CANCELLED: 2 });
  });

  test("are those of the last 1000 commands that ended", async ({ scene }) => {
    // The command with the oldest id ended last, and that with the newest id ended first.
    await addCommands(scene, 1500, (i) => [10_000 - i, 20_000 - i * 3]);
    const { commandDurations } = await metricsOf(scene);
    expect(commandDurations).toEqual({
      sampleSize: 1000,
      p50Ms: 10_000 - 2 * 500,
      p95Ms: 10_000 - 2 * 50,
      maxMs: 10_000,
      meanMs: 9001,
    });
  });

  test("are 0 if the clock was set back", async ({ scene }) => {
    const id = await scene.execute();
    await scene.poll();
    scene.clock.jump(-5000);
    await scene.result(id);
    expect((await metricsOf(scene)).commandDurations).toMatchObject({ sampleSize: 1, p50Ms: 0 });
  });
});

function addCommands(
  { elsewhere, agent, serviceId }: Scene,
  count: number,
  times: (number: number) => [startedAt: number, completedAt: number],
): Promise<void> {
  const rows = Array.from({ length: count }, (_, number) => {
    const id = `cmd_${String(number).padStart(26, "0")}`;
    return `('${id}', 'ACTION_EXECUTE', 'SUCCEEDED', '${agent.agentId}', '${serviceId}', 's', 'a', '{}',
      'operator', 1, 0, 0, ${times(number).join()})`;
  });
  return elsewhere(
    `INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action, payload,
      source_kind, timeout_seconds, created_at, expires_at, started_at, completed_at)
    VALUES ${rows.join()}`,
  );
}

test("the ten most frequent errors are listed, and equally frequent ones by code", async ({
  scene,
}) => {
  for (const code of "KJIABBBHHCDEFGZZZ") {
    const id = await scene.execute();
    await scene.poll();
    await scene.result(id, { success: false, error: { code } });
  }
  expect((await metricsOf(scene)).topCommandErrors).toEqual([
    { code: "B", count: 3 },
    { code: "Z", count: 3 },
    { code: "H", count: 2 },
    ...["A", "C", "D", "E", "F", "G", "I"].map((code) => ({ code, count: 1 })),
  ]);
});

test("rows are counted by status and in total", async ({ scene }) => {
  const { as, app, clock } = scene;
  const operator = as("operator");
  await createFirstOwner(app.core, { username: "ada", password: "a sentence of many characters" });
  const services = ["down", "silent"].map((code) => ({ ...collector, code, healthStatus: "DOWN" }));
  const off = await scene.registerAgent("off", services);
  await operator.call("agents.disable", { params: off });
  await scene.registerAgent("silent");
  clock.advance(91_000);
  await scene.poll();
  await sweepSilentAgents(app.core);
  const create = (body: object) => operator.call("registration-tokens.create", { body });
  await create({ expiresInSeconds: 10 });
  await create({ expiresInSeconds: 20 });
  await create({ expiresInSeconds: 0 });
  await create({});
  const expected = { ACTIVE: 4, USED: 3, REVOKED: 0, EXPIRED: 0 };
  expect((await metricsOf(scene)).byStatus.registrationTokens).toEqual(expected);
  // The token counts as expired even before the sweep stores that.
  clock.advance(10_000);
  const oneLess = { ...expected, ACTIVE: 3, EXPIRED: 1 };
  expect((await metricsOf(scene)).byStatus.registrationTokens).toEqual(oneLess);
  await expireTokens(app.core, clock.now());
  expect((await metricsOf(scene)).byStatus.registrationTokens).toEqual(oneLess);
  clock.advance(10_000);

  await scene.poll();
  await scene.executeMany(4);
  const [completed, failed] = await scene.poll({ wait: 0, limit: 3 });
  await scene.result(completed!);
  await scene.result(failed!, { success: false });
  const { byStatus, totals } = await metricsOf(scene);
  expect(byStatus).toEqual({
    agents: { ONLINE: 1, OFFLINE: 1, DISABLED: 1 },
    rollouts: {
      AWAITING_APPROVAL: 0,
      RUNNING: 0,
      PAUSED: 0,
      SUCCEEDED: 0,
      FAILED: 0,
      CANCELLED: 0,
    },
    approvals: {
      AWAITING_APPROVAL: 0,
      APPROVED: 0,
      REJECTED: 0,
      WITHDRAWN: 0,
      EXPIRED: 0,
      OUTDATED: 0,
      FAILED: 0,
      BYPASSED: 0,
    },
    schedules: { ENABLED: 0, PAUSED: 0 },
    capsuleServices: { HEALTHY: 1, UNHEALTHY: 0, STALE: 0, OFFLINE: 2, UNKNOWN: 0 },
    registrationTokens: { ACTIVE: 2, USED: 3, REVOKED: 0, EXPIRED: 2 },
    commands: { PENDING: 1, RUNNING: 1, SUCCEEDED: 1, FAILED: 1, CANCELLED: 0 },
  });
  const { pagination } = await as("viewer").page("audit-events.list");
  expect(totals).toEqual({
    users: 1,
    agents: 3,
    capsuleServices: 3,
    registrationTokens: 7,
    commands: 4,
    auditEvents: pagination.total,
  });
});

test("stale online agents are those that are silent but not yet swept", async ({ scene }) => {
  const stale = async () => (await metricsOf(scene)).operational.staleOnlineAgents;
  await scene.registerAgent("edge-2");
  const off = await scene.registerAgent("edge-3");
  await scene.change("disable", off);
  scene.clock.advance(90_000);
  expect(await stale()).toBe(0);
  scene.clock.advance(1);
  expect(await stale()).toBe(2);
  // A call counts even before it is stored.
  await scene.beat();
  expect(await stale()).toBe(1);
  await sweepSilentAgents(scene.app.core);
  expect(await stale()).toBe(0);
});

describe("counters", () => {
  const polls = async (scene: TestApp) => (await metricsOf(scene)).operational.agentCommandPolls;

  test("survive a restart and deleted rows", async ({ scene }) => {
    const [id, other] = await scene.executeMany(2);
    await scene.poll();
    await scene.result(id!);
    await scene.result(other!, { success: false });
    const before = await metricsOf(scene);
    await scene.app.close();

    await scene.elsewhere(`
      DELETE FROM command_results;
      DELETE FROM commands;
      INSERT INTO audit_checkpoints SELECT MAX(seq) - 2, 'x', 0, 'x' FROM audit_events;
      DELETE FROM audit_events WHERE seq <= (SELECT seq FROM audit_checkpoints);`);
    const after = await anotherProcess(scene).call("metrics.get");
    expect(before.operational).toMatchObject({ commandsCompleted: 1, commandsFailed: 1 });
    expect(after.operational).toEqual(before.operational);
    expect(after.workspace).toEqual(before.workspace);
    expect(after.totals).toMatchObject({ commands: 0, auditEvents: 2 });
    expect(after.topCommandErrors).toEqual([]);
  });

  test("never count twice what is written while they are read", async ({ scene }) => {
    const { db, counters } = scene.app.core;
    await scene.poll();
    // A second poll comes after the flush before the read, and another flush writes it.
    const openReader = db.bulkReader.bind(db);
    vi.spyOn(db, "bulkReader").mockImplementationOnce((...args) => {
      counters.count("agentCommandPolls");
      return openReader(...args);
    });
    const readAll = db.read.all.bind(db.read);
    vi.spyOn(db.read, "all").mockImplementation(async (sql, ...params) => {
      if (sql.includes("FROM counters")) await flushPresence(scene.app.core);
      return readAll(sql, ...params);
    });
    expect(await polls(scene)).toBe(2);
    expect(await polls(scene)).toBe(2);
  });

  test("show what is stored if they cannot be written, and lose nothing", async ({ scene }) => {
    await scene.poll();
    expect(await polls(scene)).toBe(1);
    const allow = await refuseRows(scene, "UPDATE ON counters");
    await scene.poll();
    await expect(flushPresence(scene.app.core)).rejects.toThrow("refused by the test");
    expect(await polls(scene)).toBe(1);
    await scene.poll();
    await allow();
    expect(await polls(scene)).toBe(3);
    await flushPresence(scene.app.core);
    expect(scene.app.core.counters.dirty).toBe(false);
    expect(await polls(scene)).toBe(3);
  });
});
