// Heartbeats store and audit changes of health. Heartbeats without changes write nothing.

import { test as base, expect, onTestFinished, vi } from "vitest";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { AppError } from "../../../src/domain/errors.ts";
import { startOfTime } from "../../helpers/app.ts";
import { changedTx, wrapWrites } from "../../helpers/wrapped-writes.ts";
import { expectInvalid, expectRefused } from "../refusals.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const test = base.extend("scene", () => openReported());

async function openReported(): Promise<Scene> {
  const scene = await openScene();
  await scene.report([collector]);
  scene.clock.advance(1000);
  return scene;
}

function beat(
  scene: Scene,
  health?: { serviceCode: string; healthStatus: string; message?: string }[],
) {
  return scene.beat({ health });
}

const at = (ms: number) => new Date(startOfTime + ms).toISOString();

test("new health is stored, and audited when the status changes", async ({ scene }) => {
  const before = (await scene.auditOf(scene.serviceId)).length;
  const down = { serviceCode: collector.code, healthStatus: "DOWN", message: "disk full" };
  await beat(scene, [down]);
  expect(await scene.service()).toMatchObject({
    healthStatus: "DOWN",
    healthMessage: "disk full",
    healthChangedAt: at(1000),
    status: "UNHEALTHY",
    storedStatus: "UNHEALTHY",
    updatedAt: at(0),
    lastReportedAt: at(0),
  });
  await beat(scene, [down]);
  scene.clock.advance(1000);
  await beat(scene, [{ ...down, message: "disk still full" }]);
  expect(await scene.service()).toMatchObject({
    healthMessage: "disk still full",
    healthChangedAt: at(1000),
  });
  expect((await scene.auditOf(scene.serviceId)).slice(before)).toEqual(["service.health.changed"]);
  // Reporting the previous health again counts as another change.
  await scene.report([collector]);
  expect(await scene.service()).toMatchObject({ healthStatus: "UP", healthChangedAt: at(2000) });
});

test("health of a service that is no longer reported does not change its status", async ({
  scene,
}) => {
  for (let minute = 0; minute < 2; minute++) {
    scene.clock.advance(60_000);
    await scene.beat();
  }
  await sweep(scene.app.core);
  const status = "STALE";
  expect(await scene.service()).toMatchObject({ status, storedStatus: status });
  scene.clock.advance(1);
  await beat(scene, [{ serviceCode: collector.code, healthStatus: "DOWN" }]);
  expect(await scene.service()).toMatchObject({
    healthStatus: "DOWN",
    status,
    storedStatus: status,
  });
  expect(await scene.count("service_periods")).toBe(2);
});

test("health of an unknown service is refused with all other health", async ({ scene }) => {
  const health = [collector.code, "unknown"].map((code) => ({
    serviceCode: code,
    healthStatus: "DOWN",
  }));
  await expectInvalid(beat(scene, health), "health.1.serviceCode");
  expect(await scene.service()).toMatchObject({ healthStatus: "UP" });
});

test("only the health of another agent's service is rejected", async ({ scene }) => {
  const other = await scene.registerAgent("edge-2");
  await scene.report([{ ...collector, code: "theirs" }], other);
  const health = ["theirs", collector.code].map((serviceCode) => ({
    serviceCode,
    healthStatus: "DOWN",
  }));
  const rejected = [{ code: "theirs", reason: "SERVICE_CODE_TAKEN", agentCode: "edge-2" }];
  expect(await beat(scene, health)).toMatchObject({ rejected });
  expect(await scene.service()).toMatchObject({ healthStatus: "DOWN" });
  const { data } = await scene.as("viewer").page("services.list", { query: { q: "theirs" } });
  expect(data).toMatchObject([{ healthStatus: "UP" }]);
  // Nothing else has changed, so the second refusal is only counted and gets no audit row.
  expect(await beat(scene, health)).toMatchObject({ rejected });
  expect(await scene.auditOf(data[0]!.id)).toEqual(["service.reported", "service.claim.refused"]);
});

