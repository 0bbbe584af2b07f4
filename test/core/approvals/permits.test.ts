// Ways to run an action, with changes between the approval and the run. The action runs if and only
// if the policies at that moment allow it (docs/decisions/0025-approvals.md). Changes before the
// approval of an action are in decisions.test.ts and policies.test.ts.

import { describe, expect, test } from "vitest";
import { pruneApprovals } from "../../../src/core/approval-decisions/ending.ts";
import { advanceRollout } from "../../../src/core/rollouts/advance.ts";
import { runSchedules } from "../../../src/core/schedules/firing.ts";
import type { ServiceInput, TestAgent } from "../../helpers/app.ts";
import { withKey } from "../access/people.ts";
import { outcome } from "../refusals.ts";
import { type Approvals, openApprovals, type PolicyBody, purge, storage } from "./scene.ts";

type Outcome = "runs" | "held";

interface Scene extends Approvals {
  second: TestAgent;
  /** The policy that applied when the way was prepared. */
  policyId: string | null;
  /** The agent's declaration of `purge`. */
  declared: NonNullable<ServiceInput["actions"]>[number];
}

/** Prepares to run `purge` on `storage`, and returns a function that tries to run it. */
type Way = (scene: Scene) => Promise<() => Promise<unknown>>;

const canary: ServiceInput = { ...storage, code: "canary", labels: { env: "test" } };

async function open(policy: Partial<PolicyBody> | null): Promise<Scene> {
  const scene = await openApprovals(null);
  const second = await scene.registerAgent("edge-2", [canary]);
  const added = policy === null ? null : await scene.addPolicy(policy);
  return { ...scene, second, policyId: added?.id ?? null, declared: purge };
}

/** Approves the newest open request, if there is one, as ben. */
async function approveNewest(scene: Scene): Promise<void> {
  const query = { state: ["AWAITING_APPROVAL" as const] };
  const [open] = await scene.owner.call("approvals.list", { query });
  if (open) await scene.approve(open.id, scene.ben.client);
}

async function startRollout(scene: Scene, body: object = {}): Promise<string> {
  const { id } = await scene.ann.client.call("rollouts.create", {
    body: {
      ...{ action: "purge", services: ["canary", "storage"], confirmation: true, maxParallel: 1 },
      ...{ seed: await seedWithCanaryFirst(scene), ...body },
    },
  });
  await approveNewest(scene);
  await advance(scene, id);
  return id;
}

async function seedWithCanaryFirst({ ann }: Scene): Promise<string> {
  const wanted = { action: "purge", services: ["canary", "storage"], confirmation: true };
  for (let seed = 0; ; seed++) {
    const body = { ...wanted, seed: String(seed) };
    const { waves } = await ann.client.call("rollouts.preview", { body });
    if (waves[0]?.services[0]?.serviceCode === "canary") return body.seed;
  }
}

async function advance({ app }: Scene, id: string): Promise<void> {
  while (await advanceRollout(app.core, id));
}

/** Polls for the agent's commands, and reports a result for each. */
async function work({ client }: TestAgent, success = true): Promise<void> {
  const { commands } = await client.call("agent.poll", { query: { wait: 0 } });
  for (const { id: commandId } of commands) {
    const body = success ? { success } : { success, error: { code: "BROKEN", message: "broken" } };
    await client.call("agent.result", { params: { commandId }, body });
  }
}

async function createSchedule(scene: Scene) {
  const target = { kind: "action" as const, service: "storage", action: "purge" };
  const body = { name: "nightly", everySeconds: 600, target: { ...target, confirmation: true } };
  const { id } = await scene.ann.client.call("schedules.create", { body });
  await approveNewest(scene);
  return id;
}

const runParams = ({ serviceId }: Scene) => ({ serviceId, actionName: "purge" });

