// When schedules run: in time, late, during the previous run, during a pause, and for whom.

import { test as base, describe, expect } from "vitest";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { writeDataLoss } from "../../../src/store/tables/data-loss.ts";
import { beforeNextWrite } from "../../helpers/wrapped-writes.ts";
import { userIn } from "../approvals/requested.ts";
import { outcome } from "../refusals.ts";
import { collector } from "../scene.ts";
import { everyTen, openSchedules, rotate, type ScheduleScene } from "./schedules-scene.ts";

const test = base.extend("scene", () => openSchedules());

const rollout = { kind: "rollout" as const, action: "rotate", selector: "" };

const pauseOne = ({ operator }: ScheduleScene, id: string) =>
  operator.call("schedules.pause", { params: { scheduleId: id } });
const pauseAll = ({ operator }: ScheduleScene) =>
  operator.call("schedules.pause-all", { body: {} });

const resumeAll = ({ operator }: ScheduleScene) => operator.call("schedules.resume-all", {});

const loseChanges = ({ database }: ScheduleScene) => {
  const loss = { since: 1, seq: 9, host: "a", acceptedAt: null, acceptedBy: null };
  return database.write((tx) => writeDataLoss(tx, loss));
};

const acceptLoss = (scene: ScheduleScene) =>
  scene.as("owner").call("maintenance.accept-data-loss", {});

test("an action runs at its time, once, and the run ends as its command", async ({ scene }) => {
  const { id } = await scene.create({ target: { ...rotate, reason: "nightly" } });
  await scene.at("03:09:59");
  expect(await scene.runs(id)).toEqual([]);
  await scene.at("03:10:00");
  await scene.at("03:10:07");
  const [run] = await scene.runs(id);
  const command = await scene.get(run?.commandId ?? "");
  expect(command).toMatchObject({
    ...{ action: "rotate", reason: "nightly" },
    source: { kind: "schedule", scheduleId: id, name: "rotate" },
  });
  await scene.endCommands();
  await scene.at("03:20:00");
  await scene.endCommands(false);
  expect(await scene.history(id)).toEqual(["03:10 SUCCEEDED", "03:20 FAILED ACTION_FAILED"]);
  expect(await scene.auditOf(id)).toEqual([
    ...["schedule.created", "schedule.run.started", "schedule.run.started", "schedule.run.failed"],
  ]);
  expect(await scene.getSchedule(id)).toMatchObject({
    nextRunAt: "2026-01-02T03:30:00.000Z",
    lastRun: { state: "FAILED", trigger: "time" },
  });
  const { operational } = await scene.as("owner").call("metrics.get");
  expect(operational).toMatchObject({ scheduleRunsStarted: 2, scheduleRunsFailed: 1 });
});

test("a rollout runs, and its run ends with it", async ({ scene }) => {
  const plain = { code: "plain", name: "Plain", version: "1" };
  await scene.report([collector, plain]);
  const { id } = await scene.create({ target: { ...rollout, name: "all" } });
  await scene.at("03:10:00");
  const [run] = await scene.runs(id);
  expect(run).toMatchObject({
    ...{ state: "RUNNING", commandId: null },
    leftOut: { total: 1, reasons: [{ code: "ACTION_NOT_FOUND", count: 1 }] },
  });
  const params = { rolloutId: run?.rolloutId ?? "" };
  expect(await scene.operator.call("rollouts.get", { params })).toMatchObject({
    ...{ name: "all", createdBy: "rotate", scheduleId: id, state: "RUNNING" },
  });
  await scene.operator.call("rollouts.cancel", { params });
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 FAILED ROLLOUT_CANCELLED"]);
});

test.each<[title: string, target: object, code: string]>([
  ["a missing service", { ...rotate, service: "x" }, "SERVICE_NOT_FOUND"],
  ["a rollout without services", { ...rollout, selector: "a=b" }, "ROLLOUT_HAS_NO_TARGETS"],
  ["a rollout without its canary", { ...rollout, canary: "a=b" }, "VALIDATION_FAILED"],
])("%s fails the run", async (_title, target, code) => {
  const scene = await openSchedules();
  const { id } = await scene.create({ target: target as never });
  await scene.at("03:10:00");
  expect(await scene.history(id)).toEqual([`03:10 FAILED ${code}`]);
  const [failed] = await scene.trail({ action: "schedule.run.failed" });
  expect(failed).toMatchObject({ result: "FAILURE", metadata: { errorCode: code } });
  await scene.at("03:20:00");
  expect(await scene.history(id)).toHaveLength(2);
});

