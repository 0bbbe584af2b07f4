// The server signs plans, and applies each one once, exactly as it was shown.

import { test as base, describe, expect } from "vitest";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { openNodes } from "../nodes.ts";
import { expectRefused, outcome } from "../refusals.ts";
import type { Scene } from "../scene.ts";
import { fingerprint, openPlanning, planned, preparedForm, reportFeatures } from "./planning.ts";

const test = base.extend("scene", () => openPlanning());

interface PlanWish {
  actionName?: string;
  payload?: JsonObject;
  prepareCommandId?: string;
  reason?: string;
}

async function plan(scene: Scene, { actionName = "rotate", ...wish }: PlanWish = {}) {
  const prepareCommandId =
    wish.prepareCommandId ?? (await scene.prepare(preparedForm, { actionName }));
  const params = { serviceId: scene.serviceId, actionName };
  const body = { payload: { file: "a.log" }, ...wish, prepareCommandId };
  return scene.as("operator").call("plans.create", { params, body });
}

async function apply(app: Pick<TestApp, "as">, sent: object, body: object = {}) {
  const operator = app.as("operator");
  const all = { body: { plan: sent as JsonObject, ...body } };
  return (await operator.call("plans.apply", all)).command!;
}

test("a plan has what was prepared and what will run, and expires with the prepare", async ({
  scene,
}) => {
  const prepareCommandId = await scene.prepare(preparedForm);
  scene.clock.advance(60_000);
  const hasWritten = scene.watchWrites();
  const made = await plan(scene, { prepareCommandId, reason: "a drill" });
  expect(hasWritten()).toBe(false);
  const now = scene.clock.now();
  expect(made).toMatchObject({
    version: 1,
    service: { id: scene.serviceId, code: planned.code },
    agent: { id: scene.agent.agentId, code: "edge-1" },
    action: { name: "rotate", dangerLevel: "LOW", requiresConfirmation: false },
    inputSchema: planned.actions[0]!.inputSchema,
    currentState: { files: 3, password: "[REDACTED]" },
    stateFingerprint: fingerprint,
    prepareCommandId,
    payload: { file: "a.log" },
    withheld: [],
    sealedSecrets: null,
    reason: "a drill",
    createdBy: "operator key",
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + 3_540_000).toISOString(),
  });
});

test("a plan can be applied if its schema, which comes from an agent, has a large number", async ({
  scene,
}) => {
  const inputSchema = { properties: { size: { type: "integer", maximum: 2 ** 63 } } };
  const services = [{ ...planned, actions: [{ name: "rotate", inputSchema }] }] as never;
  await scene.agent.client.call("agent.report", { body: { services, features: ["plan"] } });
  const made = await plan(scene, { payload: { size: 1 } });
  expect(made.inputSchema).toEqual(inputSchema);
  expect(await apply(scene, made)).toMatchObject({ status: "PENDING" });
});

test("applying it runs exactly that, and only if the state is unchanged", async ({ scene }) => {
  const made = await plan(scene, { payload: { file: "b.log" }, reason: "a drill" });
  const command = await apply(scene, JSON.parse(JSON.stringify(made)));
  expect(command).toMatchObject({
    status: "PENDING",
    action: "rotate",
    reason: "a drill",
    prepareCommandId: made.prepareCommandId,
    expectedState: fingerprint,
    source: { kind: "operator", userId: "key_operator" },
  });
  const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
  expect(commands).toMatchObject([
    { id: command.id, payload: { file: "b.log" }, expectedState: fingerprint },
  ]);
  const [applied] = await scene.trail({ action: "command.plan.applied" });
  expect(applied).toMatchObject({
    targetId: command.id,
    metadata: { planId: made.id, createdBy: "operator key", createdAt: made.createdAt },
  });
});

