// Each due time has one run, despite restarts, a second node and changes to the clock.

import { expect, test } from "vitest";
import { createApp } from "../../../src/app.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { runSchedules } from "../../../src/core/schedules/firing.ts";
import { openBeside, testWorld } from "../../helpers/app.ts";
import { onBothEngines } from "../../helpers/both-engines.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { size } from "../../helpers/size.ts";
import { everyTen, openSchedules, type ScheduleScene } from "./schedules-scene.ts";

const hour = 3_600_000;
const rollout = { kind: "rollout" as const, action: "rotate", selector: "" };

/** Opens the database a second time, as a restarted server or another node would. */
function openNode({ config, clock }: ScheduleScene) {
  const opened = openBeside({ config, clock });
  const app = createApp(config, opened, { ...testWorld, monotonic: clock.monotonic });
  const close = async () => {
    await app.close();
    await opened.database.close();
  };
  return { core: app.core, close };
}

/** Checks that each due time of the schedule has one run, and that it started its own work. */
async function expectOnce(scene: ScheduleScene, id: string, dueTimes: readonly string[]) {
  const runs = await scene.runs(id);
  expect(runs.map(({ dueAt }) => dueAt.slice(11, 16))).toEqual(dueTimes);
  const started = runs.map(({ commandId, rolloutId }) => commandId ?? rolloutId);
  expect(new Set(started).size).toBe(dueTimes.length);
  expect(started).not.toContain(null);
}

test.each([
  ["an action", { ...everyTen.target }],
  ["a rollout", rollout],
])("%s runs once although the server restarts again and again", async (_kind, target) => {
  const scene = await openSchedules();
  const { id } = await scene.create({ target });
  const { clock } = scene;
  clock.advance(Date.parse("2026-01-02T03:09:55Z") - clock.now());
  await scene.beat();
  await flushPresence(scene.app.core);
  const restarts = size(8, 50);
  for (let restart = 0; restart < restarts; restart++) {
    const node = openNode(scene);
    await runSchedules(node.core);
    await node.close();
    clock.advance(10_000 / restarts);
  }
  await scene.beat();
  await scene.tick();
  await expectOnce(scene, id, ["03:10"]);
  const table = target.kind === "rollout" ? "rollouts" : "commands";
  expect(await scene.count(table)).toBe(1);
});

onBothEngines(() => {
  test.each([
    ["an action", { ...everyTen.target }],
    ["a rollout", rollout],
  ])("%s runs once although two nodes find it at the same time", async (_kind, target) => {
    const scene = await openSchedules();
    const { id } = await scene.create({ target });
    const node = openNode(scene);
    atEnd(node.close);
    for (const time of ["03:10:00", "03:20:00"]) {
      scene.clock.advance(Date.parse(`2026-01-02T${time}Z`) - scene.clock.now());
      await scene.beat();
      const { core } = scene.app;
      // The other node sees the agent's call as soon as it is stored.
      await flushPresence(core);
      await Promise.all([runSchedules(core), runSchedules(node.core), runSchedules(core)]);
      await scene.endCommands();
      for (const { rolloutId } of await scene.runs(id)) {
        if (!rolloutId) continue;
        await scene.operator
          .call("rollouts.cancel", { params: { rolloutId } })
          .catch(() => undefined);
      }
      await scene.tick();
    }
    await expectOnce(scene, id, ["03:10", "03:20"]);
  });

  test("a run that has waited starts once although two nodes find it at the same time", async () => {
    const scene = await openSchedules();
    const { id } = await scene.create({ overlap: "wait" });
    const node = openNode(scene);
    atEnd(node.close);
    await scene.at("03:10:00");
    const [first = ""] = await scene.poll();
    await scene.at("03:20:00");
    expect(await scene.history(id)).toEqual(["03:10 RUNNING", "03:20 WAITING"]);
    await scene.result(first);
    const { core } = scene.app;
    await flushPresence(core);
    await Promise.all([runSchedules(core), runSchedules(node.core), runSchedules(core)]);
    await expectOnce(scene, id, ["03:10", "03:20"]);
    expect(await scene.count("commands")).toBe(2);
  });

  test("a crash between the due time and the rollout only delays the rollout", async () => {
    const scene = await openSchedules();
    const { id } = await scene.create({ target: rollout });
    await scene.elsewhere(
      `INSERT INTO schedule_runs (schedule_id, due_at, trigger, state) VALUES ('${id}', ${scene.clock.now()}, 'time', 'STARTING')`,
    );
    await scene.tick();
    expect(await scene.history(id)).toEqual(["03:04 RUNNING"]);
    expect(await scene.count("rollouts")).toBe(1);
  });
});

test("a clock that is set back by an hour repeats no run", async () => {
  const scene = await openSchedules();
  const { id } = await scene.create({ cron: "*/20 * * * *" });
  const passHour = async () => {
    for (let minute = 0; minute < 60; minute++) {
      scene.clock.advance(60_000);
      await scene.beat();
      await scene.tick();
      await scene.endCommands();
    }
  };
  await passHour();
  const times = ["03:20", "03:40", "04:00"];
  await expectOnce(scene, id, times);
  scene.clock.jump(-hour);
  await passHour();
  await expectOnce(scene, id, times);
  await scene.at("04:20:00");
  await expectOnce(scene, id, [...times, "04:20"]);
});

test("a change of the schedule while the clock is behind repeats no run", async () => {
  const scene = await openSchedules();
  const { id } = await scene.create();
  await scene.at("03:10:00");
  await scene.endCommands();
  scene.clock.jump(-hour);
  const params = { scheduleId: id };
  const body = { ...everyTen, cron: "10 * * * *", version: 1 };
  await scene.operator.call("schedules.update", { params, body });
  await scene.at("03:10:00");
  await expectOnce(scene, id, ["03:10"]);
  await scene.at("04:10:00");
  await expectOnce(scene, id, ["03:10", "04:10"]);
});

test.each([
  ["skip" as const, ["03:10 SUCCEEDED", "04:10 SKIPPED MISSED +5", "04:20 RUNNING"]],
  ["once" as const, ["03:10 SUCCEEDED", "04:10 SUCCEEDED +5", "04:20 RUNNING"]],
])("a clock that is set forward by an hour has missed runs: %s", async (missed, expected) => {
  const scene = await openSchedules();
  const { id } = await scene.create({ missed });
  await scene.at("03:10:00");
  await scene.endCommands();
  scene.clock.jump(hour);
  scene.app.core.statusClock.watch();
  scene.clock.advance(90_000);
  await scene.beat();
  await scene.tick();
  await scene.endCommands();
  await scene.at("04:20:00");
  expect(await scene.history(id)).toEqual(expected);
});