test("an offline agent fails the run, and a call that is not stored yet counts", async ({
  scene,
}) => {
  const { id } = await scene.create();
  scene.clock.advance(Date.parse("2026-01-02T03:10:00Z") - scene.clock.now());
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 FAILED AGENT_OFFLINE"]);
  await scene.at("03:20:00");
  expect(await scene.history(id)).toEqual(["03:10 FAILED AGENT_OFFLINE", "03:20 RUNNING"]);
});

describe("runs that were missed", () => {
  test("are recorded together and do not run by default", async ({ scene }) => {
    const { id } = await scene.create();
    await scene.at("03:45:00");
    expect(await scene.history(id)).toEqual(["03:40 SKIPPED MISSED +3"]);
    expect(await scene.count("commands")).toBe(0);
    await scene.at("03:50:00");
    expect(await scene.history(id)).toEqual(["03:40 SKIPPED MISSED +3", "03:50 RUNNING"]);
  });

  test("run once, as the latest", async ({ scene }) => {
    const { id } = await scene.create({ missed: "once" });
    await scene.at("03:45:00");
    expect(await scene.history(id)).toEqual(["03:40 RUNNING +3"]);
  });
});

describe("while the previous run has not ended", () => {
  test("a run is skipped by default", async ({ scene }) => {
    const { id } = await scene.create({ target: { ...rotate, action: "form" } });
    await scene.as("operator").call("schedules.update", {
      params: { scheduleId: id },
      body: { ...everyTen, cron: "* * * * *", version: 1 },
    });
    await scene.at("03:05:00");
    await scene.at("03:06:00");
    await scene.endCommands();
    await scene.at("03:07:00");
    expect(await scene.history(id)).toEqual([
      ...["03:05 SUCCEEDED", "03:06 SKIPPED OVERLAP", "03:07 RUNNING"],
    ]);
  });

  test("one run can wait for it", async ({ scene }) => {
    const { id } = await scene.create({ cron: "* * * * *", overlap: "wait" });
    for (const minute of ["05", "06", "07"]) await scene.at(`03:${minute}:00`);
    expect(await scene.history(id)).toEqual([
      ...["03:05 RUNNING", "03:06 WAITING", "03:07 SKIPPED OVERLAP"],
    ]);
    await scene.endCommands();
    expect(await scene.history(id)).toEqual([
      ...["03:05 SUCCEEDED", "03:06 RUNNING", "03:07 SKIPPED OVERLAP"],
    ]);
    expect(await scene.count("commands")).toBe(2);
  });
});

describe("a pause", () => {
  const act = (how: "pause" | "resume", id: string) => ({
    name: `schedules.${how}` as "schedules.pause",
    input: { params: { scheduleId: id } },
  });

  test("of one schedule skips what is due meanwhile, and what waits", async ({ scene }) => {
    const { id } = await scene.create({ cron: "* * * * *", overlap: "wait" });
    await scene.at("03:05:00");
    await scene.at("03:06:00");
    const { name, input } = act("pause", id);
    expect(await scene.operator.call(name, input)).toMatchObject({
      ...{ state: "PAUSED", version: 2, nextRunAt: null, nextRuns: [] },
    });
    await scene.operator.call(name, input);
    await scene.endCommands();
    await scene.at("03:08:30");
    const resumed = act("resume", id);
    await scene.operator.call(resumed.name, resumed.input);
    await scene.at("03:09:00");
    expect(await scene.history(id)).toEqual([
      ...["03:05 SUCCEEDED", "03:06 SKIPPED PAUSED", "03:09 RUNNING"],
    ]);
    expect((await scene.auditOf(id)).filter((event) => /paused|resumed/.test(event))).toEqual([
      ...["schedule.paused", "schedule.resumed"],
    ]);
  });

  test("of all schedules stops every one, and says who did it and why", async ({ scene }) => {
    const { id } = await scene.create({ cron: "* * * * *" });
    const body = { reason: "maintenance" };
    const paused = await scene.operator.call("schedules.pause-all", { body });
    expect(paused).toMatchObject({ paused: true, reason: "maintenance" });
    expect(await scene.operator.call("schedules.pause-all", { body: {} })).toEqual(paused);
    await scene.at("03:05:00");
    await scene.at("03:07:10");
    expect(await scene.runs(id)).toEqual([]);
    expect(await scene.getSchedule(id)).toMatchObject({ state: "ENABLED", allPaused: true });
    const { schedules } = await scene.operator.call("overview.get");
    expect(schedules).toEqual({ ENABLED: 1, PAUSED: 0, allPaused: true });
    const run = scene.operator.call("schedules.run", { params: { scheduleId: id }, body: {} });
    expect(await outcome(run)).toBe("SCHEDULES_PAUSED");
    await scene.operator.call("schedules.resume-all", {});
    expect(await scene.operator.call("schedules.pause-state")).toEqual({
      ...{ paused: false, since: null, by: null, reason: null },
    });
    await scene.tick();
    await scene.at("03:08:00");
    expect(await scene.history(id)).toEqual(["03:07 SKIPPED PAUSED +2", "03:08 RUNNING"]);
    const events = (await scene.trail({ action: "schedules.*" })).map(({ action }) => action);
    expect(events).toEqual(["schedules.resumed", "schedules.paused"]);
  });
});