test("secrets are readable only by the server and the agent", async ({ scene }) => {
  const payload = { file: "a.log", key: "s3cret", apiKey: "k-1" };
  const made = await plan(scene, { payload });
  expect(made.payload).toEqual({ file: "a.log", key: "[REDACTED]", apiKey: "[REDACTED]" });
  expect(made.withheld).toEqual(["/key", "/apiKey"]);
  expect(JSON.stringify(made)).not.toMatch(/s3cret|k-1/);
  const { id } = await apply(scene, made);
  const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
  expect(commands[0]!.payload).toEqual(payload);
  expect((await scene.get(id)).payload).toEqual(made.payload);
  // The same secrets are sealed differently each time, so equal secrets cannot be recognized.
  const again = await plan(scene, { payload });
  expect(again.sealedSecrets).not.toBe(made.sealedSecrets);
});

describe("a changed plan is refused", () => {
  test("in each of its fields", async ({ scene }) => {
    const made = await plan(scene, { payload: { key: "s3cret" }, reason: "a drill" });
    for (const field of Object.keys(made)) {
      const value = made[field as keyof typeof made];
      for (const other of [otherValue(value), undefined]) {
        const changed = { ...made, [field]: other };
        if (other === undefined) delete (changed as Record<string, unknown>)[field];
        await expectRefused(apply(scene, changed), "PLAN_INVALID");
      }
    }
    expect(await scene.as("viewer").call("commands.list")).toEqual([]);
    // The order of the fields does not matter.
    await apply(scene, Object.fromEntries(Object.entries(made).reverse()));
  });

  test("within a field, by another field, and in every other form", async ({ scene }) => {
    const made = await plan(scene);
    const refused: [plan: unknown, reason: string][] = [
      [{ ...made, payload: { ...made.payload, file: "b.log" } }, "CHANGED"],
      [{ ...made, action: { ...made.action, requiresConfirmation: true } }, "CHANGED"],
      [{ ...made, more: 1 }, "CHANGED"],
      [{ ...made, signature: made.signature.slice(2) }, "CHANGED"],
      [{ ...made, signature: 5 }, "NOT_A_PLAN"],
      [{}, "NOT_A_PLAN"],
    ];
    for (const [sent, reason] of refused) {
      await expectRefused(apply(scene, sent as object), "PLAN_INVALID", { reason });
    }
    for (const sent of [null, "x", [], 5]) {
      await expectRefused(apply(scene, sent as never), "VALIDATION_FAILED");
    }
    expect(await scene.as("viewer").call("commands.list")).toEqual([]);
  });
});

function otherValue(value: unknown): unknown {
  if (typeof value === "string") return `${value}0`;
  if (typeof value === "number") return value + 1;
  if (Array.isArray(value)) return [...value, "/other"];
  return value === null ? "x" : { ...(value as object), other: 1 };
}

test("another server refuses it", async ({ scene }) => {
  const made = await plan(scene);
  await expectRefused(apply(openTestApp(), made), "PLAN_INVALID", { reason: "OTHER_SERVER" });
});

test("it expires", async ({ scene }) => {
  const made = await plan(scene);
  scene.clock.advance(Date.parse(made.expiresAt) - scene.clock.now() - 1);
  await scene.beat();
  const late = await plan(scene);
  scene.clock.advance(1);
  await expectRefused(apply(scene, made), "PLAN_EXPIRED", { planId: made.id });
  await apply(scene, late);
});

describe("a plan runs once", () => {
  test("and says which command it was, also after it has expired", async ({ scene }) => {
    const made = await plan(scene);
    const { id: commandId } = await apply(scene, made);
    await expectRefused(apply(scene, made), "PLAN_ALREADY_APPLIED", { commandId });
    scene.clock.advance(2 * 3_600_000);
    await expectRefused(apply(scene, made), "PLAN_ALREADY_APPLIED", { commandId });
    expect(await scene.as("viewer").call("commands.list")).toHaveLength(1);
  });

  test("if it is applied many times at once", async ({ scene }) => {
    const made = await plan(scene);
    const ended = await Promise.all(
      Array.from({ length: 8 }, () => outcome(apply(scene, made).then(() => "applied" as const))),
    );
    expect(ended.toSorted()).toEqual([...Array(7).fill("PLAN_ALREADY_APPLIED"), "applied"]);
    expect(await scene.as("viewer").call("commands.list")).toHaveLength(1);
  });

  test("a refused attempt does not use it up", async ({ scene }) => {
    const made = await plan(scene, { actionName: "drop" });
    await expectRefused(apply(scene, made), "CONFIRMATION_REQUIRED");
    await scene.change("disable");
    await expectRefused(apply(scene, made, { confirmation: true }), "AGENT_DISABLED");
    await scene.change("enable");
    await reportFeatures(scene, undefined);
    await expectRefused(apply(scene, made, { confirmation: true }), "PLAN_NOT_SUPPORTED");
    await reportFeatures(scene, ["plan"]);
    await apply(scene, made, { confirmation: true });
  });
});

