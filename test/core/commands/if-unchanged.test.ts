// Executions that require the state to be the one that a prepare command returned.

import { test as base, describe, expect } from "vitest";
import { expectRefused } from "../refusals.ts";
import { collector, type Reported, type Scene } from "../scene.ts";
import {
  executeUnchanged,
  fingerprint,
  openPlanning,
  planned,
  preparedForm,
  reportFeatures,
} from "./planning.ts";

const test = base.extend("scene", () => openPlanning());

const always = ["id", "type", "serviceCode", "action", "payload", "expiresAt"];

async function deliveries({ agent }: Scene, held?: string) {
  const query = { wait: 0, ...(held === undefined ? {} : { held }) };
  return (await agent.client.call("agent.poll", { query })).commands;
}

/** Moves the service to the agent edge-2, which can compare states. */
async function moveAway(scene: Scene): Promise<void> {
  const other = await scene.registerAgent("edge-2");
  await scene.move(other);
  await scene.report([collector], other);
  await reportFeatures(scene, ["plan"], other);
}

test("the agent gets the fingerprint, and only with commands that depend on it", async ({
  scene,
}) => {
  const prepareCommandId = await scene.prepare(preparedForm);
  const command = await executeUnchanged(scene, { prepareCommandId });
  expect(command).toMatchObject({ prepareCommandId, expectedState: fingerprint });
  const without = await executeUnchanged(scene, { prepareCommandId, ifUnchanged: false });
  expect(without).toMatchObject({ prepareCommandId, expectedState: null });
  const [first, second] = await deliveries(scene);
  expect(Object.keys(first!)).toEqual([...always, "expectedState"]);
  expect(first!.expectedState).toBe(fingerprint);
  expect(Object.keys(second!)).toEqual(always);
});

test("a poll that waits gets the fingerprint, too", async ({ scene }) => {
  const prepareCommandId = await scene.prepare(preparedForm);
  const polled = scene.agent.client.call("agent.poll", { query: { wait: 20 } });
  await executeUnchanged(scene, { prepareCommandId });
  expect((await polled).commands).toMatchObject([{ expectedState: fingerprint }]);
});

describe("a prepare says whether an execution can depend on it", () => {
  const prepare = async (scene: Scene, output: unknown) => {
    const params = { serviceId: scene.serviceId, actionName: "rotate" };
    const prepared = scene.as("operator").call("actions.prepare", { params });
    const [id] = await scene.poll({ wait: 20 });
    await scene.result(id!, { success: true, output });
    return prepared;
  };

  test.for<[fingerprint: unknown, kept: string | null]>([
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), null],
    ["", null],
    [5, null],
  ])("a fingerprint %j", async ([stateFingerprint, kept], { scene }) => {
    const prepared = await prepare(scene, { currentState: 1, stateFingerprint });
    expect(prepared).toMatchObject({ stateFingerprint: kept, canPlan: kept !== null });
  });

  test("an agent without the feature", async ({ scene }) => {
    await reportFeatures(scene, []);
    const prepared = await prepare(scene, preparedForm.output);
    expect(prepared).toMatchObject({ stateFingerprint: fingerprint, canPlan: false });
  });
});

