// Which commands can be retried, and what the new command copies from the original.

import { test as base, describe, expect } from "vitest";
import { expectRefused } from "../refusals.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const strict = { required: ["file"], properties: { file: { type: "string" } } };
const actions = [
  { name: "rotate", inputSchema: strict, timeoutSeconds: 60 },
  { name: "form", inputSchema: {} },
];
const payload = { file: "a.log" };

const test = base.extend("scene", () => openScene({}, [{ ...collector, actions }]));

interface Wish {
  body?: { confirmation?: boolean; secrets?: Record<string, string | number> };
  query?: { queue?: boolean };
}

async function retry(scene: Scene, commandId: string, { body = {}, query = {} }: Wish = {}) {
  const operator = scene.as("operator");
  return (await operator.call("commands.retry", { params: { commandId }, body, query })).command!;
}

type End = (scene: Scene) => Promise<string>;

const failed: End = async (scene) => {
  const id = await scene.execute({ payload, reason: "a drill" });
  await scene.poll();
  await scene.result(id, { success: false, error: { code: "GONE" } });
  return id;
};
async function countCommands({ as }: Scene): Promise<number> {
  return (await as("viewer").page("commands.list")).pagination.total;
}

describe("a retry creates a new command like the old one", () => {
  test("a failed one", async ({ scene }) => {
    const id = await failed(scene);
    const before = await scene.get(id);
    scene.clock.advance(1000);
    const again = await retry(scene, id);
    const now = scene.clock.now();
    expect(again).toMatchObject({
      type: "ACTION_EXECUTE",
      status: "PENDING",
      retryOf: id,
      serviceId: scene.serviceId,
      agentId: scene.agent.agentId,
      action: "rotate",
      reason: "a drill",
      source: { kind: "operator", userId: "key_operator", name: "operator key" },
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 300_000).toISOString(),
      deliveries: 0,
      startedAt: null,
      completedAt: null,
      errorCode: null,
    });
    expect(again.id).not.toBe(id);
    expect((await scene.get(again.id)).payload).toEqual(payload);
    // The original command is unchanged.
    expect(await scene.get(id)).toEqual(before);
    // The new command is delivered and has its own time limit.
    const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
    const expiresAt = new Date(now + 60_000).toISOString();
    expect(commands).toMatchObject([{ id: again.id, payload, expiresAt }]);
    await scene.result(again.id);
    expect(await scene.get(again.id)).toMatchObject({ status: "SUCCEEDED", retryOf: id });
  });

  test("the retry and the new command are audited", async ({ scene }) => {
    const id = await failed(scene);
    const again = await retry(scene, id);
    expect((await scene.auditOf(id)).slice(-1)).toEqual(["command.retried"]);
    expect(await scene.auditOf(again.id)).toEqual(["command.created"]);
    const [event] = await scene.trail({ targetId: id });
    expect(event).toMatchObject({
      actorType: "API_KEY",
      actorId: "key_operator",
      metadata: { action: "rotate", serviceCode: collector.code, retriedAs: again.id },
    });
  });

  test("a retry can be retried, and names its original", async ({ scene }) => {
    const first = await failed(scene);
    const second = await retry(scene, first);
    await scene.cancel(second.id);
    const third = await retry(scene, second.id);
    expect([second.retryOf, third.retryOf]).toEqual([first, second.id]);
    expect((await scene.get(third.id)).payload).toEqual(payload);
  });
});

describe("a retry is refused with 409 COMMAND_NOT_RETRYABLE", () => {
  const refused: [state: string, type: string, status: string, make: End][] = [
    ["waits", "ACTION_EXECUTE", "PENDING", (scene) => scene.execute({ payload })],
    [
      "runs",
      "ACTION_EXECUTE",
      "RUNNING",
      async (scene) => {
        const id = await scene.execute({ payload });
        await scene.poll();
        return id;
      },
    ],
    [
      "has succeeded",
      "ACTION_EXECUTE",
      "SUCCEEDED",
      async (scene) => {
        const id = await scene.execute({ payload });
        await scene.poll();
        await scene.result(id);
        return id;
      },
    ],
    ["is a prepare", "ACTION_PREPARE", "FAILED", (scene) => scene.prepare({ success: false })],
  ];

  test.for(refused)("for a command that %s", async ([_state, type, status, make], { scene }) => {
    const commandId = await make(scene);
    const before = await countCommands(scene);
    for (const query of [{}, { queue: true }]) {
      await expectRefused(retry(scene, commandId, { query }), "COMMAND_NOT_RETRYABLE", {
        commandId,
        type,
        status,
      });
    }
    expect(await countCommands(scene)).toBe(before);
    expect(await scene.auditOf(commandId)).not.toContain("command.retried");
  });
});

describe("a retry checks everything again", () => {
  test("if the action was removed, it fails", async ({ scene }) => {
    const id = await failed(scene);
    await scene.report([{ ...collector, actions: [actions[1]!] }]);
    await expectRefused(retry(scene, id), "ACTION_NOT_FOUND");
    await expectRefused(retry(scene, id, { query: { queue: true } }), "ACTION_NOT_FOUND");
    expect(await countCommands(scene)).toBe(1);
    expect(await scene.auditOf(id)).not.toContain("command.retried");
  });

  test("a retry requires the confirmation again", async ({ scene }) => {
    await scene.report([{ ...collector, actions: [{ name: "rotate", dangerLevel: "HIGH" }] }]);
    const id = await scene.execute({ payload, confirmation: true });
    await scene.cancel(id);
    for (const body of [{}, { confirmation: false }]) {
      await expectRefused(retry(scene, id, { body }), "CONFIRMATION_REQUIRED");
    }
    expect((await retry(scene, id, { body: { confirmation: true } })).retryOf).toBe(id);
  });

  test("a retry uses the action's current timeout", async ({ scene }) => {
    const id = await failed(scene);
    await scene.report([{ ...collector, actions: [{ ...actions[0]!, timeoutSeconds: 7 }] }]);
    await retry(scene, id);
    const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
    const expiresAt = new Date(scene.clock.now() + 7000).toISOString();
    expect(commands).toMatchObject([{ expiresAt }]);
  });

  test("a retry keeps the schema of the prepare", async ({ scene }) => {
    const output = { inputSchema: { required: ["level"] } };
    const prepareCommandId = await scene.prepare({ success: true, output });
    const id = await scene.execute({ payload: { level: 1 }, prepareCommandId });
    await scene.cancel(id);
    const again = await retry(scene, id);
    expect(again.prepareCommandId).toBe(prepareCommandId);
    expect((await scene.get(again.id)).payload).toEqual({ level: 1 });
  });

  test("a retry when the agent is silent fails, unless it may queue", async ({ scene }) => {
    const id = await failed(scene);
    scene.clock.advance(90_001);
    await expectRefused(retry(scene, id), "AGENT_OFFLINE");
    expect(await countCommands(scene)).toBe(1);
    const queued = await retry(scene, id, { query: { queue: true } });
    expect(queued).toMatchObject({ status: "PENDING", retryOf: id });
  });
});
