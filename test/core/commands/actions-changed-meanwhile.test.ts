// If an action changes between the check and the transaction that creates the command, the new
// requirements apply. The tests send the agent's report just before the write.

import { expect } from "vitest";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { expectRefused } from "../refusals.ts";
import { collector, type Scene, test } from "../scene.ts";

async function reportsFirst(scene: Scene, action: object): Promise<void> {
  await flushPresence(scene.app.core);
  const { db } = scene.app.core;
  const { batch } = db;
  db.batch = async (handler, item, key) => {
    db.batch = batch;
    await scene.report([{ ...collector, actions: [{ name: "rotate", ...action }] }]);
    return db.batch(handler, item, key);
  };
}

const changes: [title: string, action: object, code: string][] = [
  ["confirmation is now required", { requiresConfirmation: true }, "CONFIRMATION_REQUIRED"],
  ["the schema now requires more", { inputSchema: { required: ["why"] } }, "PAYLOAD_INVALID"],
];

test.for(changes)("executed: %s", async ([_title, action, code], { scene }) => {
  await reportsFirst(scene, action);
  await expectRefused(scene.execute(), code);
  expect(await scene.as("viewer").call("commands.list")).toEqual([]);
});

test.for(changes)("retried: %s", async ([_title, action, code], { scene }) => {
  const commandId = await scene.execute();
  await scene.cancel(commandId);
  await reportsFirst(scene, action);
  await expectRefused(scene.as("operator").call("commands.retry", { params: { commandId } }), code);
  expect(await scene.as("viewer").call("commands.list")).toHaveLength(1);
});

test("the command runs with the new timeout", async ({ scene }) => {
  await reportsFirst(scene, { timeoutSeconds: 7 });
  await scene.execute();
  const { commands } = await scene.agent.client.call("agent.poll", { query: { wait: 0 } });
  const expiresAt = new Date(scene.clock.now() + 7000).toISOString();
  expect(commands).toMatchObject([{ expiresAt }]);
});
