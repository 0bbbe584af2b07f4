// Approvals of rollouts and plans, and of commands from the bus.

import { describe, expect, test, vi } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { advanceRollout, wakeRollouts } from "../../../src/core/rollouts/advance.ts";
import { outcome } from "../refusals.ts";
import { type Approvals, openApprovals, purge, storage } from "./scene.ts";

async function openRollout(policy = {}) {
  const scene = await openApprovals(policy);
  const second = await scene.registerAgent("edge-2", [{ ...storage, code: "archive" }]);
  const start = (body: object = {}, by = scene.ann.client) =>
    by.call("rollouts.create", {
      body: { action: "purge", selector: "env=prod", confirmation: true, ...body },
    });
  const rollout = (rolloutId: string) =>
    scene.owner.call("rollouts.get", { params: { rolloutId } });
  const commandsOf = (rolloutId: string) =>
    scene.owner.call("commands.list", { query: { rolloutId } });
  const advance = async (rolloutId: string) => {
    while (await advanceRollout(scene.app.core, rolloutId));
    return rollout(rolloutId);
  };
  return { ...scene, second, start, rollout, commandsOf, advance };
}

test("a rollout waits for approval with its targets, and then runs", async () => {
  const { start, approve, ben, advance, commandsOf, detail, app, trail } = await openRollout();
  const { id, state, approvalId, total } = await start({
    deadlineSeconds: 600,
    reason: "cleaning",
  });
  expect({ state, total }).toEqual({ state: "AWAITING_APPROVAL", total: 2 });
  await wakeRollouts(app.core);
  expect(await advance(id)).toMatchObject({ state: "AWAITING_APPROVAL", targets: { WAITING: 2 } });
  expect(await detail(approvalId ?? "")).toMatchObject({
    kind: "rollout",
    subjectId: id,
    content: { action: "purge", total: 2, waves: [2], deadlineSeconds: 600 },
  });
  expect(await approve(approvalId ?? "", ben.client)).toMatchObject({ state: "APPROVED" });
  expect(await advance(id)).toMatchObject({ state: "RUNNING", targets: { RUNNING: 2 } });
  expect(await commandsOf(id)).toHaveLength(2);
  expect((await trail(id)).map(({ action, actorName }) => [action, actorName])).toEqual([
    ["rollout.created", "ann"],
    ["rollout.approved", "ann"],
  ]);
});

test("the deadline counts from the approval", async () => {
  const { start, approve, ben, clock, rollout } = await openRollout();
  const { id, approvalId } = await start({ deadlineSeconds: 600 });
  clock.advance(3_600_000);
  await approve(approvalId ?? "", ben.client);
  const { deadlineAt } = await rollout(id);
  expect(Date.parse(deadlineAt ?? "") - clock.now()).toBe(600_000);
});

test("the deadline counts from the last approval, if a resumed rollout needs another", async () => {
  const { start, approve, ann, ben, olga, clock, rollout, ...scene } = await openRollout();
  const { id, approvalId } = await start({ deadlineSeconds: 600 });
  clock.advance(3_600_000);
  await approve(approvalId ?? "", ben.client);
  const params = { rolloutId: id };
  await ann.client.call("rollouts.pause", { params });
  await scene.addPolicy({ name: "stricter", order: 1, approvers: { role: "owner" } });
  const { approvalId: second } = await ann.client.call("rollouts.resume", { params });
  expect(await scene.detail(second ?? "")).toMatchObject({ content: { deadlineSeconds: 600 } });
  await approve(second ?? "", olga.client);
  const { deadlineAt } = await rollout(id);
  expect(Date.parse(deadlineAt ?? "") - clock.now()).toBe(600_000);
});

describe("a rollout that waits for approval again still watches its open services", () => {
  async function openAgain(body: object) {
    const scene = await openRollout();
    const { agent, second, ann, clock, app, advance, rollout } = scene;
    const { id, approvalId } = await scene.start({ maxParallel: 1, ...body });
    await scene.approve(approvalId ?? "", scene.ben.client);
    await advance(id);
    const wake = vi.spyOn(app.core.rollouts, "wake").mockReturnValue();
    return {
      ...scene,
      /** Resumes the rollout under a stricter policy. */
      async askAgain() {
        await ann.client.call("rollouts.pause", { params: { rolloutId: id } });
        await scene.addPolicy({ name: "stricter", order: 1, approvers: { role: "owner" } });
        const resumed = await ann.client.call("rollouts.resume", { params: { rolloutId: id } });
        expect(resumed.state).toBe("AWAITING_APPROVAL");
      },
      async endCommand() {
        clock.advance(1000);
        for (const { client } of [agent, second]) {
          const { commands } = await client.call("agent.poll", { query: { wait: 0 } });
          for (const { id: commandId } of commands) {
            await client.call("agent.result", { params: { commandId }, body: { success: true } });
          }
        }
        expect(await advance(id)).toMatchObject({ targets: { CHECKING: 1 } });
      },
      /** Runs the job, and returns the rollout. */
      async afterJob() {
        wake.mockClear();
        await wakeRollouts(app.core);
        for (const [woken] of wake.mock.calls) await advance(woken);
        return rollout(id);
      },
    };
  }

  test("a service that is healthy again passes its health gate", async () => {
    const { endCommand, askAgain, report, second, afterJob } = await openAgain({
      healthGate: true,
    });
    await endCommand();
    await askAgain();
    await report([storage]);
    await report([{ ...storage, code: "archive" }], second);
    expect(await afterJob()).toMatchObject({
      state: "AWAITING_APPROVAL",
      targets: { SUCCEEDED: 1, WAITING: 1 },
    });
  });

  test("a service whose agent has died without its command is skipped", async () => {
    const { askAgain, clock, afterJob } = await openAgain({});
    await askAgain();
    clock.advance(91_000);
    expect(await afterJob()).toMatchObject({
      state: "AWAITING_APPROVAL",
      targets: { NOT_RUN: 1, WAITING: 1 },
    });
  });
});