const ways: Record<string, Way> = {
  async action(scene) {
    const { command, approval } = await scene.run(scene.ann.client);
    if (command) await work(scene.agent);
    if (!approval) return () => scene.run(scene.ann.client);
    const { digest } = await scene.detail(approval.id);
    return () =>
      scene.ben.client.call("approvals.approve", {
        params: { approvalId: approval.id },
        body: { digest },
      });
  },
  async retry(scene) {
    const { command } = await scene.run(scene.olga.client, { breakGlass: "the first time" });
    await work(scene.agent, false);
    const params = { commandId: command?.id ?? "" };
    return () => scene.ann.client.call("commands.retry", { params, body: { confirmation: true } });
  },
  async "rollout target"(scene) {
    const id = await startRollout(scene);
    return async () => {
      await work(scene.second);
      await advance(scene, id);
    };
  },
  async "resumed rollout"(scene) {
    const id = await startRollout(scene, { waves: ["1"], between: "pause" });
    await work(scene.second);
    await advance(scene, id);
    return async () => {
      await scene.cleo.client.call("rollouts.resume", { params: { rolloutId: id } });
      await advance(scene, id);
    };
  },
  async "run of a schedule"(scene) {
    const scheduleId = await createSchedule(scene);
    const params = { scheduleId };
    const { nextRunAt } = await scene.owner.call("schedules.get", { params });
    return async () => {
      scene.clock.advance(Date.parse(nextRunAt ?? "") - scene.clock.now());
      for (const { client } of [scene.agent, scene.second])
        await client.call("agent.heartbeat", { body: {} });
      await runSchedules(scene.app.core);
    };
  },
  async plan(scene) {
    scene.declared = { ...purge, prepare: true };
    await declare(scene);
    const params = runParams(scene);
    const prepared = scene.ann.client.call("actions.prepare", { params });
    const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 20 } });
    const commandId = commands[0]?.id ?? "";
    const body = { success: true, output: { currentState: {}, stateFingerprint: "empty" } };
    await scene.agent.client.call("agent.result", { params: { commandId }, body });
    const prepareCommandId = (await prepared).command?.id ?? "";
    const plan = await scene.ann.client.call("plans.create", {
      params,
      body: { prepareCommandId },
    });
    const application = { plan: plan as never, confirmation: true };
    return () => scene.ann.client.call("plans.apply", { body: application });
  },
};

type Change = (scene: Scene) => Promise<unknown>;

/** Makes the agent of the service report it with these changes. */
async function declare(scene: Scene, more: Partial<ServiceInput> = {}): Promise<void> {
  const services = [{ ...storage, actions: [scene.declared], ...more }] as never;
  await scene.agent.client.call("agent.report", { body: { services, features: ["plan"] } });
}

async function move(scene: Scene, { agentId }: TestAgent): Promise<void> {
  const params = { serviceId: scene.serviceId };
  await scene.owner.call("services.move", { params, body: { agentId } });
}

const changes: Record<string, Change> = {
  "nothing changed": async () => undefined,
  "the service moved": async (scene) => {
    await move(scene, scene.second);
    await scene.report([canary, { ...storage, actions: [scene.declared] }], scene.second);
  },
  "the service moved back, and another agent had called it harmless": async (scene) => {
    await move(scene, scene.second);
    const harmless = { ...purge, dangerLevel: "LOW", requiresConfirmation: false } as const;
    const disguised = { ...storage, labels: { env: "dev" }, actions: [harmless] };
    await scene.report([canary, disguised], scene.second);
    await move(scene, scene.agent);
  },
  "the service moved back, and its agent has reported it": async (scene) => {
    await move(scene, scene.second);
    await scene.report([canary, storage], scene.second);
    await move(scene, scene.agent);
    await declare(scene);
  },
  "the service declares the action anew": async (scene) => {
    await declare(scene, { actions: [{ ...scene.declared, timeoutSeconds: 9 }] });
  },
  "the service left the policy": (scene) => declare(scene, { labels: { env: "test" } }),
  "the service came under an older policy": (scene) =>
    declare(scene, { labels: { env: "prod", tier: "payments" } }),
  "the policy became stricter": async ({ owner, policyId }) => {
    const params = { policyId: policyId ?? "" };
    const body = { ...operators, approvers: { role: "owner" as const }, version: 1 };
    await owner.call("approval-policies.update", { params, body });
  },
  "there is a new policy": ({ addPolicy }) =>
    addPolicy({ name: "owners", order: 1, approvers: { role: "owner" } }),
  "the policy was deleted": ({ owner, policyId }) =>
    owner.call("approval-policies.delete", { params: { policyId: policyId ?? "" } }),
  "the approver is no longer an operator": ({ change, ben }) => change(ben.id, { role: "viewer" }),
};

const operators = {
  ...{ name: "operators", selector: "env=prod", order: 20 },
  approvers: { role: "operator" as const },
};
const payments = {
  ...{ name: "payments", selector: "tier=payments", order: 10 },
  approvers: { role: "owner" as const },
};

