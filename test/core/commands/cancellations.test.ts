// An agent learns of a cancellation immediately through an open poll, and from every response until
// it reports the outcome.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "vitest";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { openTestApp, type TestAgent } from "../../helpers/app.ts";
import { test as base, openScene, type Reported, type Scene } from "../scene.ts";

const test = base.extend("cancelled", () => openCancelled());

function poll({ agent }: Pick<Scene, "agent">, wait = 0) {
  return agent.client.call("agent.poll", { query: { wait, held: "" } });
}

async function beat({ beat }: Scene, agent?: TestAgent): Promise<string[]> {
  return (await beat({}, agent)).cancelled;
}

async function openCancelled(): Promise<{ scene: Scene; id: string }> {
  const scene = await openScene();
  const id = await scene.execute();
  await poll(scene);
  await scene.cancel(id);
  return { scene, id };
}

const late = { code: "COMMAND_ALREADY_COMPLETED" };

test("responses repeat a cancellation until the agent confirms it", async ({ scene }) => {
  const id = await scene.execute();
  expect(await poll(scene)).toMatchObject({ commands: [{ id }], cancelled: [] });
  const held = scene.agent.client.call("agent.poll", { query: { wait: 20, held: id } });
  await nextTurn();
  expect(await scene.cancel(id)).toMatchObject({ cancelOutcome: "UNCONFIRMED" });
  expect(await held).toEqual({ commands: [], cancelled: [id] });
  expect(await beat(scene)).toEqual([id]);
  expect((await poll(scene)).cancelled).toEqual([id]);

  const report = { success: false, error: { code: "COMMAND_CANCELLED", message: "stopped" } };
  await expect(scene.result(id, report)).rejects.toMatchObject(late);
  expect(await beat(scene)).toEqual([]);
  expect((await poll(scene)).cancelled).toEqual([]);
  expect(await scene.get(id)).toMatchObject({
    status: "CANCELLED",
    cancelledWhileRunning: true,
    cancelOutcome: "STOPPED",
    lateResult: report,
  });
});

test("an unconfirmed cancellation ends only one poll", async ({ cancelled: { scene, id } }) => {
  const { doorbell } = scene.app.core;
  expect((await poll(scene, 20)).cancelled).toEqual([id]);
  const held = poll(scene, 20);
  await nextTurn();
  expect(doorbell.size).toBe(1);
  // A new command still ends the poll, and another cancellation ends it once.
  const another = await scene.execute();
  expect(await held).toMatchObject({ commands: [{ id: another }], cancelled: [id] });
  const next = scene.agent.client.call("agent.poll", { query: { wait: 20, held: another } });
  await nextTurn();
  await scene.cancel(another);
  expect(await next).toEqual({ commands: [], cancelled: [id, another] });
  void poll(scene, 20);
  await nextTurn();
  expect(doorbell.size).toBe(1);
});

test("a response that was not delivered does not count", async ({ cancelled: { scene, id } }) => {
  const replaced = poll(scene, 20);
  const taken = poll(scene, 20);
  expect([(await replaced).cancelled, (await taken).cancelled].flat()).toContain(id);
});

test("a cancellation before delivery or after the end is not reported", async ({ scene }) => {
  const waiting = await scene.execute();
  expect(await scene.cancel(waiting)).toMatchObject({ cancelOutcome: null });
  expect(await beat(scene)).toEqual([]);
  const done = await scene.execute();
  await poll(scene);
  await scene.result(done);
  await expect(scene.cancel(done)).rejects.toMatchObject(late);
  expect(await poll(scene)).toEqual({ commands: [], cancelled: [] });
});

test("only the command's agent sees it, for an hour", async ({ cancelled: { scene, id } }) => {
  const other = await scene.registerAgent("edge-2");
  expect(await beat(scene, other)).toEqual([]);
  scene.clock.advance(3_599_999);
  expect(await beat(scene)).toEqual([id]);
  scene.clock.advance(1);
  expect(await beat(scene)).toEqual([]);
  expect(await poll(scene)).toMatchObject({ cancelled: [] });
});

test.for<[Reported, outcome: string, told: string]>([
  [{ success: true, output: 1 }, "FINISHED", "had already ended"],
  [{ success: false, error: { code: "DISK_FULL" } }, "FINISHED", "had already ended"],
  [{ success: false, error: { code: "COMMAND_CANCELLED" } }, "STOPPED", "has stopped the command"],
  [{ success: false, error: { code: "COMMAND_NOT_STOPPED" } }, "NOT_STOPPED", "did not end"],
  [{ success: false, error: { code: "AGENT_RESTARTED" } }, "UNKNOWN", "agent was lost"],
])(
  "the result %j sets the cancel outcome %s, in the command and the audit trail",
  async ([report, cancelOutcome, told], { cancelled: { scene, id } }) => {
    await expect(scene.result(id, report)).rejects.toMatchObject(late);
    expect(await scene.get(id)).toMatchObject({ status: "CANCELLED", cancelOutcome });
    const { data } = await scene
      .as("viewer")
      .page("audit-events.list", { query: { targetId: id } });
    expect(data[0]).toMatchObject({
      action: "command.result.late",
      message: expect.stringContaining(told),
      metadata: { status: "CANCELLED", cancelOutcome },
    });
  },
);

test("a late result after a timeout sets no cancel outcome", async ({ scene }) => {
  const id = await scene.execute();
  await poll(scene);
  scene.clock.advance(60_000);
  await expireCommands(scene.app.core);
  await expect(scene.result(id)).rejects.toMatchObject(late);
  expect(await scene.get(id)).toMatchObject({ status: "FAILED", cancelOutcome: null });
});

test("a restarted server repeats a cancellation", async ({ cancelled: { scene, id } }) => {
  expect((await poll(scene, 20)).cancelled).toEqual([id]);
  await scene.app.close();
  const after = openTestApp({ DATA_DIR: scene.config.dataDir });
  const agent = { ...scene.agent, client: after.asPrincipal(scene.agent.principal) };
  expect((await poll({ agent }, 20)).cancelled).toEqual([id]);
  expect(await beat(scene, agent)).toEqual([id]);
});

test("a cancellation through another process ends a long poll", async ({ scene }) => {
  const id = await scene.execute();
  await poll(scene);
  const held = scene.agent.client.call("agent.poll", { query: { wait: 20, held: id } });
  await nextTurn();
  await scene.elsewhere(`UPDATE commands SET status = 'CANCELLED', cancelled_while_running = 1,
    completed_at = ${scene.clock.now()} WHERE id = '${id}'`);
  expect((await held).cancelled).toEqual([id]);
});