test("without approval it is cancelled, and can be asked for again", async () => {
  const { start, reject, ben, rollout, commandsOf, ann } = await openRollout();
  const { id, approvalId } = await start();
  await reject(approvalId ?? "", ben.client);
  expect(await rollout(id)).toMatchObject({
    state: "CANCELLED",
    stateReason: "NOT_APPROVED",
    targets: { NOT_RUN: 2 },
  });
  expect(await commandsOf(id)).toEqual([]);
  const params = { rolloutId: id };
  const body = { rest: true, confirmation: true };
  expect(await ann.client.call("rollouts.retry", { params, body })).toMatchObject({
    state: "AWAITING_APPROVAL",
    retryOf: id,
  });
});

test("while it waits, it cannot be paused or resumed, and cancelling withdraws the request", async () => {
  const { start, ann, ben, detail, approve } = await openRollout();
  const { id: rolloutId, approvalId } = await start();
  const params = { rolloutId };
  expect(await outcome(ann.client.call("rollouts.pause", { params }))).toBe("ROLLOUT_WRONG_STATE");
  expect(await outcome(ann.client.call("rollouts.resume", { params }))).toBe("ROLLOUT_WRONG_STATE");
  expect(await ann.client.call("rollouts.cancel", { params })).toMatchObject({
    state: "CANCELLED",
    stateReason: "NOT_APPROVED",
  });
  expect(await detail(approvalId ?? "")).toMatchObject({ state: "WITHDRAWN" });
  expect(await outcome(approve(approvalId ?? "", ben.client))).toBe("APPROVAL_WRONG_STATE");
});

describe("a rollout whose targets have changed does not run", () => {
  type Scene = Awaited<ReturnType<typeof openRollout>>;
  const changes: Record<string, (scene: Scene, rolloutId: string) => Promise<unknown>> = {
    "a service moved": async ({ owner, second, serviceId }) =>
      owner.call("services.move", { params: { serviceId }, body: { agentId: second.agentId } }),
    "the action changed": ({ report }) =>
      report([{ ...storage, actions: [{ ...purge, timeoutSeconds: 9 }] }]),
    "the action is gone": ({ report }) => report([{ ...storage, actions: [] }]),
    "an agent was deleted": async ({ elsewhere, second }) =>
      elsewhere(`DELETE FROM services WHERE agent_id = '${second.agentId}'`),
    "a target is in another wave": ({ elsewhere }, rolloutId) =>
      elsewhere(`UPDATE rollout_targets SET wave = 1 WHERE rollout_id = '${rolloutId}'`),
    "a target was removed": ({ elsewhere }, rolloutId) =>
      elsewhere(`DELETE FROM rollout_targets WHERE rollout_id = '${rolloutId}' AND ordinal = 0`),
    "the payload was changed": ({ elsewhere }, rolloutId) =>
      elsewhere(`UPDATE rollouts SET payload = '{"days":9}' WHERE id = '${rolloutId}'`),
    "the plan was changed": ({ elsewhere }, rolloutId) =>
      elsewhere(
        `UPDATE rollouts SET plan = replace(plan, '"maxParallel":1,', '"maxParallel":9,') WHERE id = '${rolloutId}'`,
      ),
  };
  test.each(Object.entries(changes))("%s", async (_, change) => {
    const scene = await openRollout();
    const { id, approvalId } = await scene.start({ payload: { days: 3 }, maxParallel: 1 });
    await change(scene, id);
    expect(await scene.approve(approvalId ?? "", scene.ben.client)).toMatchObject({
      state: "OUTDATED",
    });
    expect(await scene.rollout(id)).toMatchObject({
      state: "CANCELLED",
      stateReason: "NOT_APPROVED",
    });
    expect(await scene.commandsOf(id)).toEqual([]);
  });
});

test("a request shows the payloads of single services", async () => {
  const { start, ben } = await openRollout();
  const payloadByService = { [storage.code]: { days: 9 } };
  const { approvalId } = await start({ payload: { days: 3 }, payloadByService });
  const { content } = await ben.client.call("approvals.get", {
    params: { approvalId: approvalId ?? "" },
    query: { wait: 0 },
  });
  expect(content).toMatchObject({ payload: { days: 3 }, payloadByService });
  expect(content).not.toHaveProperty("leftOut");
});