describe("run at once", () => {
  const run = (scheduleId: string) =>
    ["schedules.run", { params: { scheduleId }, body: {} }] as const;

  test("a schedule runs although it is paused", async ({ scene }) => {
    const { id } = await scene.create({ state: "PAUSED" });
    const olga = await userIn(scene, "olga");
    expect(await olga.call(...run(id))).toMatchObject({
      ...{ state: "RUNNING", trigger: "operator", missedRuns: 0 },
      requestedBy: "olga",
    });
    expect(await outcome(olga.call(...run(id)))).toBe("SCHEDULE_RUNNING");
    await scene.endCommands();
    expect(await olga.call(...run(id))).toMatchObject({ state: "RUNNING" });
    expect(await scene.runs(id)).toHaveLength(2);
  });

  test("a rollout exists when the call ends", async ({ scene }) => {
    const { id } = await scene.create({ target: rollout });
    const begun = await (await userIn(scene, "olga")).call(...run(id));
    expect(begun).toMatchObject({ state: "RUNNING", rolloutId: expect.stringMatching(/^rol_/) });
  });
});

describe("the owner", () => {
  const password = "correct horse battery";

  test.each([
    ["is disabled", { status: "DISABLED" as const }, "OWNER_DISABLED"],
    ["is a viewer now", { role: "viewer" as const }, "OWNER_ROLE"],
    ["has another name", { username: "somebody" }, null],
  ])("%s", async (_title, change, code) => {
    const scene = await openSchedules();
    const owner = scene.as("owner");
    const created = { username: "olga", password, role: "operator" as const };
    const user = await owner.call("users.create", { body: created });
    const principal = {
      ...{ kind: "user" as const, userId: user.id, username: "olga" },
      ...{ role: "operator" as const, sessionId: "ses_1" },
    };
    const schedules = [
      await scene.create({}, scene.asPrincipal(principal)),
      await scene.create({ name: "all", target: rollout }, scene.asPrincipal(principal)),
    ];
    expect(schedules[0]?.owner).toEqual({ kind: "user", userId: user.id, name: "olga" });
    const params = { userId: user.id };
    await owner.call("users.update", { params, body: { ...change, version: user.version } });
    await scene.at("03:10:00");
    for (const { id } of schedules) {
      const expected = code === null ? "03:10 RUNNING" : `03:10 FAILED ${code}`;
      expect(await scene.history(id)).toEqual([expected]);
    }
  });

  test("is whoever saved the schedule last, even without changes", async ({ scene }) => {
    const owner = scene.as("owner");
    const created = { username: "olga", password, role: "operator" as const };
    const { id: userId, version } = await owner.call("users.create", { body: created });
    const olga = { kind: "user" as const, userId, username: "olga", role: "operator" as const };
    const { id } = await scene.create({}, scene.asPrincipal({ ...olga, sessionId: "ses_1" }));
    const body = { status: "DISABLED" as const, version };
    await owner.call("users.update", { params: { userId }, body });
    const save = () => {
      const again = { ...everyTen, version: 1 };
      return scene.operator.call("schedules.update", { params: { scheduleId: id }, body: again });
    };
    const saver = { kind: "local", name: "operator key" };
    expect(await save()).toMatchObject({ version: 2, owner: saver });
    const [row] = await scene.trail({ action: "schedule.updated" });
    expect(row?.metadata.changes).toMatchObject({ owner: { from: { name: "olga" }, to: saver } });
    await scene.at("03:10:00");
    expect(await scene.history(id)).toEqual(["03:10 RUNNING"]);
  });
});

test("a change during the minute of a run does not skip the run", async ({ scene }) => {
  const { id } = await scene.create();
  scene.clock.advance(Date.parse("2026-01-02T03:10:02Z") - scene.clock.now());
  await scene.beat();
  const params = { scheduleId: id };
  const body = { ...everyTen, description: "new", version: 1 };
  await scene.operator.call("schedules.update", { params, body });
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 RUNNING"]);
});

