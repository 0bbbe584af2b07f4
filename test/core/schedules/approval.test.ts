// Schedules that a policy holds back.

import { test as base, describe, expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { onBothEngines } from "../../helpers/both-engines.ts";
import { userIn } from "../approvals/requested.ts";
import { outcome } from "../refusals.ts";
import { collector } from "../scene.ts";
import { everyTen, openSchedules, type ScheduleScene } from "./schedules-scene.ts";

interface Guarded extends ScheduleScene {
  asking: Client;
  approving: Client;
  /** Approves the open request for a schedule. */
  approve(scheduleId: string, by?: Client): Promise<unknown>;
}

async function openGuarded(): Promise<Guarded> {
  const scene = await openSchedules();
  const owner = scene.as("owner");
  const policy = {
    ...{ name: "careful", order: 1, action: "rotate", approvals: 1 as const },
    approvers: { role: "operator" as const },
  };
  await owner.call("approval-policies.create", { body: policy });
  const [asking, approving] = [await userIn(scene, "olga"), await userIn(scene, "otto")];
  return {
    ...scene,
    asking,
    approving,
    async approve(subjectId, by = approving) {
      const query = { subjectId, state: "AWAITING_APPROVAL" as const };
      const [request] = await by.call("approvals.list", { query });
      const params = { approvalId: request?.id ?? "" };
      const { digest } = await by.call("approvals.get", { params });
      return by.call("approvals.approve", { params, body: { digest } });
    },
  };
}

const test = base.extend("scene", () => openGuarded());

describe("a schedule under a policy", () => {
  test("runs only after somebody else has approved it", async ({ scene }) => {
    const { id, approvalState, approvalId } = await scene.create({}, scene.asking);
    expect([approvalState, approvalId]).toEqual([
      "AWAITING_APPROVAL",
      expect.stringMatching(/^apr_/),
    ]);
    await scene.at("03:10:00");
    expect(await outcome(scene.approve(id, scene.asking))).toBe("OWN_REQUEST");
    await scene.approve(id);
    expect(await scene.getSchedule(id)).toMatchObject({ approvalState: null });
    await scene.at("03:20:00");
    expect(await scene.history(id)).toEqual(["03:10 FAILED APPROVAL_REQUIRED", "03:20 RUNNING"]);
  });

  test("keeps its request under another name, and a rejection of it still counts", async ({
    scene,
  }) => {
    const { id, version, approvalId } = await scene.create({}, scene.asking);
    scene.clock.advance(1000);
    const body = { ...everyTen, name: "other-name", version };
    const renamed = await scene.asking.call("schedules.update", {
      params: { scheduleId: id },
      body,
    });
    expect(renamed).toMatchObject({ approvalId, approvalState: "AWAITING_APPROVAL" });
    const params = { approvalId: approvalId ?? "" };
    await scene.approving.call("approvals.reject", { params, body: { reason: "no" } });
    const [policy] = await scene.as("owner").call("approval-policies.list", {});
    const gone = { params: { policyId: policy?.id ?? "" } };
    await scene.as("owner").call("approval-policies.delete", gone);
    await scene.at("03:10:00");
    expect(await scene.history(id)).toEqual(["03:10 FAILED APPROVAL_REQUIRED"]);
  });

  test("loses its request if it is saved as paused", async ({ scene }) => {
    const { id, version, approvalId } = await scene.create({}, scene.asking);
    const body = { ...everyTen, state: "PAUSED" as const, version };
    await scene.asking.call("schedules.update", { params: { scheduleId: id }, body });
    const params = { approvalId: approvalId ?? "" };
    expect(await scene.asking.call("approvals.get", { params })).toMatchObject({
      state: "OUTDATED",
    });
  });

  test("is approved for exactly its content, also after a pause", async ({ scene }) => {
    const { id } = await scene.create({}, scene.asking);
    await scene.approve(id);
    const params = { scheduleId: id };
    const { asking } = scene;
    await asking.call("schedules.pause", { params });
    const resumed = await asking.call("schedules.resume", { params, body: {} });
    expect(resumed.approvalState).toBeNull();
    const target = { ...everyTen.target, payload: { level: 9 } };
    const body = { ...everyTen, target, version: resumed.version };
    const changed = await asking.call("schedules.update", { params, body });
    expect(changed.approvalState).toBe("AWAITING_APPROVAL");
    await scene.at("03:10:00");
    const back = { ...everyTen, version: changed.version };
    const restored = await asking.call("schedules.update", { params, body: back });
    expect(restored.approvalState).toBeNull();
    await scene.at("03:20:00");
    expect(await scene.history(id)).toEqual(["03:10 FAILED APPROVAL_REQUIRED", "03:20 RUNNING"]);
    const requests = await asking.call("approvals.list", { query: { subjectId: id } });
    expect(requests.map(({ state }) => state)).toEqual(["OUTDATED", "APPROVED"]);
  });

  test("does not run at once without approval, unless an owner uses break-glass", async ({
    scene,
  }) => {
    const { id } = await scene.create({}, scene.asking);
    const run = (client: Client, body: object) =>
      client.call("schedules.run", { params: { scheduleId: id }, body });
    expect(await outcome(run(scene.asking, {}))).toBe("APPROVAL_REQUIRED");
    expect(await outcome(run(scene.asking, { breakGlass: "now" }))).toBe("FORBIDDEN");
    const begun = await run(await userIn(scene, "ann", "owner"), {
      breakGlass: "The disk is full.",
    });
    expect(begun).toMatchObject({ state: "RUNNING" });
    const [bypassed] = await scene.trail({ action: "approval.bypassed" });
    expect(bypassed).toMatchObject({ message: "The disk is full." });
  });

  test("does not run after a rejection, even without the policy", async ({ scene }) => {
    const { id, approvalId } = await scene.create({}, scene.asking);
    const params = { approvalId: approvalId ?? "" };
    await scene.approving.call("approvals.reject", { params, body: { reason: "no" } });
    expect(await scene.getSchedule(id)).toMatchObject({ approvalState: "NOT_APPROVED" });
    const owner = scene.as("owner");
    const [policy] = await owner.call("approval-policies.list", {});
    await owner.call("approval-policies.delete", { params: { policyId: policy?.id ?? "" } });
    await scene.at("03:10:00");
    expect(await scene.history(id)).toEqual(["03:10 FAILED APPROVAL_REQUIRED"]);
  });

  test("ends its request when it is deleted", async ({ scene }) => {
    const { id } = await scene.create({}, scene.asking);
    await scene.asking.call("schedules.delete", { params: { scheduleId: id } });
    const requests = await scene.asking.call("approvals.list", { query: { subjectId: id } });
    expect(requests.map(({ state }) => state)).toEqual(["OUTDATED"]);
  });
});

test("a rollout is checked for the services that it chooses when it runs", async ({ scene }) => {
  const target = { kind: "rollout" as const, action: "rotate", selector: "new=yes" };
  const { id, approvalState } = await scene.create({ target }, scene.asking);
  expect(approvalState).toBeNull();
  const labelled = { code: "late", name: "Late", version: "1", labels: { new: "yes" } };
  await scene.registerAgent("edge-2", [{ ...labelled, actions: [{ name: "rotate" }] }]);
  await scene.tick();
  scene.clock.advance(Date.parse("2026-01-02T03:10:00Z") - scene.clock.now());
  await scene.registerAgent("edge-2", [{ ...labelled, actions: [{ name: "rotate" }] }]);
  await scene.tick();
  expect(await scene.history(id)).toEqual(["03:10 FAILED APPROVAL_REQUIRED"]);
  expect(await scene.count("rollouts")).toBe(0);
  expect((await scene.runs(id))[0]?.errorMessage).toBe(
    "The policy careful requires approval. Save the schedule again to ask for it.",
  );
});

test("a run of a rollout says which request its schedule awaits", async ({ scene }) => {
  const target = { kind: "rollout" as const, action: "rotate", services: [collector.code] };
  const { id, approvalId } = await scene.create({ target }, scene.asking);
  await scene.at("03:10:00");
  expect(await scene.runs(id)).toMatchObject([
    { state: "FAILED", errorMessage: `The schedule awaits approval (${approvalId}).` },
  ]);
});

test("a rollout is checked for services with assigned labels", async ({ scene }) => {
  const params = { serviceId: scene.serviceId };
  await scene.as("owner").call("services.label", { params, body: { labels: { tier: "db" } } });
  const target = { kind: "rollout" as const, action: "rotate", selector: "tier=db" };
  const { approvalState } = await scene.create({ target }, scene.asking);
  expect(approvalState).toBe("AWAITING_APPROVAL");
});

test("a rollout is not checked for services whose labels agents cannot report", async ({
  scene,
}) => {
  const service = { code: "own", name: "Own", version: "1", actions: [{ name: "rotate" }] };
  await scene.registerAgent("edge-2", [{ ...service, labels: { tier: "db" } }]);
  const target = { kind: "rollout" as const, action: "rotate", selector: "tier=db" };
  const stateOf = async (name: string) =>
    (await scene.create({ name, target }, scene.asking)).approvalState;
  expect(await stateOf("before")).toBe("AWAITING_APPROVAL");
  const body = { operatorLabels: ["tier"] };
  await scene.as("owner").call("settings.update", { body });
  expect(await stateOf("after")).toBeNull();
});

onBothEngines(() => {
  test("a rollout with an empty list of services, agents or statuses needs no approval", async ({
    scene,
  }) => {
    for (const name of ["services", "agents", "status"]) {
      const target = { kind: "rollout", action: "rotate", [name]: [] } as never;
      const { approvalState, warnings } = await scene.create({ name, target }, scene.asking);
      expect([approvalState, warnings]).toEqual([null, ["No service was chosen."]]);
    }
  });
});