describe("refuses", () => {
  type Prepare = (scene: Scene) => Promise<string>;
  const unusable: [reason: string, prepare: Prepare, says: RegExp][] = [
    ["UNKNOWN", async () => "cmd_none", /no command cmd_none/],
    ["NOT_A_PREPARE", (scene) => scene.execute(), /is an execution, not a prepare command/],
    [
      "OTHER_ACTION",
      (scene) => scene.prepare(preparedForm, { actionName: "other" }),
      /prepared other on log-collector, not rotate/,
    ],
    ["FAILED", (scene) => scene.prepare({ success: false }), /failed with ACTION_FAILED/],
    [
      "UNFINISHED",
      async (scene) => {
        const params = { serviceId: scene.serviceId, actionName: "rotate" };
        void scene
          .as("operator")
          .call("actions.prepare", { params })
          .catch(() => undefined);
        const [id] = await scene.poll({ wait: 20 });
        return id!;
      },
      /has not ended yet. Wait for it/,
    ],
    [
      "OTHER_AGENT",
      async (scene) => {
        const id = await scene.prepare(preparedForm);
        await moveAway(scene);
        return id;
      },
      /edge-1 prepared .* belongs to edge-2 now/,
    ],
  ];

  test.for(unusable)("a prepare that is %s", async ([reason, prepare, says], { scene }) => {
    const prepareCommandId = await prepare(scene);
    const before = (await scene.as("viewer").page("commands.list")).pagination.total;
    const call = executeUnchanged(scene, { prepareCommandId });
    await expectRefused(call, "PREPARE_UNUSABLE", { prepareCommandId, reason });
    await expect(executeUnchanged(scene, { prepareCommandId })).rejects.toThrow(says);
    expect((await scene.as("viewer").page("commands.list")).pagination.total).toBe(before);
  });

  test("a cancelled prepare", async ({ scene }) => {
    const params = { serviceId: scene.serviceId, actionName: "rotate" };
    const prepared = scene.as("operator").call("actions.prepare", { params });
    const refused = expectRefused(prepared, "COMMAND_ALREADY_COMPLETED");
    const [prepareCommandId] = await scene.poll({ wait: 20 });
    await scene.cancel(prepareCommandId!);
    await refused;
    const call = executeUnchanged(scene, { prepareCommandId: prepareCommandId! });
    await expectRefused(call, "PREPARE_UNUSABLE", { reason: "CANCELLED" });
  });

  test("a prepare that ended an hour ago", async ({ scene }) => {
    const prepareCommandId = await scene.prepare(preparedForm);
    scene.clock.advance(3_600_000 - 1);
    await scene.beat();
    await executeUnchanged(scene, { prepareCommandId });
    scene.clock.advance(1);
    await expectRefused(executeUnchanged(scene, { prepareCommandId }), "PLAN_EXPIRED");
    await executeUnchanged(scene, { prepareCommandId, ifUnchanged: false });
  });

  test("no prepare, or one without a state", async ({ scene }) => {
    await expectRefused(executeUnchanged(scene, {}), "VALIDATION_FAILED", {
      issues: [{ path: "prepareCommandId", message: "is required with ifUnchanged" }],
    });
    const prepareCommandId = await scene.prepare({ success: true, output: { currentState: 1 } });
    await expectRefused(executeUnchanged(scene, { prepareCommandId }), "STATE_NOT_REPORTED");
  });

  test("an action without a prepare phase", async ({ scene }) => {
    await expectRefused(executeUnchanged(scene, { actionName: "direct" }), "STATE_NOT_REPORTED");
  });

  test("an agent that cannot compare states", async ({ scene }) => {
    const prepareCommandId = await scene.prepare(preparedForm);
    await reportFeatures(scene, undefined);
    const details = { agentId: scene.agent.agentId, agentCode: "edge-1" };
    const call = executeUnchanged(scene, { prepareCommandId });
    await expectRefused(call, "PLAN_NOT_SUPPORTED", details);
    await executeUnchanged(scene, { prepareCommandId, ifUnchanged: false });
  });
});

describe("STATE_CHANGED", () => {
  const changed = (details?: unknown): Reported => ({
    success: false,
    error: { code: "STATE_CHANGED", message: "It has changed.", details },
  });

  async function endWith(scene: Scene, report: Reported, ifUnchanged = true) {
    const prepareCommandId = await scene.prepare(preparedForm);
    const { id } = await executeUnchanged(scene, { prepareCommandId, ifUnchanged });
    await scene.poll();
    await scene.result(id, report);
    return id;
  }

  test("gets the state that the operator saw; secrets are removed from both", async ({ scene }) => {
    const now = { files: 4, password: "hunter3" };
    const report = changed({ stateFingerprint: "state-2", currentState: now });
    const id = await endWith(scene, report);
    expect(await scene.get(id)).toMatchObject({ status: "FAILED", errorCode: "STATE_CHANGED" });
    expect((await scene.get(id)).result).toMatchObject({
      error: {
        details: {
          stateFingerprint: "state-2",
          currentState: { files: 4, password: "[REDACTED]" },
          preparedState: { files: 3, password: "[REDACTED]" },
        },
      },
    });
    expect(await scene.result(id, report)).toMatchObject({ duplicate: true });
  });

  test.for([undefined, [1]])("with details %j", async (details, { scene }) => {
    const id = await endWith(scene, changed(details));
    expect((await scene.get(id)).result).toMatchObject({
      error: { details: { preparedState: { files: 3 } } },
    });
  });

  test("nothing is added to a command without the condition, or to other errors", async ({
    scene,
  }) => {
    const other = { success: false, error: { code: "GONE", details: { a: 1 } } };
    for (const [report, isConditional] of [
      [changed({ a: 1 }), false],
      [other, true],
    ] as const) {
      const id = await endWith(scene, report, isConditional);
      expect((await scene.get(id)).result?.error).toMatchObject({ details: { a: 1 } });
      expect(JSON.stringify((await scene.get(id)).result)).not.toContain("preparedState");
    }
  });
});