test.each<[what: string, change: (scene: ScheduleScene, id: string) => Promise<unknown>, string[]]>(
  [
    [
      "is changed",
      ({ operator }, id) => {
        const body = { ...everyTen, missed: "skip" as const, version: 1 };
        return operator.call("schedules.update", { params: { scheduleId: id }, body });
      },
      ["03:40 SKIPPED MISSED +3"],
    ],
    ["is paused", pauseOne, []],
    ["is paused with all others", pauseAll, []],
    ["may have run already, in changes that were lost", loseChanges, []],
  ],
)("a schedule does not run if, just before it would start, it %s", async (_, change, expected) => {
  const scene = await openSchedules();
  const { id } = await scene.create({ missed: "once" });
  scene.clock.advance(Date.parse("2026-01-02T03:45:00Z") - scene.clock.now());
  await scene.beat();
  beforeNextWrite(scene.database, () => change(scene, id));
  await scene.tick();
  expect(await scene.history(id)).toEqual(expected);
});

type Change = (scene: ScheduleScene) => Promise<unknown>;

test.each<[what: string, hold: Change, release: Change]>([
  ["all schedules are paused", pauseAll, resumeAll],
  ["changes turn out to be lost", loseChanges, acceptLoss],
])("a run creates no rollout if, just before it would, %s", async (_, hold, release) => {
  const scene = await openSchedules();
  const { database } = scene;
  const { id } = await scene.create({ target: rollout });
  // The first write stores the run, and the second creates the rollout.
  beforeNextWrite(database, async () => beforeNextWrite(database, () => hold(scene)));
  await scene.at("03:10:00");
  expect(await scene.history(id)).toEqual(["03:10 STARTING"]);
  expect(await scene.count("rollouts")).toBe(0);
  await release(scene);
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 RUNNING"]);
});

test.each<[how: string, pause: (scene: ScheduleScene, id: string) => Promise<unknown>]>([
  ["paused", pauseOne],
  [
    "changed to PAUSED",
    ({ operator }, id) => {
      const body = { ...everyTen, target: rollout, state: "PAUSED" as const, version: 1 };
      return operator.call("schedules.update", { params: { scheduleId: id }, body });
    },
  ],
])("a run never creates its rollout if its schedule is %s just before", async (_, pause) => {
  const scene = await openSchedules();
  const { database, operator } = scene;
  const { id } = await scene.create({ target: rollout });
  scene.clock.advance(Date.parse("2026-01-02T03:10:00Z") - scene.clock.now());
  await scene.beat();
  await flushPresence(scene.app.core);
  // The first write stores the run, and the second creates the rollout.
  beforeNextWrite(database, async () => beforeNextWrite(database, () => pause(scene, id)));
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 SKIPPED PAUSED"]);
  await operator.call("schedules.resume", { params: { scheduleId: id }, body: {} });
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 SKIPPED PAUSED"]);
  expect(await scene.count("rollouts")).toBe(0);
});

test("a paused schedule still creates the rollout of a run that an operator starts", async () => {
  const scene = await openSchedules();
  const { id } = await scene.create({ target: rollout });
  await pauseOne(scene, id);
  const olga = await userIn(scene, "olga");
  const started = olga.call("schedules.run", { params: { scheduleId: id }, body: {} });
  expect(await started).toMatchObject({ state: "RUNNING" });
});

test("a waiting run does not start if, just before it would start, all schedules are paused", async ({
  scene,
}) => {
  const { id } = await scene.create({ overlap: "wait" });
  await scene.at("03:10:00");
  const [first = ""] = await scene.poll();
  await scene.at("03:20:00");
  await scene.result(first);
  await pauseAll(scene);
  await scene.tick();
  await resumeAll(scene);
  beforeNextWrite(scene.database, () => pauseAll(scene));
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 SUCCEEDED", "03:20 WAITING"]);
  await resumeAll(scene);
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 SUCCEEDED", "03:20 RUNNING"]);
});

test("old runs are deleted as old commands are, and open ones never", async ({ scene }) => {
  const { id } = await scene.create({ until: "2026-01-02T03:25:00Z", cron: "*/10 * * * *" });
  await scene.at("03:10:00");
  await scene.endCommands();
  await scene.at("03:20:00");
  expect(await scene.history(id)).toEqual(["03:10 SUCCEEDED", "03:20 RUNNING"]);
  const settings = { commandRetentionDays: 1 };
  await scene.as("owner").call("settings.update", { body: settings });
  for (let day = 0; day < 3; day++) {
    scene.clock.advance(86_400_000);
    await sweep(scene.app.core);
  }
  expect(await scene.history(id)).toEqual(["03:20 RUNNING"]);
});

test("a deleted command fails its run", async ({ scene }) => {
  const { id } = await scene.create();
  await scene.at("03:10:00");
  await scene.elsewhere("DELETE FROM commands");
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 FAILED COMMAND_DELETED"]);
});
