// Running a command that did not end well again: which ones, as what, and what is checked anew.

import { describe, expect, test } from "vitest";
import { expireCommands } from "../../src/core/commands.ts";
import { auditOf, outcome } from "./people.ts";
import { collector, openScene, type Scene } from "./scene.ts";

const retry = ({ as }: Scene, commandId: string, body = {}, query = {}) =>
  as("operator").call("commands.retry", { params: { commandId }, body, query });

/** A command that was cancelled. */
async function cancelled(scene: Scene, body: object = {}): Promise<string> {
  const id = await scene.execute(body);
  await scene.cancel(id);
  return id;
}

/** The collector with this changed about its action. */
const withAction = (change: object) => [
  { ...collector, actions: [{ name: "rotate", timeoutSeconds: 60, ...change }] },
];

describe("a command is retried", () => {
  test.each<[title: string, end: (scene: Scene, id: string) => Promise<unknown>]>([
    ["cancelled before it was fetched", (scene, id) => scene.cancel(id)],
    [
      "cancelled while it ran",
      async (scene, id) => {
        await scene.poll();
        await scene.cancel(id);
      },
    ],
    [
      "failed",
      async (scene, id) => {
        await scene.poll();
        await scene.result(id, { success: false, error: { code: "X" } });
      },
    ],
    [
      "never fetched",
      async (scene) => {
        scene.clock.advance(300_000);
        await expireCommands(scene.app.core);
        await scene.agent.client.call("agent.heartbeat", { body: {} });
      },
    ],
  ])(
    "when it was %s: a new one of the same kind, and the old one stays as it was",
    async (_, end) => {
      const scene = await openScene();
      const id = await scene.execute({ payload: { keep: 7 }, reason: "too big" });
      await end(scene, id);
      const before = await scene.get(id);
      const { command } = await retry(scene, id);
      expect(command).toMatchObject({
        retryOf: id,
        status: "PENDING",
        type: "ACTION_EXECUTE",
        action: "rotate",
        serviceId: scene.serviceId,
        agentId: scene.agent.agentId,
        reason: "too big",
        deliveries: 0,
        errorCode: null,
        expiresAt: new Date(scene.clock.now() + 300_000).toISOString(),
      });
      expect(command.id).not.toBe(id);
      expect((await scene.get(command.id)).payload).toEqual({ keep: 7 });
      expect(await scene.get(id)).toEqual(before);
      expect(await scene.poll()).toEqual([command.id]);
      expect(await auditOf(scene, "command.retried")).toMatchObject([
        {
          targetId: id,
          metadata: { action: "rotate", serviceCode: "log-collector", retriedAs: command.id },
        },
      ]);
    },
  );

  test("as often as one likes, and so is its retry", async () => {
    const scene = await openScene();
    const id = await cancelled(scene);
    const first = (await retry(scene, id)).command;
    const second = (await retry(scene, id)).command;
    await scene.cancel(second.id);
    const third = (await retry(scene, second.id)).command;
    expect([first, second, third].map(({ retryOf }) => retryOf)).toEqual([id, id, second.id]);
  });
});

describe("COMMAND_NOT_RETRYABLE", () => {
  test.each<[status: string, reach: (scene: Scene, id: string) => Promise<unknown>]>([
    ["PENDING", async () => undefined],
    ["RUNNING", (scene) => scene.poll()],
    [
      "SUCCEEDED",
      async (scene, id) => {
        await scene.poll();
        await scene.result(id);
      },
    ],
  ])("one that is %s", async (status, reach) => {
    const scene = await openScene();
    const commandId = await scene.execute();
    await reach(scene, commandId);
    await expect(retry(scene, commandId)).rejects.toMatchObject({
      code: "COMMAND_NOT_RETRYABLE",
      details: { commandId, status, type: "ACTION_EXECUTE" },
    });
    expect((await scene.as("viewer").page("commands.list")).pagination.total).toBe(1);
  });

  test("a prepare", async () => {
    const scene = await openScene();
    const params = { serviceId: scene.serviceId, actionName: "form" };
    const preparing = outcome<object>(scene.as("operator").call("actions.prepare", { params }));
    const [id] = await scene.poll({ wait: 20 });
    await scene.result(id!, { success: false });
    expect(await preparing).toBe("ACTION_PREPARE_FAILED");
    await expect(retry(scene, id!)).rejects.toMatchObject({
      code: "COMMAND_NOT_RETRYABLE",
      details: { type: "ACTION_PREPARE", status: "FAILED" },
    });
  });
});

describe("everything is checked as for a new one", () => {
  const needsNumber = {
    type: "object",
    required: ["keep"],
    properties: { keep: { type: "integer" } },
  };

  test.each<[code: string, spoil: (scene: Scene) => Promise<unknown>]>([
    ["CONFIRMATION_REQUIRED", (scene) => scene.report(withAction({ requiresConfirmation: true }))],
    ["PAYLOAD_INVALID", (scene) => scene.report(withAction({ inputSchema: needsNumber }))],
    ["ACTION_NOT_FOUND", (scene) => scene.report(withAction({ name: "other" }))],
    ["AGENT_DISABLED", ({ as, agent }) => as("operator").call("agents.disable", { params: agent })],
    [
      "AGENT_OFFLINE",
      ({ as, agent }) => as("operator").call("agents.revoke-token", { params: agent }),
    ],
    ["AGENT_OFFLINE", async ({ clock }) => clock.advance(90_001)],
  ])("%s", async (code, spoil) => {
    const scene = await openScene();
    const id = await cancelled(scene);
    await spoil(scene);
    expect(await outcome<object>(retry(scene, id))).toBe(code);
    expect((await scene.as("viewer").page("commands.list")).pagination.total).toBe(1);
    expect(await auditOf(scene, "command.retried")).toEqual([]);
  });

  test("confirmed, it runs", async () => {
    const scene = await openScene();
    const id = await cancelled(scene);
    await scene.report(withAction({ requiresConfirmation: true }));
    expect((await retry(scene, id, { confirmation: true })).command.retryOf).toBe(id);
  });

  test.each<[title: string, spoil: (scene: Scene) => unknown]>([
    ["silent", ({ clock }) => clock.advance(90_001)],
    ["disabled", ({ as, agent }) => as("operator").call("agents.disable", { params: agent })],
  ])("queued, it waits for an agent that is %s", async (_, spoil) => {
    const scene = await openScene();
    const id = await cancelled(scene);
    await spoil(scene);
    expect((await retry(scene, id, {}, { queue: true })).command.status).toBe("PENDING");
  });

  test("it goes to the agent that has the service now", async () => {
    const scene = await openScene();
    const id = await cancelled(scene);
    const other = await scene.registerAgent("edge-2", [collector]);
    const { command } = await retry(scene, id);
    expect(command).toMatchObject({ agentId: other.agentId, serviceId: scene.serviceId });
    expect(await scene.poll()).toEqual([]);
    expect(await scene.poll({ wait: 0 }, other)).toEqual([command.id]);
  });
});

test("a command that is none; and a caller who may not", async () => {
  const scene = await openScene();
  const id = await cancelled(scene);
  const none = retry(scene, "cmd_01K00000000000000000000000");
  expect(await outcome<object>(none)).toBe("COMMAND_NOT_FOUND");
  const params = { commandId: id };
  const viewing = scene.as("viewer").call("commands.retry", { params, body: {} });
  expect(await outcome<object>(viewing)).toBe("FORBIDDEN");
});
