// Two programs use one token: a command that one of them has is not delivered to the other.

import { describe, expect } from "vitest";
import { takeoverMs } from "../../../src/domain/fleet/agent-instances.ts";
import { type Scene, test } from "../scene.ts";
import { setClock } from "../set-clock.ts";

function pollAs({ agent }: Scene, instance: string | undefined, held = "") {
  const query = { wait: 0, held, ...(instance === undefined ? {} : { instance }) };
  return agent.client
    .call("agent.poll", { query })
    .then(({ commands }) => commands.map(({ id }) => id));
}

async function duplications(scene: Scene): Promise<string[]> {
  const { data } = await scene
    .as("viewer")
    .page("audit-events.list", { query: { action: "agent.duplicated", pageSize: 100 } });
  return data.map(({ targetId }) => String(targetId));
}

async function shown({ as }: Scene) {
  const { duplicatedAgents } = await as("viewer").call("overview.get", {});
  return duplicatedAgents.map(({ agentCode }) => agentCode);
}

test("a restarted program gets a lost command again after the earlier program had time to call", async ({
  scene,
}) => {
  expect(await pollAs(scene, "first")).toEqual([]);
  const id = await scene.execute();
  expect(await pollAs(scene, "first")).toEqual([id]);
  expect(await pollAs(scene, "second")).toEqual([]);
  scene.clock.advance(takeoverMs - 1);
  expect(await pollAs(scene, "second")).toEqual([]);
  scene.clock.advance(1);
  expect(await pollAs(scene, "second")).toEqual([id]);
  expect([await duplications(scene), await shown(scene)]).toEqual([[], []]);
});

test("a program whose predecessor said goodbye gets a lost command at once", async ({ scene }) => {
  const id = await scene.execute();
  expect(await pollAs(scene, "first")).toEqual([id]);
  await scene.agent.client.call("agent.offline", { body: {} });
  expect(await pollAs(scene, "second")).toEqual([id]);
});

test("a poll that waits gets a lost command when that time has passed", async ({ scene }) => {
  const id = await scene.execute();
  expect(await pollAs(scene, "first")).toEqual([id]);
  await scene.beat({ instance: "second" });
  const query = { wait: 20, held: "", instance: "second" };
  const answer = scene.agent.client.call("agent.poll", { query });
  await expect.poll(() => scene.app.core.doorbell.size).toBe(1);
  scene.clock.advance(takeoverMs + 200);
  expect(await answer).toMatchObject({ commands: [{ id }] });
});

test("if an earlier program calls again, nothing is delivered twice, and operators see it", async ({
  scene,
}) => {
  await pollAs(scene, "first");
  const running = await scene.execute();
  expect(await pollAs(scene, "first")).toEqual([running]);
  // The clone does not know which command the first program runs.
  expect(await pollAs(scene, "clone")).toEqual([]);
  expect(await pollAs(scene, "first", running)).toEqual([]);
  scene.clock.advance(takeoverMs);
  expect(await pollAs(scene, "clone")).toEqual([]);
  const next = await scene.execute({}, { queue: true });
  expect(await pollAs(scene, "clone")).toEqual([next]);
  for (let turn = 0; turn < 10; turn++) {
    scene.clock.advance(takeoverMs);
    expect(await pollAs(scene, "first", running)).toEqual([]);
    scene.clock.advance(takeoverMs);
    expect(await pollAs(scene, "clone", next)).toEqual([]);
  }
  const { agentId } = scene.agent;
  // Later duplications are only summarized in the audit trail.
  expect(await duplications(scene)).toEqual([agentId]);
  expect(await shown(scene)).toEqual(["edge-1"]);

  // After one program has ended, lost commands are delivered again, except those from before.
  scene.clock.advance(5 * 60_000 + 1);
  expect(await shown(scene)).toEqual([]);
  const later = await scene.execute({}, { queue: true });
  expect(await pollAs(scene, "clone", next)).toEqual([later]);
  expect(await pollAs(scene, "clone", next)).toEqual([later]);
});

test("a heartbeat of the earlier program shows that there are two, and so does its response", async ({
  scene,
}) => {
  const beatAs = (instance?: string) =>
    scene.agent.client.call("agent.heartbeat", { body: { instance } });
  // No call has named a program yet.
  expect(await beatAs()).not.toHaveProperty("duplicated");
  expect(await beatAs("first")).toHaveProperty("duplicated", false);
  expect(await beatAs()).toHaveProperty("duplicated", false);
  const id = await scene.execute();
  expect(await pollAs(scene, "first")).toEqual([id]);
  expect(await beatAs("clone")).toHaveProperty("duplicated", false);
  expect(await beatAs("first")).toHaveProperty("duplicated", true);
  scene.clock.advance(takeoverMs);
  expect(await pollAs(scene, "clone")).toEqual([]);
  expect(await duplications(scene)).toHaveLength(1);
  expect(await beatAs("clone")).toHaveProperty("duplicated", true);
  scene.clock.advance(5 * 60_000 + takeoverMs);
  expect(await beatAs("clone")).toHaveProperty("duplicated", false);
});

describe("after the clock was set back", () => {
  test("a lost command is still delivered again", async ({ scene }) => {
    // Two programs were seen, and then the first has ended.
    for (const instance of ["first", "clone", "first", "clone"]) await pollAs(scene, instance);
    expect(await shown(scene)).toEqual(["edge-1"]);
    await setClock(scene, -3_600_000);
    scene.clock.advance(1);
    const id = await scene.execute();
    expect(await pollAs(scene, "clone")).toEqual([id]);
    scene.clock.advance(takeoverMs);
    expect(await pollAs(scene, "clone")).toEqual([id]);
    scene.clock.advance(5 * 60_000);
    expect(await shown(scene)).toEqual([]);
  });

  test.for(["before", "after"])(
    "a program that registered %s that does not get what was delivered before",
    async (registered, { scene }) => {
      const id = await scene.execute();
      expect(await pollAs(scene, undefined)).toEqual([id]);
      scene.clock.advance(1);
      const early = registered === "before" ? await scene.registerAgent("edge-1") : null;
      await setClock(scene, -3_600_000);
      scene.clock.advance(1);
      const agent = early ?? (await scene.registerAgent("edge-1"));
      expect(await scene.poll({ wait: 0, held: "" }, agent)).toEqual([]);
    },
  );
});

test("programs without an id work as before", async ({ scene }) => {
  const id = await scene.execute();
  expect(await pollAs(scene, undefined)).toEqual([id]);
  expect(await pollAs(scene, undefined)).toEqual([id]);
  expect(await duplications(scene)).toEqual([]);
});

test("a program that registers anew does not get what was delivered before", async ({ scene }) => {
  const id = await scene.execute();
  expect(await pollAs(scene, undefined)).toEqual([id]);
  scene.clock.advance(1);
  const agent = await scene.registerAgent("edge-1");
  expect(await scene.poll({ wait: 0, held: "" }, agent)).toEqual([]);
});
