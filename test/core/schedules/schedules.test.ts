// Schedules through the API: what can be saved, how it is shown, and who may do what.

import { test as base, describe, expect } from "vitest";
import { perFile } from "../../helpers/lifetime.ts";
import { everyRow } from "../../helpers/stored.ts";
import { expectInvalid, expectRefused, outcome } from "../refusals.ts";
import { collector } from "../scene.ts";
import { everyTen, openSchedules, rotate } from "./schedules-scene.ts";

const test = base.extend("scene", () => openSchedules());

const rollout = { kind: "rollout" as const, action: "rotate", selector: "" };

describe("a schedule", () => {
  test("is enabled at first, and shows its next runs", async ({ scene }) => {
    const schedule = await scene.create();
    expect(schedule.warnings).toEqual([]);
    const payload = { payload: {}, confirmation: false };
    expect(schedule).toMatchObject({
      ...{ id: expect.stringMatching(/^sch_/), name: "rotate", state: "ENABLED", version: 1 },
      ...{ cron: "*/10 * * * *", timezone: "UTC", missed: "skip", overlap: "skip" },
      target: { ...rotate, ...payload },
      ...{ allPaused: false, approvalId: null, approvalState: null, lastRun: null },
      nextRunAt: "2026-01-02T03:10:00.000Z",
    });
    expect(schedule.nextRuns.map(({ localTime }) => localTime.slice(11))).toEqual([
      ...["03:10", "03:20", "03:30", "03:40", "03:50"],
    ]);
    const read = await scene.getSchedule(schedule.id);
    expect(read).toEqual(schedule);
  });

  test("accepts what `get` returns, which changes nothing", async ({ scene }) => {
    const whole = {
      ...{ description: "x", everySeconds: 600, until: "2027-01-01T00:00:00.000Z" },
      target: { ...rotate, payload: { password: "hunter2", level: 3 }, reason: "nightly" },
      ...{ missed: "once" as const, overlap: "wait" as const },
    };
    const { id } = await scene.create({ ...whole, cron: null });
    const schedule = await scene.getSchedule(id);
    expect(JSON.stringify(schedule)).not.toContain("hunter2");
    const params = { scheduleId: id };
    const body = schedule as never;
    const again = await scene.operator.call("schedules.update", { params, body });
    expect(again).toEqual(schedule);
    expect(await scene.auditOf(id)).toEqual(["schedule.created"]);
  });

  test("keeps a secret that an update shows as [REDACTED], and takes a new one", async ({
    scene,
  }) => {
    const target = { ...rotate, payload: { password: "hunter2", level: 3 } };
    const { id } = await scene.create({ target });
    const params = { scheduleId: id };
    const update = (payload: object, version: number) =>
      scene.operator.call("schedules.update", {
        params,
        body: { ...everyTen, target: { ...rotate, payload: payload as never }, version },
      });
    await update({ password: "[REDACTED]", level: 4 }, 1);
    await scene.at("03:10:00");
    const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
    expect(commands[0]?.payload).toEqual({ password: "hunter2", level: 4 });
    await update({ password: "other", level: 4 }, 2);
    expect(await outcome(update({ secret: "[REDACTED]" }, 3))).toBe("PAYLOAD_NEEDS_SECRETS");
    const [changed] = await scene.trail({ action: "schedule.updated" });
    expect(changed?.metadata).toMatchObject({ changes: { secrets: "changed" } });
    expect(JSON.stringify(await scene.trail({ pageSize: 200 }))).not.toMatch(/hunter2|other/);
  });

  test("has its own name, and one version at a time", async ({ scene }) => {
    const { id } = await scene.create();
    expect(await outcome(scene.create())).toBe("SCHEDULE_NAME_TAKEN");
    const other = await scene.create({ name: "other" });
    const update = (name: string, version: number, scheduleId = other.id) =>
      scene.operator.call("schedules.update", {
        params: { scheduleId },
        body: { ...everyTen, name, version },
      });
    expect(await outcome(update("rotate", 1))).toBe("SCHEDULE_NAME_TAKEN");
    await expectRefused(update("x", 2), "VERSION_CONFLICT", { currentVersion: 1, version: 2 });
    expect(await outcome(update("x", 1, "sch_x"))).toBe("SCHEDULE_NOT_FOUND");
    await scene.operator.call("schedules.delete", { params: { scheduleId: id } });
    expect(await outcome(scene.getSchedule(id))).toBe("SCHEDULE_NOT_FOUND");
    expect(await scene.auditOf(id)).toEqual(["schedule.created", "schedule.deleted"]);
  });

  test("is found by its state, its action and a part of its name", async ({ scene }) => {
    await scene.create();
    await scene.create({ name: "Form at night", target: { ...rotate, action: "form" } });
    await scene.create({ name: "paused", state: "PAUSED", target: rollout });
    const named = async (query: object) =>
      (await scene.operator.call("schedules.list", { query })).map(({ name }) => name);
    expect(await named({})).toEqual(["paused", "Form at night", "rotate"]);
    expect(await named({ state: "PAUSED" })).toEqual(["paused"]);
    expect(await named({ action: "form" })).toEqual(["Form at night"]);
    expect(await named({ q: "rot" })).toEqual(["rotate"]);
    expect(await named({ sort: "nextRunAt" })).toEqual(["Form at night", "rotate", "paused"]);
  });
});

