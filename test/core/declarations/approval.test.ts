// A declared object that needs approval has no effect until somebody else approves it.

import { test as base, expect } from "vitest";
import { userIn } from "../approvals/requested.ts";
import { expectRefused } from "../refusals.ts";
import { collector, openScene } from "../scene.ts";
import { apply, examples, preview, redactedSchedule } from "./declaring.ts";

const risky = { ...collector, actions: [{ name: "rotate", dangerLevel: "HIGH" }] };
const test = base.extend("scene", () => openScene({ CAPSULE_BUS_ENABLED: "true" }, [risky]));

const { Schedule: schedule } = examples;
const policy = {
  kind: "ApprovalPolicy",
  name: "high",
  dangerLevel: "HIGH",
  approvers: { role: "operator" },
};

test("a schedule waits for the approval of somebody else", async ({ scene }) => {
  const ann = await userIn(scene, "ann", "owner");
  const bob = await userIn(scene, "bob", "operator");
  await apply(ann, [policy], { set: "policies" });
  expect((await preview(ann, [schedule])).changes[0]!.awaitingApproval).toBe(true);
  const { changes } = await apply(ann, [schedule]);
  expect(changes[0]).toMatchObject({ change: "created", awaitingApproval: true });
  const again = await apply(ann, [redactedSchedule]);
  expect(again.changes[0]).toMatchObject({ change: "unchanged", awaitingApproval: true });

  const params = { scheduleId: changes[0]!.id! };
  const { approvalId } = await ann.call("schedules.get", { params });
  const approval = { params: { approvalId: approvalId! } };
  const { digest } = await bob.call("approvals.get", approval);
  await expectRefused(
    ann.call("approvals.approve", { ...approval, body: { digest } }),
    "OWN_REQUEST",
  );
  await bob.call("approvals.approve", { ...approval, body: { digest } });
  expect((await apply(ann, [redactedSchedule])).changes[0]!.awaitingApproval).toBe(false);
  const waits = async (more: object) =>
    (await preview(ann, [{ ...redactedSchedule, ...more }])).changes[0]!.awaitingApproval;
  expect(await waits({ description: "at night" })).toBe(false);
  expect(await waits({ cron: "0 5 * * 0" })).toBe(true);
  await apply(ann, [{ ...redactedSchedule, state: "PAUSED" }]);
  expect(await waits({ state: "ENABLED" })).toBe(false);
  await apply(ann, [redactedSchedule]);
  const changed = await apply(bob, [{ ...schedule, cron: "0 4 * * 0" }]);
  expect(changed.changes[0]).toMatchObject({ change: "updated", awaitingApproval: true });
});

test("a policy in the same set already counts", async ({ scene }) => {
  const ann = await userIn(scene, "ann", "owner");
  const seen = await preview(ann, [schedule, policy]);
  expect(seen.changes[0]).toMatchObject({ kind: "Schedule", awaitingApproval: true });
  const { changes } = await apply(ann, [schedule, policy]);
  expect(changes[0]).toMatchObject({ kind: "Schedule", awaitingApproval: true });
});

test("labels that stop counting in the same set are not seen by policies", async ({ scene }) => {
  const ann = await userIn(scene, "ann", "owner");
  await scene.registerAgent("edge-9", [{ ...risky, code: "dev", labels: { env: "dev" } }]);
  const settings = { kind: "Settings", settings: { operatorLabels: ["env"] } };
  const target = { kind: "action", service: "dev", action: "rotate", confirmation: true };
  const rollout = { kind: "rollout", action: "rotate", services: ["dev"], confirmation: true };
  const documents = [
    settings,
    { ...policy, selector: "env!=dev" },
    { ...schedule, target },
    { ...schedule, name: "nightly rollout", target: rollout },
  ];
  for (const shown of [await preview(ann, documents), await apply(ann, documents)]) {
    const waiting = shown.changes.map(({ awaitingApproval }) => awaitingApproval);
    expect(waiting).toEqual([false, false, true, true]);
    // The same set lists the label.
    expect(shown.changes[1]?.warnings).toEqual([]);
  }
});

test("a caller who cannot ask for approval is refused, and nothing changes", async ({ scene }) => {
  await apply(scene.as("owner"), [policy], { set: "policies" });
  const local = scene.asPrincipal({ kind: "local", osUser: "ada" });
  for (const caller of [local, scene.as("operator")]) {
    const refused = apply(caller, [examples.SavedView, schedule]);
    await expectRefused(refused, "APPROVAL_REQUIRED", { kind: "Schedule", name: "nightly" });
  }
  expect(await scene.count("saved_views")).toBe(0);
  expect(await scene.count("schedules")).toBe(0);
});

test("only an owner can use break-glass", async ({ scene }) => {
  await apply(scene.as("owner"), [policy], { set: "policies" });
  const bob = await userIn(scene, "bob", "operator");
  const breakGlass = "the disk is full";
  await expectRefused(apply(bob, [schedule], { breakGlass }), "FORBIDDEN");
  const { changes } = await apply(scene.as("owner"), [schedule], { breakGlass });
  expect(changes[0]).toMatchObject({ change: "created", awaitingApproval: false });
  const [row] = await scene.trail({ action: "approval.bypassed" });
  expect(row).toMatchObject({ message: breakGlass });
});