async function outcomeOf(policies: boolean, way: Way, change: Change): Promise<Outcome> {
  const scene = await open(policies ? operators : null);
  if (policies) await scene.addPolicy(payments);
  const attempt = await way(scene);
  const before = await commandsFor(scene);
  await change(scene);
  // A refused attempt counts as held.
  await attempt().catch(() => undefined);
  const after = await commandsFor(scene);
  return after.length > before.length ? "runs" : "held";
}

async function commandsFor({ owner, serviceId }: Scene) {
  return owner.call("commands.list", {
    query: { serviceId, type: ["ACTION_EXECUTE" as const], pageSize: 200 },
  });
}

/** In these ways, the approval was given earlier, or giving it is the last step. */
const approved = ["action", "rollout target", "run of a schedule"];
const later = approved.slice(1);
const resumed = "resumed rollout";

function rowsOf(cells: Record<string, Partial<Record<Outcome, readonly string[]>>>) {
  return Object.entries(cells).flatMap(([name, byOutcome]) =>
    Object.entries(byOutcome).flatMap(([expected, keys]) =>
      keys.map((key) => [name, key, expected] as const),
    ),
  );
}

describe("what was approved by one operator, and then", () => {
  test.each(
    rowsOf({
      "nothing changed": { runs: [resumed] },
      "the service moved": { held: ["rollout target"] },
      "the service moved back, and another agent had called it harmless": { held: approved },
      "the service moved back, and its agent has reported it": { runs: approved },
      "the service declares the action anew": { held: later },
      // The plan and the approval refer to the declaration, which is unchanged.
      "the service left the policy": {
        runs: ["action", "rollout target", "run of a schedule", "retry"],
      },
      "the service came under an older policy": { held: ["action", "rollout target"] },
      "the policy became stricter": { held: [...later, resumed] },
      "there is a new policy": { held: ["rollout target"] },
      "the policy was deleted": { runs: ["rollout target", "retry"] },
      "the approver is no longer an operator": { held: approved },
    }),
  )("%s: %s: %s", async (name, key, expected) => {
    expect(await outcomeOf(true, ways[key]!, changes[name]!)).toBe(expected);
  });
});

describe("what needed no approval, and then", () => {
  test.each(
    rowsOf({
      "the service moved": { runs: ["run of a schedule"], held: ["rollout target", "plan"] },
      "the service moved back, and another agent had called it harmless": {
        held: [...approved, "plan"],
      },
      "the service moved back, and its agent has reported it": {
        runs: ["rollout target", "plan"],
      },
      "the service declares the action anew": {
        runs: ["run of a schedule"],
        held: ["rollout target"],
      },
      "there is a new policy": { held: ["run of a schedule"] },
    }),
  )("%s: %s: %s", async (name, key, expected) => {
    expect(await outcomeOf(false, ways[key]!, changes[name]!)).toBe(expected);
  });
});

describe("a rollout", () => {
  test("fails on a service that has moved, whoever resumes it", async () => {
    const scene = await open(null);
    const id = await startRollout(scene, { waves: ["1"], between: "pause" });
    await work(scene.second);
    await advance(scene, id);
    await move(scene, scene.second);
    await scene.report([canary, storage], scene.second);
    await scene.ann.client.call("rollouts.resume", { params: { rolloutId: id } });
    await advance(scene, id);
    const targets = await scene.owner.call("rollouts.targets", { params: { rolloutId: id } });
    expect(targets[1]).toMatchObject({
      ...{ state: "FAILED", errorCode: "TARGET_CHANGED" },
      errorMessage: "The service storage belongs to the agent edge-2 now.",
    });
  });

  test("that a policy holds back pauses, asks when it is resumed, and then continues", async () => {
    const scene = await open(null);
    const { ann, ben, owner, detail, approve, addPolicy } = scene;
    const id = await startRollout(scene);
    await addPolicy(operators);
    await work(scene.second);
    await advance(scene, id);
    const params = { rolloutId: id };
    const rollout = () => owner.call("rollouts.get", { params });
    expect(await rollout()).toMatchObject({
      ...{ state: "PAUSED", stateReason: "APPROVAL_REQUIRED" },
      targets: { SUCCEEDED: 1, WAITING: 1 },
    });
    const [paused] = await scene.trail(id).then((rows) => rows.slice(-1));
    expect(paused).toMatchObject({
      action: "rollout.paused",
      metadata: { reason: "APPROVAL_REQUIRED", serviceCode: "storage", policies: ["operators"] },
    });
    await ben.client.call("rollouts.resume", { params });
    const { state, approvalId } = await rollout();
    expect(state).toBe("AWAITING_APPROVAL");
    expect(await detail(approvalId ?? "")).toMatchObject({
      title: "purge on 1 service",
      content: { total: 1, dangerLevel: "HIGH" },
    });
    // Ann started the rollout, and ben asked to run the rest.
    for (const { client } of [ann, ben]) {
      expect(await outcome(approve(approvalId ?? "", client))).toBe("OWN_REQUEST");
    }
    await approve(approvalId ?? "", scene.cleo.client);
    await advance(scene, id);
    await work(scene.agent);
    await advance(scene, id);
    expect(await rollout()).toMatchObject({ state: "SUCCEEDED", targets: { SUCCEEDED: 2 } });
  });

  test("is named in its request by what it does", async () => {
    const { ann, detail } = await open(operators);
    const body = { action: "purge", services: ["storage"], name: "status", confirmation: true };
    const { approvalId } = await ann.client.call("rollouts.create", { body });
    expect(await detail(approvalId ?? "")).toMatchObject({ title: "purge on 1 service (status)" });
  });
});

