// Runs that are carried out after the call that starts them: in the name of that caller, and with
// that caller's break-glass, no matter who carries them out.

import { describe, expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { runSchedules } from "../../../src/core/schedules/firing.ts";
import { AppError } from "../../../src/domain/errors.ts";
import { onBothEngines } from "../../helpers/both-engines.ts";
import { everyRow } from "../../helpers/stored.ts";
import { withKey } from "../access/people.ts";
import { userIn } from "../approvals/requested.ts";
import { interceptReads } from "../intercepted-reads.ts";
import { outcome } from "../refusals.ts";
import { everyTen, openSchedules, type ScheduleScene } from "./schedules-scene.ts";

const rollout = { kind: "rollout" as const, action: "rotate", selector: "" };
const breakGlass = "The disk is full.";

interface Guarded extends ScheduleScene {
  id: string;
  olga: Client;
  ann: Client;
  start(
    client: Client,
    body?: { breakGlass?: string; version?: number },
  ): Promise<{ state: string }>;
  /** Returns the latest run. */
  last(): Promise<Awaited<ReturnType<ScheduleScene["runs"]>>[number] | undefined>;
  actors(action: string): Promise<(string | null)[]>;
}

/** Creates a schedule, starts its first run, and then creates a policy. */
async function openGuarded(target: typeof rollout | typeof everyTen.target): Promise<Guarded> {
  const scene = await openSchedules();
  const [olga, ann] = [await userIn(scene, "olga"), await userIn(scene, "ann", "owner")];
  await userIn(scene, "another", "owner");
  const { id } = await scene.create({ overlap: "wait", target }, olga);
  await scene.at("03:10:00");
  const policy = { name: "careful", action: "rotate", approvers: { role: "operator" as const } };
  await ann.call("approval-policies.create", { body: policy });
  return {
    ...scene,
    ...{ id, olga, ann },
    start: (client, body = {}) =>
      client.call("schedules.run", { params: { scheduleId: id }, body }),
    last: async () => (await scene.runs(id)).at(-1),
    actors: async (action) =>
      (await scene.trail({ action: action as never })).map(({ actorName }) => actorName),
  };
}

async function endFirst(scene: Guarded): Promise<void> {
  const [first] = await scene.runs(scene.id);
  if (first?.rolloutId) {
    const params = { rolloutId: first.rolloutId };
    await scene.olga.call("rollouts.cancel", { params, query: { commands: true } });
  }
  await scene.endCommands();
}

describe("a run that waits for the previous run", () => {
  test.each<[string, (scene: Guarded) => Promise<Client>, string]>([
    ["a user", async ({ ann }) => ann, "ann"],
    [
      "an API key",
      async (scene) => {
        const body = { name: "pager", role: "owner" as const };
        return withKey(scene, (await scene.ann.call("api-keys.create", { body })).key);
      },
      "pager",
    ],
    ["--db", async ({ asPrincipal }) => asPrincipal({ kind: "local", osUser: "root" }), "root"],
  ])("bypasses approval when it starts, for an owner with %s", async (_with, clientIn, name) => {
    const scene = await openGuarded(everyTen.target);
    const client = await clientIn(scene);
    expect(await scene.start(client, { breakGlass })).toMatchObject({ state: "WAITING" });
    const dueAt = (await scene.last())?.dueAt;
    expect(await scene.trail({ action: "schedule.run.requested" })).toMatchObject([
      { actorName: name, targetId: scene.id, metadata: { name: "rotate", dueAt } },
    ]);
    expect(await scene.actors("approval.bypassed")).toEqual([]);
    await endFirst(scene);
    const run = await scene.last();
    expect(run).toMatchObject({ state: "RUNNING", errorCode: null });
    expect(await scene.trail({ action: "approval.bypassed" })).toMatchObject([
      { actorName: name, message: breakGlass, metadata: { commandId: run?.commandId } },
    ]);
    expect(await scene.actors("schedule.run.started")).toContain(name);
  });

  test("asks for approval of its rollout in the name of the operator who started it", async () => {
    const scene = await openGuarded(rollout);
    expect(await scene.start(scene.olga)).toMatchObject({ state: "WAITING" });
    await endFirst(scene);
    const { state, rolloutId } = (await scene.last()) ?? {};
    const query = { state: "AWAITING_APPROVAL" as const };
    expect([state, await scene.ann.call("approvals.list", { query })]).toMatchObject([
      "RUNNING",
      [{ kind: "rollout", subjectId: rolloutId, requester: { name: "olga" } }],
    ]);
    expect(await scene.actors("approval.requested")).toEqual(["olga"]);
  });

  test.each<[string, string, (scene: Guarded) => Promise<unknown>]>([
    ["whose owner is disabled", "FORBIDDEN", (scene) => changeAnn(scene, { status: "DISABLED" })],
    ["whose owner is demoted", "FORBIDDEN", (scene) => changeAnn(scene, { role: "operator" })],
    [
      "whose schedule is changed",
      "TARGET_CHANGED",
      async ({ olga, id, getSchedule }) => {
        const { version } = await getSchedule(id);
        const target = { ...everyTen.target, payload: { level: 9 } };
        const body = { ...everyTen, overlap: "wait" as const, target, version };
        await olga.call("schedules.update", { params: { scheduleId: id }, body });
      },
    ],
  ])("%s runs nothing, and bypasses nothing", async (_which, code, meanwhile) => {
    const scene = await openGuarded(everyTen.target);
    await scene.start(scene.ann, { breakGlass });
    await meanwhile(scene);
    await endFirst(scene);
    expect(await scene.last()).toMatchObject({ state: "FAILED", errorCode: code });
    expect(await scene.actors("approval.bypassed")).toEqual([]);
  });

  test("bypasses nothing after a day", async () => {
    const scene = await openGuarded(everyTen.target);
    await scene.start(scene.ann, { breakGlass });
    for (const command of await scene.poll()) await scene.result(command, { success: true });
    scene.clock.advance(25 * 3_600_000);
    await scene.beat();
    await scene.tick();
    const run = (await scene.runs(scene.id)).find(({ trigger }) => trigger === "operator");
    expect(run).toMatchObject({ state: "FAILED", errorCode: "APPROVAL_REQUIRED" });
    expect(await scene.actors("approval.bypassed")).toEqual([]);
  });

  test("bypasses nothing if its agent is offline", async () => {
    const scene = await openGuarded(everyTen.target);
    await scene.start(scene.ann, { breakGlass });
    for (const command of await scene.poll()) await scene.result(command, { success: true });
    scene.clock.advance(3_600_000);
    await scene.tick();
    const run = (await scene.runs(scene.id)).find(({ trigger }) => trigger === "operator");
    expect(run).toMatchObject({ state: "FAILED", errorCode: "AGENT_OFFLINE" });
    expect(await scene.actors("approval.bypassed")).toEqual([]);
  });
});

async function changeAnn(scene: Guarded, body: object): Promise<void> {
  const users = await scene.as("owner").call("users.list", {});
  const params = { userId: users.find(({ username }) => username === "ann")?.id ?? "" };
  await scene.as("owner").call("users.update", { params, body });
}

onBothEngines(() => {
  describe("a rollout that the job creates before its caller does", () => {
    test.each([
      ["asks for approval", "olga", {}, "approval.requested"],
      ["bypasses approval", "ann", { breakGlass }, "approval.bypassed"],
    ] as const)("%s in the name of %s", async (_does, name, body, audited) => {
      const scene = await openGuarded(rollout);
      await endFirst(scene);
      let isLeft = false;
      interceptReads(scene, (reader) => ({
        async all(sql: string, ...params: never[]) {
          if (/FROM services/.test(sql) && !isLeft) {
            isLeft = true;
            await runSchedules(scene.app.core);
          }
          return reader.all(sql, ...params) as never;
        },
      }));
      expect(await scene.start(scene[name], body)).toMatchObject({ state: "RUNNING" });
      expect(await scene.actors(audited)).toEqual([name]);
      expect((await scene.actors("rollout.created")).filter(Boolean)).toEqual([name]);
    });
  });
});

/** Starts a run whose rollout cannot be created until the returned function is called. */
async function startHeld(scene: Guarded): Promise<() => void> {
  let isFailing = true;
  interceptReads(scene, (reader) => ({
    async all(sql: string, ...params: never[]) {
      if (isFailing && /FROM services/.test(sql)) throw new AppError("UNAVAILABLE", "Try again.");
      return reader.all(sql, ...params) as never;
    },
  }));
  expect(await scene.start(scene.ann, { breakGlass })).toMatchObject({ state: "STARTING" });
  expect(await scene.actors("schedule.run.requested")).toEqual(["ann"]);
  return () => {
    isFailing = false;
  };
}

test("a run that waits stores no password that the reason for its bypass contains", async () => {
  const scene = await openGuarded(everyTen.target);
  await scene.start(scene.ann, { breakGlass: "https://ann:s3cret-in-a-url@storage is full" });
  expect(JSON.stringify(await everyRow(scene))).not.toContain("s3cret");
});

test("a run whose rollout cannot be created yet is answered, and then carried out", async () => {
  const scene = await openGuarded(rollout);
  await endFirst(scene);
  const release = await startHeld(scene);
  expect(await scene.actors("approval.bypassed")).toEqual([]);
  release();
  await scene.tick();
  expect(await scene.last()).toMatchObject({ state: "RUNNING" });
  expect(await scene.actors("approval.bypassed")).toEqual(["ann"]);
});

test("a run whose schedule no longer starts a rollout fails", async () => {
  const scene = await openGuarded(rollout);
  await endFirst(scene);
  const release = await startHeld(scene);
  release();
  const { id, version } = await scene.getSchedule(scene.id);
  const body = { ...everyTen, version };
  await scene.olga.call("schedules.update", { params: { scheduleId: id }, body });
  await scene.tick();
  expect(await scene.last()).toMatchObject({ state: "FAILED", errorCode: "TARGET_CHANGED" });
});

test("the author of a schedule cannot approve the rollout that somebody else starts with it", async () => {
  const scene = await openGuarded(rollout);
  await endFirst(scene);
  await scene.start(scene.ann);
  const query = { state: "AWAITING_APPROVAL" as const, kind: "rollout" as const };
  const [request] = await scene.olga.call("approvals.list", { query });
  const params = { approvalId: request?.id ?? "" };
  const { digest } = await scene.olga.call("approvals.get", { params });
  const approve = (by: Client) => by.call("approvals.approve", { params, body: { digest } });
  expect(await outcome(approve(scene.olga))).toBe("OWN_REQUEST");
  expect(await outcome(approve(scene.ann))).toBe("OWN_REQUEST");
});

test("nobody runs a version of a schedule that they have not seen", async () => {
  const scene = await openGuarded(everyTen.target);
  await endFirst(scene);
  const { id, ann } = scene;
  const { version } = await scene.getSchedule(id);
  const target = { ...everyTen.target, payload: { level: 9 } };
  const update = { params: { scheduleId: id }, body: { ...everyTen, target, version } };
  await scene.olga.call("schedules.update", update);
  expect(await outcome(scene.start(ann, { breakGlass, version }))).toBe("VERSION_CONFLICT");
  expect(await scene.runs(id)).toHaveLength(1);
  expect(await scene.start(ann, { breakGlass, version: version + 1 })).toMatchObject({
    state: "RUNNING",
  });
});

test("an owner's run without approval leaves a rejected schedule rejected", async () => {
  const scene = await openGuarded(everyTen.target);
  await endFirst(scene);
  const { id, ann } = scene;
  const { version } = await scene.getSchedule(id);
  const body = { ...everyTen, version };
  const { approvalId } = await scene.olga.call("schedules.update", {
    params: { scheduleId: id },
    body,
  });
  const params = { approvalId: approvalId ?? "" };
  await ann.call("approvals.reject", { params, body: { reason: "no" } });
  await scene.start(ann, { breakGlass });
  expect(await scene.getSchedule(id)).toMatchObject({ approvalState: "NOT_APPROVED" });
});