test("a request shows which services the rollout leaves out", async () => {
  const { start, ben, registerAgent } = await openRollout();
  const plain = { code: "plain", name: "Plain", version: "1", labels: { env: "prod" } };
  await registerAgent("edge-3", [plain]);
  const { id, approvalId } = await start();
  const read = () =>
    ben.client.call("approvals.get", {
      params: { approvalId: approvalId ?? "" },
      query: { wait: 0 },
    });
  const { content, digest } = await read();
  expect(content.leftOut).toMatchObject({ total: 1, services: [{ serviceCode: "plain" }] });
  const params = { approvalId: approvalId ?? "" };
  await ben.client.call("approvals.approve", { params, body: { digest } });
  const { state, leftOut } = await ben.client.call("rollouts.get", { params: { rolloutId: id } });
  expect({ state, total: leftOut?.total }).toEqual({ state: "RUNNING", total: 1 });
});

test("a rollout comes under the policies of all its targets, which all must be satisfied", async () => {
  const { addPolicy, registerAgent, start, approve, ben, olga, owner } = await openRollout();
  await registerAgent("edge-3", [
    { ...storage, code: "vault", labels: { env: "prod", tier: "secret" } },
  ]);
  const approvers = { role: "owner" } as const;
  await addPolicy({ name: "secret", order: 1, selector: "tier=secret", approvers });
  const body = { action: "purge", selector: "env=prod" };
  const { policies } = await owner.call("rollouts.preview", { body });
  expect(policies).toEqual(["secret", "dangerous"]);
  const { approvalId } = await start();
  expect(await approve(approvalId ?? "", ben.client)).toMatchObject({ state: "AWAITING_APPROVAL" });
  expect(await approve(approvalId ?? "", olga.client)).toMatchObject({ state: "APPROVED" });
});

test("the detail says whether the caller's approval is the last one, also for several policies", async () => {
  const { addPolicy, registerAgent, start, approve, ann, ben, cleo, olga, owner } =
    await openRollout({ name: "production", selector: "env=prod" });
  await registerAgent("edge-3", [{ ...storage, code: "vault", labels: { tier: "db" } }]);
  const policy = { name: "databases", selector: "tier=db" };
  const { id: policyId } = await addPolicy(policy);
  const { approvalId } = await start({ selector: undefined, agents: ["edge-1", "edge-3"] });
  const params = { approvalId: approvalId ?? "" };
  const wouldSuffice = async ({ client }: { client: Client }) =>
    (await client.call("approvals.get", { params })).wouldSuffice;
  expect(await wouldSuffice(ben)).toBe(true);
  expect(await wouldSuffice(ann)).toBe(false);
  const body = {
    ...({ dangerLevel: "HIGH", approvers: { role: "operator" } } as const),
    ...policy,
  };
  await owner.call("approval-policies.update", {
    params: { policyId },
    body: { ...body, approvals: 2, version: 1 },
  });
  expect(await wouldSuffice(ben)).toBe(false);
  const approved = await approve(params.approvalId, ben.client);
  expect(approved).toMatchObject({ state: "AWAITING_APPROVAL", mayDecide: true });
  // An approval that is repeated counts once.
  expect([approved.wouldSuffice, await wouldSuffice(cleo)]).toEqual([false, true]);
  const ended = await approve(params.approvalId, olga.client);
  expect(ended).toMatchObject({ state: "APPROVED", wouldSuffice: false });
});

test("break-glass runs a rollout at once", async () => {
  const { start, olga, ann, owner } = await openRollout();
  const breakGlass = "the disks are full";
  expect(await outcome(start({ breakGlass }, ann.client))).toBe("FORBIDDEN");
  const { state, approvalId } = await start({ breakGlass }, olga.client);
  expect(state).toBe("RUNNING");
  const bypassed = await owner.call("approvals.list", { query: { state: "BYPASSED" } });
  expect(bypassed).toMatchObject([{ id: approvalId, stateReason: breakGlass }]);
});

test("the bus cannot run what needs approval, and saving the route warns", async () => {
  const scene: Approvals = await openApprovals();
  const { report, ann, owner, commands } = scene;
  await report([{ ...storage, actions: [{ ...purge, requiresConfirmation: false }] }]);
  const body = {
    name: "clean",
    state: "ENABLED",
    match: { type: "disk.full" },
    target: { serviceCode: "storage", action: "purge" },
  } as const;
  const { warnings } = await ann.client.call("bus-routes.create", { body });
  expect(warnings[0]).toContain("APPROVAL_REQUIRED");
  const event = { type: "disk.full", source: "storage" };
  const sent = await ann.client.call("bus-events.publish", { body: event as never });
  expect(sent).toMatchObject({
    routes: [{ outcome: "FAILED", reason: expect.stringContaining("APPROVAL_REQUIRED") }],
  });
  expect(await commands()).toEqual([]);
  expect(await owner.call("approvals.list")).toEqual([]);
});