const shared = perFile(() => openSchedules());

test.each<[object, path: string]>([
  [{ cron: "* * * *" }, "cron"],
  [{ everySeconds: 600 }, "cron"],
  [{ cron: undefined, everySeconds: 59 }, "everySeconds"],
  [{ timezone: "Europe/Bonn" }, "timezone"],
  [{ target: { kind: "rollout", action: "rotate" } }, "target.selector"],
  [{ target: { kind: "rollout", action: "rotate", selector: "a:b" } }, "target.selector"],
])("%j is refused for %s", async (input, path) => {
  await expectInvalid(shared().create(input), path);
});

test.each<[title: string, target: object, warning: string | null]>([
  [
    "a service that does not exist",
    { ...rotate, service: "nobody" },
    "There is no service nobody.",
  ],
  ["a rollout without services", { ...rollout, selector: "tier=web" }, "No service was chosen."],
  ["an action that can run", rotate, null],
  ["a rollout that can run", rollout, null],
])("%s is saved, with a warning if it would fail now", async (_title, target, warning) => {
  const scene = await openSchedules();
  await scene.as("owner").call("settings.update", { body: { operatorLabels: ["tier"] } });
  const { id, warnings } = await scene.create({ target: target as never });
  expect(warnings).toEqual(warning === null ? [] : [warning]);
  expect((await scene.getSchedule(id)).warnings).toEqual(warnings);
});

test("a schedule shows why it would fail since the agent has changed the form", async ({
  scene,
}) => {
  const { id } = await scene.create();
  const inputSchema = { type: "object", required: ["days"] };
  await scene.report([{ ...collector, actions: [{ name: "rotate", inputSchema }] }]);
  expect((await scene.getSchedule(id)).warnings).toEqual([expect.stringContaining("days")]);
  const asking = [{ name: "rotate", requiresConfirmation: true }];
  await scene.report([{ ...collector, actions: asking }]);
  expect((await scene.getSchedule(id)).warnings).toEqual([expect.stringContaining("confirmation")]);
});

test.each([
  ["action", rotate],
  ["rollout", rollout],
])(
  "%s: an action that requires confirmation is confirmed when it is saved",
  async (_kind, target) => {
    const scene = await openSchedules();
    const actions = [{ name: "rotate", requiresConfirmation: true }];
    await scene.report([{ ...collector, actions }]);
    expect(await outcome(scene.create({ target }))).toBe("CONFIRMATION_REQUIRED");
    await scene.create({ target: { ...target, confirmation: true } });
  },
);

test("a preview says when a timing is due, and notes a change of the clock", async ({ scene }) => {
  const preview = (body: object) =>
    scene.as("viewer").call("schedules.preview", { body: body as never });
  const before = await scene.count("audit_events");
  const { runs } = await preview({ cron: "30 2 29 3 *", timezone: "Europe/Berlin", count: 1 });
  expect(runs).toEqual([
    {
      at: "2026-03-29T01:00:00.000Z",
      localTime: "2026-03-29T03:00",
      offset: "+02:00",
      note: "The clock goes forward from 02:00 to 03:00, so a time in between is due at 03:00.",
    },
  ]);
  expect((await preview({ everySeconds: 60 })).runs).toHaveLength(5);
  expect((await preview({ everySeconds: 60, count: 20 })).runs).toHaveLength(20);
  const ended = { everySeconds: 60, until: "2026-01-02T03:05:30Z" };
  expect((await preview(ended)).runs).toHaveLength(1);
  expect(await outcome(preview({ cron: "x", count: 5 }))).toBe("VALIDATION_FAILED");
  expect(await outcome(preview({ everySeconds: 60, count: 21 }))).toBe("VALIDATION_FAILED");
  expect(await scene.count("audit_events")).toBe(before);
});

test("the secrets of a schedule are stored apart, and deleted with it", async ({ scene }) => {
  const schema = { type: "object", properties: { pin: { type: "string", writeOnly: true } } };
  await scene.report([{ ...collector, actions: [{ name: "rotate", inputSchema: schema }] }]);
  const target = { ...rollout, payload: { pin: "pin-of-ann" }, payloadByService: {} };
  const { id, target: shown, withheld } = await scene.create({ target });
  expect(shown).toMatchObject({ payload: { pin: "[REDACTED]" } });
  expect(withheld).toEqual(["/payload/pin"]);
  await scene.operator.call("schedules.delete", { params: { scheduleId: id } });
  expect(JSON.stringify(await everyRow(scene))).not.toContain("pin-of-ann");
});