test("an unchanged heartbeat writes nothing, but its time is shown", async ({ scene }) => {
  await flushPresence(scene.app.core);
  const written = scene.watchWrites();
  scene.clock.advance(5000);
  const timestamp = at(5000);
  expect(await scene.beat({ timestamp })).toEqual({
    serverTime: at(6000),
    clockSkewMs: -1000,
    cancelled: [],
    heartbeatIntervalSeconds: 30,
    reportIntervalSeconds: 30,
  });
  await beat(scene, [{ serviceCode: collector.code, healthStatus: "UP" }]);
  expect(written()).toBe(false);
  const agent = await scene.agentNow();
  expect(agent).toMatchObject({ lastHeartbeatAt: at(6000), clockSkewMs: -1000 });
});

test("the clock's skew is stored with the time of the call, in the same statements", async ({
  scene,
}) => {
  const { agent, app, clock, database } = scene;
  const statementsOf = async (timestamp?: string) => {
    clock.advance(1000);
    await scene.beat({ timestamp });
    const seen: string[] = [];
    const unwrap = wrapWrites(database, (tx) =>
      changedTx(tx, {
        run: (sql, ...params) => {
          seen.push(sql);
          return tx.run(sql, ...params);
        },
      }),
    );
    await flushPresence(app.core);
    unwrap();
    return seen;
  };
  const without = await statementsOf();
  expect(await scene.agentNow()).toMatchObject({ clockSkewMs: null });
  expect(without.join()).toContain("clock_skew_ms");
  expect(await statementsOf(at(10_803_000))).toEqual(without);
  expect(await scene.agentNow()).toMatchObject({ clockSkewMs: 10_800_000 });
  // A call without a time changes nothing.
  await statementsOf();
  expect(await scene.agentNow()).toMatchObject({ clockSkewMs: 10_800_000 });
  expect(app.core.presence.clockSkews.has(agent.agentId)).toBe(false);
});

test("a changed description is stored and audited once", async ({ scene }) => {
  const { agent, as } = scene;
  const say = (agentSays: object) =>
    agent.client.call("agent.heartbeat", { body: { agent: agentSays } });
  const wrote = scene.watchWrites();
  await say({ version: "2.0.0", labels: { site: "cellar" }, runtime: { token: "hunter2" } });
  await say({ version: "2.0.0", labels: { site: "cellar" } });
  wrote();
  await say({ version: "2.0.0" });
  expect(wrote()).toBe(false);
  const { data } = await as("viewer").page("agents.list", { query: { label: "site:cellar" } });
  expect(data).toMatchObject([
    { version: "2.0.0", labels: { site: "cellar" }, runtime: { token: "[REDACTED]" } },
  ]);
  const trail = await scene.auditOf(agent.agentId);
  expect(trail.filter((action) => action === "agent.updated")).toHaveLength(1);
  await expectRefused(say({ version: 2 }), "VALIDATION_FAILED");
});

test("failing reads cause no unhandled rejection", async ({ scene }) => {
  await scene.execute();
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const { read } = scene.app.core.db;
  const failing = ["get", "all"] as const;
  const spies = failing.map((how) =>
    vi.spyOn(read, how).mockImplementation(async () => {
      throw new AppError("UNAVAILABLE", "The storage could not be read.");
    }),
  );
  const health = [{ serviceCode: collector.code, healthStatus: "DOWN" }];
  for (const body of [{ health }, { agent: { version: "2" } }, {}]) {
    await expectRefused(scene.agent.client.call("agent.heartbeat", { body }), "UNAVAILABLE");
  }
  await new Promise((resolve) => setImmediate(resolve));
  for (const spy of spies) spy.mockRestore();
  expect(unhandled).toEqual([]);
  await beat(scene, health);
  expect(await scene.service()).toMatchObject({ healthStatus: "DOWN" });
});

test("a heartbeat reads the database again only after a cancellation", async ({ scene }) => {
  const running = await scene.execute();
  expect(await scene.poll()).toEqual([running]);
  await scene.execute();
  await beat(scene);
  const all = vi.spyOn(scene.app.core.db.read, "all");
  onTestFinished(() => all.mockRestore());
  for (let n = 0; n < 5; n++) expect(await beat(scene)).toMatchObject({ cancelled: [] });
  expect(all).not.toHaveBeenCalled();
  await scene.cancel(running);
  expect(await beat(scene)).toMatchObject({ cancelled: [running] });
});