describe("a retry", () => {
  async function failedOne(scene: Scene) {
    const prepareCommandId = await scene.prepare(preparedForm);
    const { id } = await executeUnchanged(scene, { prepareCommandId });
    await scene.poll();
    await scene.result(id, { success: false });
    return id;
  }
  const retry = async (scene: Scene, commandId: string) => {
    const params = { commandId };
    return (await scene.as("operator").call("commands.retry", { params })).command!;
  };

  test("keeps the condition, also after an hour", async ({ scene }) => {
    const id = await failedOne(scene);
    scene.clock.advance(2 * 3_600_000);
    await scene.beat();
    expect(await retry(scene, id)).toMatchObject({ retryOf: id, expectedState: fingerprint });
    expect(await deliveries(scene)).toMatchObject([{ expectedState: fingerprint }]);
  });

  test("is refused if the agent can no longer compare states", async ({ scene }) => {
    const id = await failedOne(scene);
    await reportFeatures(scene, undefined);
    await expectRefused(retry(scene, id), "PLAN_NOT_SUPPORTED");
  });

  test("is refused after the service has moved to another agent", async ({ scene }) => {
    const id = await failedOne(scene);
    await moveAway(scene);
    const details = { commandId: id, reason: "OTHER_AGENT" };
    await expectRefused(retry(scene, id), "PREPARE_UNUSABLE", details);
    await expect(retry(scene, id)).rejects.toThrow(
      `${id} depends on a state that edge-1 reported, but the service log-collector belongs to edge-2 now`,
    );
  });

  test("without the condition follows the service to another agent", async ({ scene }) => {
    const prepareCommandId = await scene.prepare(preparedForm);
    const { id } = await executeUnchanged(scene, { prepareCommandId, ifUnchanged: false });
    await scene.poll();
    await scene.result(id, { success: false });
    await moveAway(scene);
    expect(await retry(scene, id)).toMatchObject({ agentCode: "edge-2", expectedState: null });
  });
});

describe("an older program in the agent's place", () => {
  test("gets no command that depends on the state, but all others", async ({ scene }) => {
    const prepareCommandId = await scene.prepare(preparedForm);
    const conditional = await executeUnchanged(scene, { prepareCommandId });
    const other = await scene.execute();
    await reportFeatures(scene, undefined);
    expect(await scene.poll()).toEqual([other]);
    expect(await scene.get(conditional.id)).toMatchObject({
      status: "FAILED",
      errorCode: "PLAN_NOT_SUPPORTED",
      errorMessage: expect.stringContaining("was not delivered"),
      deliveries: 0,
    });
    expect(await scene.auditOf(conditional.id)).toEqual(["command.created", "command.failed"]);
  });

  test("does not get such a command again that was lost on the way", async ({ scene }) => {
    const prepareCommandId = await scene.prepare(preparedForm);
    const { id } = await executeUnchanged(scene, { prepareCommandId });
    expect(await scene.poll({ wait: 0, held: "" })).toEqual([id]);
    expect(await deliveries(scene, "")).toMatchObject([{ id, expectedState: fingerprint }]);
    await reportFeatures(scene, undefined);
    expect(await scene.poll({ wait: 0, held: "" })).toEqual([]);
    expect(await scene.get(id)).toMatchObject({
      status: "FAILED",
      errorMessage: expect.stringContaining("may have run"),
      deliveries: 2,
    });
  });
});

describe("features", () => {
  const featuresOf = async (scene: Scene) => (await scene.agentNow()).features;

  test("of a report replace earlier ones; unknown names are ignored", async ({ scene }) => {
    for (const [sent, kept] of [
      [["plan", "fly"], ["plan"]],
      [["fly"], []],
      [["plan", "plan"], ["plan"]],
      [undefined, []],
    ] as const) {
      await reportFeatures(scene, sent && [...sent]);
      expect(await featuresOf(scene)).toEqual(kept);
    }
    const trail = await scene.trail({ action: "agent.updated" });
    expect(trail[0]?.metadata).toMatchObject({ code: "edge-1", changed: ["features"] });
  });

  test("of a heartbeat are noted, and one without them changes nothing", async ({ scene }) => {
    await scene.beat({ agent: { features: [] } });
    expect(await featuresOf(scene)).toEqual([]);
    await scene.beat({ agent: { features: ["plan"] } });
    await scene.beat({ agent: { name: "Edge" } });
    expect(await featuresOf(scene)).toEqual(["plan"]);
  });

  test("an unchanged report writes nothing", async ({ scene }) => {
    const hasWritten = scene.watchWrites();
    await reportFeatures(scene, ["plan"]);
    expect(hasWritten()).toBe(false);
  });

  test.for([
    [Array(33).fill("x"), false],
    [Array(32).fill("x"), true],
  ] as const)("%j", async ([features, isValid], { scene }) => {
    const body = { features, services: [planned] } as never;
    const report = scene.agent.client.call("agent.report", { body });
    if (isValid) await report;
    else await expectRefused(report, "VALIDATION_FAILED");
    expect(await featuresOf(scene)).toEqual(isValid ? [] : ["plan"]);
  });
});