describe("a schedule", () => {
  const target = { kind: "action" as const, service: "storage", action: "purge" };
  const body = { name: "nightly", everySeconds: 600, target: { ...target, confirmation: true } };

  async function runWhenDue(scene: Scene, scheduleId: string) {
    const params = { scheduleId };
    const { nextRunAt } = await scene.owner.call("schedules.get", { params });
    scene.clock.advance(Date.parse(nextRunAt ?? "") - scene.clock.now());
    for (const { client } of [scene.agent, scene.second]) {
      await client.call("agent.heartbeat", { body: {} });
    }
    await runSchedules(scene.app.core);
    const [run] = await scene.owner.call("schedules.runs", { params });
    return run;
  }

  test("runs without approval only while the key without a user that bypassed it works", async () => {
    const scene = await open(operators);
    const local = scene.asPrincipal({ kind: "local", osUser: "root" });
    const key = { name: "deploy", role: "owner" } as const;
    const made = await local.call("api-keys.create", { body: key });
    const withoutUser = await withKey(scene, made.key);
    const bypassed = { ...body, breakGlass: "The disk is full." };
    const { id } = await withoutUser.call("schedules.create", { body: bypassed });
    expect(await runWhenDue(scene, id)).toMatchObject({ state: "RUNNING" });
    await work(scene.agent);
    await runSchedules(scene.app.core);
    await local.call("api-keys.revoke", { params: { keyId: made.id } });
    expect(await runWhenDue(scene, id)).toMatchObject({ errorCode: "APPROVAL_REQUIRED" });
  });

  test("does not give its secrets to another agent", async () => {
    const scene = await open(null);
    const withSecret = { ...body, target: { ...body.target, payload: { password: "hunter2" } } };
    const { id } = await scene.ann.client.call("schedules.create", { body: withSecret });
    await move(scene, scene.second);
    await scene.report([canary, storage], scene.second);
    const changed = {
      ...{ state: "FAILED", errorCode: "TARGET_CHANGED" },
      errorMessage: expect.stringContaining("belongs to the agent edge-2 now"),
    };
    expect(await runWhenDue(scene, id)).toMatchObject(changed);
    const params = { scheduleId: id };
    expect(await scene.cleo.client.call("schedules.run", { params, body: {} })).toMatchObject(
      changed,
    );
    await scene.cleo.client.call("schedules.pause", { params });
    await scene.cleo.client.call("schedules.resume", { params, body: {} });
    expect(await runWhenDue(scene, id)).toMatchObject(changed);
  });

  test("that was saved before its action was declared does not give its secrets to another agent", async () => {
    const scene = await open(null);
    await scene.report([{ ...storage, actions: [] }]);
    const withSecret = { ...body, target: { ...body.target, payload: { password: "hunter2" } } };
    const { id } = await scene.ann.client.call("schedules.create", { body: withSecret });
    await scene.report([storage]);
    expect(await runWhenDue(scene, id)).toMatchObject({ state: "RUNNING" });
    await work(scene.agent);
    await move(scene, scene.second);
    await scene.report([canary, storage], scene.second);
    expect(await runWhenDue(scene, id)).toMatchObject({ errorCode: "TARGET_CHANGED" });
  });

  test("that was approved for one agent asks again for another", async () => {
    const scene = await open(operators);
    const id = await createSchedule(scene);
    await move(scene, scene.second);
    await scene.report([canary, storage], scene.second);
    expect(await runWhenDue(scene, id)).toMatchObject({ errorCode: "TARGET_CHANGED" });
    const update = { ...body, version: 1 };
    const params = { scheduleId: id };
    const saved = await scene.ann.client.call("schedules.update", { params, body: update });
    expect(saved).toMatchObject({ approvalState: "AWAITING_APPROVAL" });
    await approveNewest(scene);
    expect(await runWhenDue(scene, id)).toMatchObject({ state: "RUNNING" });
  });

  test("keeps its request when its description is corrected, and its author stays a requester", async () => {
    const scene = await open(operators);
    const { ann, ben, cleo, owner, approve } = scene;
    const created = await ann.client.call("schedules.create", { body });
    const params = { scheduleId: created.id };
    const corrected = { ...body, description: "each night", version: 1 };
    const after = await ben.client.call("schedules.update", { params, body: corrected });
    expect(after.approvalId).toBe(created.approvalId);
    for (const { client } of [ann, ben]) {
      expect(await outcome(approve(created.approvalId ?? "", client))).toBe("OWN_REQUEST");
    }
    // Ben changes the interval, so both have contributed to what awaits approval.
    const rewritten = { ...corrected, everySeconds: 900, version: 2 };
    const asked = await ben.client.call("schedules.update", { params, body: rewritten });
    expect(asked.approvalId).not.toBe(created.approvalId);
    expect(await outcome(approve(asked.approvalId ?? "", ann.client))).toBe("OWN_REQUEST");
    expect(await approve(asked.approvalId ?? "", cleo.client)).toMatchObject({ state: "APPROVED" });
    // After the approval, earlier changes no longer keep their authors from approving.
    const again = { ...rewritten, everySeconds: 1200, version: 3 };
    const { approvalId } = await ben.client.call("schedules.update", { params, body: again });
    expect(await approve(approvalId ?? "", ann.client)).toMatchObject({ state: "APPROVED" });
    expect(await owner.call("schedules.get", { params })).toMatchObject({ approvalState: null });
  });

  test("runs as long as its request is kept, however old that is", async () => {
    const scene = await open(operators);
    const id = await createSchedule(scene);
    scene.clock.advance(200 * 86_400_000);
    await pruneApprovals(scene.app.core, scene.clock.now());
    expect(await runWhenDue(scene, id)).toMatchObject({ state: "RUNNING" });
    await scene.owner.call("schedules.delete", { params: { scheduleId: id } });
    await pruneApprovals(scene.app.core, scene.clock.now() + 1);
    expect(await scene.owner.call("approvals.list")).toEqual([]);
  });
});