describe("it is made and applied", () => {
  test("with the checks of an execution", async ({ scene }) => {
    const prepareCommandId = await scene.prepare(preparedForm);
    const payload = { file: 5 };
    await expectRefused(plan(scene, { prepareCommandId, payload }), "PAYLOAD_INVALID");
    const unknown = plan(scene, { prepareCommandId: "cmd_none" });
    await expectRefused(unknown, "PREPARE_UNUSABLE", { reason: "UNKNOWN" });
    const direct = plan(scene, { actionName: "direct", prepareCommandId });
    await expectRefused(direct, "STATE_NOT_REPORTED");
    await expectRefused(plan(scene, { actionName: "gone", prepareCommandId }), "ACTION_NOT_FOUND");
    await reportFeatures(scene, undefined);
    await expectRefused(plan(scene, { prepareCommandId }), "PLAN_NOT_SUPPORTED");
  });

  test("only if it is small enough to be sent back", async ({ scene }) => {
    const big = { currentState: "x".repeat(900_000), stateFingerprint: fingerprint };
    const fits = await scene.prepare({ success: true, output: big });
    const made = await plan(scene, { prepareCommandId: fits });
    const nested = JSON.parse(`${'{"a":'.repeat(30)}1${"}".repeat(30)}`);
    const prepareCommandId = await scene.prepare(preparedForm);
    const tooDeep = plan(scene, { prepareCommandId, payload: { file: "a", x: nested } });
    await expectRefused(tooDeep, "PAYLOAD_TOO_LARGE");
    const rows = { ...big, currentState: Array(70_000).fill({ a: 1 }) };
    const many = await scene.prepare({ success: true, output: rows });
    await expect(plan(scene, { prepareCommandId: many })).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message: expect.stringContaining("too many objects, arrays, keys or values"),
    });
    await apply(scene, made);
  });
});

test("a plan of one node on PostgreSQL is applied at the other, and once if at both at once", async () => {
  const { one, other } = await openNodes();
  await reportFeatures(one, ["plan"]);
  const made = await plan(one, { payload: { key: "s3cret" } });
  const { id } = await apply(other, made);
  const { commands } = await one.agent.client.call("agent.poll", { query: { wait: 0 } });
  expect(commands).toMatchObject([{ id, payload: { key: "s3cret" }, expectedState: fingerprint }]);
  await expectRefused(apply(one, made), "PLAN_ALREADY_APPLIED", { commandId: id });
  await one.result(id);
  const plans = [await plan(one), await plan(one)];
  for (const each of plans) {
    const ended = await Promise.all(
      [one, other, one, other].map((node) =>
        outcome(apply(node, each).then(() => "applied" as const)),
      ),
    );
    expect(ended.toSorted()).toEqual([...Array(3).fill("PLAN_ALREADY_APPLIED"), "applied"]);
  }
  expect(await one.as("viewer").call("commands.list")).toHaveLength(1 + plans.length);
});

test("what a plan withholds stays secret, even if the service no longer marks it", async ({
  scene,
}) => {
  const made = await plan(scene, { payload: { key: "key-of-ann" } });
  const [rotate] = planned.actions;
  const actions = [{ ...rotate, inputSchema: {} }];
  const services = [{ ...planned, actions }] as never;
  await scene.agent.client.call("agent.report", { body: { services, features: ["plan"] } });
  const { id } = await apply(scene, made);
  expect(await scene.get(id)).toMatchObject({
    payload: { key: "[REDACTED]" },
    withheld: ["/key"],
  });
});
