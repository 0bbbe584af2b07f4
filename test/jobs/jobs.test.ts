import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { countRefusedLogin } from "../../src/core/access/logins.ts";
import type { Core } from "../../src/core/context.ts";
import { RolloutDriver } from "../../src/core/rollouts/driver.ts";
import { jobTable, startJobs } from "../../src/jobs/index.ts";
import { silentLog } from "../../src/lib/log.ts";
import { requested } from "../core/approvals/requested.ts";
import { openScene, type Scene } from "../core/scene.ts";
import { openTestApp, startOfTime } from "../helpers/app.ts";
import { passingTime } from "./passing-time.ts";

/** Returns how many seconds after the start the silent agent was declared offline, or null. */
async function declaredAt(scene: Scene): Promise<number | null> {
  const { data } = await scene.as("viewer").page("audit-events.list", {
    query: { action: "agent.offline" },
  });
  const [event] = data;
  return event ? (Date.parse(event.at) - startOfTime) / 1000 : null;
}

test("the sweep runs every minute by default", async () => {
  const scene = await openScene();
  await passingTime(scene)(122_000);
  expect(await declaredAt(scene)).toBe(120);
});

test("a failed sweep runs again when the next sweep is due", async () => {
  const scene = await openScene();
  const { database } = scene;
  const pass = passingTime(scene);
  await pass(119_000);
  await database.write((tx) =>
    tx.run("CREATE TRIGGER no_sweep BEFORE UPDATE ON agents BEGIN SELECT RAISE(ABORT, 'no'); END"),
  );
  await expect(pass(1000)).rejects.toThrow("no");
  await pass(10_000);
  await database.write((tx) => tx.run("DROP TRIGGER no_sweep"));
  await pass(60_000);
  expect(await declaredAt(scene)).toBe(180);
});

test("the audit trail gets the sum of repeated events after their minute", async () => {
  const scene = await openScene();
  countRefusedLogin(scene.app.core);
  await passingTime(scene)(65_000);
  expect(await scene.trail({ action: "session.login.failed" })).toMatchObject([
    { metadata: { summed: { count: 1 } } },
  ]);
});

test("a request for approval expires within a second", async () => {
  const scene = await openScene();
  const { approvalId, requester } = await requested(scene);
  const params = { approvalId };
  const { expiresAt } = await requester.call("approvals.get", { params });
  const pass = passingTime(scene);
  const left = Date.parse(expiresAt) - scene.clock.now();
  await pass(left - 1, left);
  expect(await scene.trail({ action: "approval.expired" })).toEqual([]);
  await pass(1000);
  expect(await scene.trail({ action: "approval.expired" })).toHaveLength(1);
});

test("a long sweep does not count as a pause of the service, and the sweep detects a real pause", async () => {
  const { app, clock } = openTestApp();
  const jobs = Object.fromEntries(jobTable().map(({ name, run }) => [name, run]));
  const { statusClock } = app.core;
  await jobs.sweep!(app.core);
  for (let second = 0; second < 30; second++) {
    clock.advance(1000);
    await jobs["watch-clock"]!(app.core);
  }
  await jobs.sweep!(app.core);
  expect(statusClock.disturbances).toBe(0);
  clock.advance(30_000);
  await jobs.sweep!(app.core);
  expect(statusClock.disturbances).toBe(1);
});

function startOne(
  run: (core: Core, clock: { advance(ms: number): void }) => Promise<unknown>,
  errors: object[] = [],
) {
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
  const { app, clock } = openTestApp({}, { log });
  const stop = startJobs(app.core, [
    { name: "one", everyMs: 1, scope: "node", run: (core) => run(core, clock) },
  ]);
  onTestFinished(async () => void (await stop()));
  return stop;
}

test("a job repeats, and its runs never overlap", async () => {
  let running = 0;
  let runs = 0;
  let most = 0;
  startOne(async () => {
    runs++;
    most = Math.max(most, ++running);
    await nextTurn();
    running--;
  });
  await vi.waitFor(() => expect(runs).toBeGreaterThan(3), 60_000);
  expect(most).toBe(1);
});

test("stopping waits for the current run, and prevents further runs", async () => {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let runs = 0;
  let finished = 0;
  const stop = startOne(async () => {
    runs++;
    begun.resolve();
    await release.promise;
    finished++;
  });
  await begun.promise;
  const stopping = stop().then(() => finished);
  release.resolve();
  expect(await stopping).toBe(1);
  // Another job, which began later, has run several times.
  let others = 0;
  startOne(async () => others++);
  await vi.waitFor(() => expect(others).toBeGreaterThan(3), 60_000);
  expect(runs).toBe(1);
});

test("stopping waits for the running step of a rollout, and prevents further steps", async () => {
  const { app } = openTestApp();
  const step = Promise.withResolvers<boolean>();
  const advance = vi.fn(() => step.promise);
  const rollouts = new RolloutDriver(advance);
  const stop = startJobs({ ...app.core, rollouts }, []);
  rollouts.wake("rol_1");
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  rollouts.wake("rol_2");
  await nextTurn();
  expect(isStopped).toBe(false);
  step.resolve(true);
  await stopping;
  expect(advance.mock.calls).toEqual([["rol_1"]]);
});

test("a failed job is logged, and runs again", async () => {
  const errors: object[] = [];
  let runs = 0;
  startOne(async () => {
    runs++;
    throw new Error("not today");
  }, errors);
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2), 60_000);
  expect(errors[0]).toMatchObject({ job: "one", err: { message: "not today" } });
});

test("a job that fails again and again with the same message is logged once a minute", async () => {
  const errors: object[] = [];
  let runs = 0;
  startOne(async (_core, clock) => {
    runs++;
    if (runs === 6) clock.advance(60_000);
    throw new Error(runs === 4 ? "another" : "not today");
  }, errors);
  await vi.waitFor(() => expect(runs).toBeGreaterThan(8), 60_000);
  // "not today", "another", "not today", and "not today" again after a minute.
  expect(errors).toHaveLength(4);
});