test("a repeated approval counts the others again", async () => {
  const { addPolicy, ask, approve, change, ben, cleo, commands } = await open(null);
  await addPolicy({ approvals: 2 });
  const id = await ask();
  await approve(id, ben.client);
  await change(ben.id, { status: "DISABLED" });
  expect(await approve(id, cleo.client)).toMatchObject({ state: "AWAITING_APPROVAL" });
  await change(ben.id, { status: "ACTIVE" });
  expect(await approve(id, cleo.client)).toMatchObject({
    state: "APPROVED",
    decisions: [{ username: "ben" }, { username: "cleo" }],
  });
  expect(await commands()).toHaveLength(1);
});

test("a moved service has no labels, actions, configs and health before its new agent reports", async () => {
  const scene = await open(null);
  const { owner, serviceId } = scene;
  const configs = [{ key: "size", type: "number", valuePreview: 3 }];
  await scene.report([{ ...storage, configs: configs as never }]);
  await move(scene, scene.second);
  expect(await owner.call("services.get", { params: { serviceId } })).toMatchObject({
    ...{ agentCode: "edge-2", status: "UNKNOWN", healthStatus: null },
    ...{ labels: {}, actions: [], configs: [] },
  });
  expect(await owner.call("services.list", { query: { selector: "env=prod" } })).toEqual([]);
  await scene.report([canary, storage], scene.second);
  expect(await owner.call("services.get", { params: { serviceId } })).toMatchObject({
    ...{ status: "HEALTHY", labels: { env: "prod" } },
    actions: [{ name: "purge" }, { name: "tidy" }],
  });
});
