// Schedules run at the right times even after the wall clock was wrong for a while.

import { expect, test } from "vitest";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { passingTime } from "../../jobs/passing-time.ts";
import { openSchedules, type ScheduleScene } from "./schedules-scene.ts";

const second = 1000;
const hour = 3600 * second;
const year = 366 * 24 * hour;

async function openEveryMinute(missed: "skip" | "once" = "skip") {
  const scene = await openSchedules();
  await scene.app.noteStarted();
  const { id } = await scene.create({ cron: "* * * * *", missed });
  return { scene, id };
}

/**
 * Returns a function that lets time pass on the running server. The agent calls and ends its
 * commands in every step.
 */
function passOn(scene: ScheduleScene, app: TestApp = scene) {
  const client = app.asPrincipal(scene.agent.principal);
  return passingTime(app, async () => {
    await client.call("agent.heartbeat", { body: {} });
    const { commands } = await client.call("agent.poll", { query: { wait: 0 } });
    for (const { id } of commands) {
      await client.call("agent.result", { params: { commandId: id }, body: { success: true } });
    }
  });
}

async function restart({ app, clock, config }: TestApp, jump: number): Promise<TestApp> {
  await app.close();
  await app.noteStopped();
  clock.jump(jump);
  const next = openTestApp({ DATA_DIR: config.dataDir }, {}, clock);
  await next.app.noteStarted();
  return next;
}

/**
 * Returns the runs as `03:05 SUCCEEDED`, in the order of their due times, with the date if it is
 * not the scene's.
 */
async function historyAt(app: TestApp, scheduleId: string): Promise<string[]> {
  const options = { params: { scheduleId }, query: { pageSize: 100 } };
  const runs = await app.as("operator").call("schedules.runs", options);
  return runs.reverse().map(({ dueAt, state, errorCode, missedRuns }) => {
    const year = dueAt.startsWith("2026-01-02") ? "" : `${dueAt.slice(0, 10)} `;
    const more = `${errorCode ? ` ${errorCode}` : ""}${missedRuns ? ` +${missedRuns}` : ""}`;
    return `${year}${dueAt.slice(11, 16)} ${state}${more}`;
  });
}

const right = ["03:05", "03:06", "03:07"].map((time) => `${time} SUCCEEDED`);
/** The milliseconds until 03:07:07. The scene begins at 03:04:05. */
const untilTheEnd = 182 * second;

test.each([
  ["an hour behind", -hour, "skip"],
  ["a year ahead", year, "once"],
] as const)(
  "with a clock that is %s for 8 s, the runs are those of the right clock (%i, missed: %s)",
  async (_, ms, missed) => {
    const { scene, id } = await openEveryMinute(missed);
    const pass = passOn(scene);
    await pass(20 * second);
    scene.clock.jump(ms);
    await pass(8 * second, second);
    scene.clock.jump(-ms);
    await pass(untilTheEnd - 28 * second);
    expect(await historyAt(scene, id)).toEqual(right);
  },
);

test("with a clock that is a year ahead for 8 s at a start, too", async () => {
  const { scene, id } = await openEveryMinute("once");
  await passOn(scene)(20 * second);
  const ahead = await restart(scene, year);
  await passOn(scene, ahead)(8 * second, second);
  const next = await restart(ahead, -year);
  await passOn(scene, next)(untilTheEnd - 28 * second);
  expect(await historyAt(next, id)).toEqual(right);
});

test("what a schedule has missed because a clock was ahead for a long time is recorded", async () => {
  const { scene, id } = await openEveryMinute();
  const pass = passOn(scene);
  await pass(56 * second);
  scene.clock.jump(year);
  await pass(700 * second);
  scene.clock.jump(-year);
  // An older version could store such a time.
  await scene.elsewhere(`UPDATE schedules SET next_at = ${scene.clock.now() + year}`);
  await pass(60 * second);
  const ofThisYear = (await historyAt(scene, id)).filter((run) => !run.startsWith("20"));
  expect(ofThisYear).toEqual(["03:05 SUCCEEDED", "03:16 SKIPPED MISSED +10", "03:17 SUCCEEDED"]);
});

test("schedules that were made in a wrong year begin in the right one", async () => {
  const scene = await openSchedules();
  await scene.app.noteStarted();
  scene.clock.jump(year);
  const { id } = await scene.create({ cron: "* * * * *" });
  scene.clock.jump(-year);
  await passOn(scene)(60 * second);
  expect(await historyAt(scene, id)).toEqual(["03:05 SUCCEEDED"]);
});

test("schedules wait at most ten minutes for a clock that is days ahead, or for an owner", async () => {
  const { scene, id } = await openEveryMinute();
  const ahead = await restart(scene, 3 * 24 * hour);
  const pass = passOn(scene, ahead);
  await pass(595 * second);
  expect(await historyAt(ahead, id)).toEqual([]);
  await pass(70 * second);
  expect(await historyAt(ahead, id)).toContain("2026-01-05 03:15 SUCCEEDED");
  const again = await restart(ahead, 3 * 24 * hour);
  await again.as("owner").call("maintenance.run", { body: { trustClock: true } });
  await passOn(scene, again)(60 * second);
  expect(await historyAt(again, id)).toContain("2026-01-08 03:16 SUCCEEDED");
});
