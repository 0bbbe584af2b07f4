// An agent that reports that it is stopping is OFFLINE immediately, until its next call.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "vitest";
import { sweepSilentAgents } from "../../../src/core/fleet/status-sweep.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { openTestApp, startOfTime } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { type Scene, test } from "../scene.ts";

const stopped = { status: "OFFLINE", offlineReason: "STOPPED" };
const online = { status: "ONLINE", offlineReason: null };

function goodbye({ agent }: Scene) {
  return agent.client.call("agent.offline", { body: {} });
}

async function trail(scene: Scene): Promise<string[]> {
  return (await scene.auditOf(scene.agent.agentId)).slice(1);
}

test("an agent and its services are OFFLINE until the agent's next call", async ({ scene }) => {
  scene.clock.advance(1000);
  expect(await goodbye(scene)).toEqual({});
  expect(await scene.agentNow()).toMatchObject({
    ...stopped,
    lastHeartbeatAt: new Date(startOfTime + 1000).toISOString(),
    services: [{ status: "OFFLINE" }],
  });
  const { data } = await scene.as("viewer").page("services.list", { query: { status: "OFFLINE" } });
  expect(data.map(({ id }) => id)).toEqual([scene.serviceId]);
  await expect(scene.execute()).rejects.toMatchObject({
    code: "AGENT_OFFLINE",
    message: expect.stringContaining("was stopped"),
  });
  await goodbye(scene);
  expect(await scene.agentNow()).toMatchObject(stopped);
  await scene.beat();
  expect(await scene.agentNow()).toMatchObject({ ...online, services: [{ status: "HEALTHY" }] });
  expect(await trail(scene)).toEqual(["agent.stopped", "agent.online"]);
});

test("earlier calls that are not stored yet do not bring the agent back", async ({ scene }) => {
  const { core } = scene.app;
  // The outcome is the same whether an earlier call is stored before the agent goes offline,
  // afterwards, or not at all.
  await scene.beat();
  const first = flushPresence(core);
  await scene.beat();
  const saying = goodbye(scene);
  const behind = flushPresence(core);
  await Promise.all([first, saying, behind]);
  await flushPresence(core);
  expect(await scene.agentNow()).toMatchObject(stopped);
  expect(await trail(scene)).toEqual(["agent.stopped"]);
});

test("an earlier call to a node that has not heard of the stop does not bring the agent back", async ({
  scene,
}) => {
  const calledAt = scene.clock.now();
  scene.clock.advance(1000);
  await goodbye(scene);
  scene.app.core.presence.agents.add(scene.agent.agentId, calledAt);
  await flushPresence(scene.app.core);
  expect(await scene.agentNow()).toMatchObject(stopped);
});

test("a later call brings the agent back, even in the same millisecond", async ({ scene }) => {
  await Promise.all([goodbye(scene), nextTurn()]);
  await scene.beat();
  expect(await scene.agentNow()).toMatchObject(online);
  await goodbye(scene);
  scene.clock.jump(-3_600_000);
  await scene.beat();
  expect(await scene.agentNow()).toMatchObject(online);
});

test("the agent's long poll ends without a command", async ({ scene }) => {
  const held = scene.poll({ wait: 20, held: "" });
  await nextTurn();
  await goodbye(scene);
  expect(await held).toEqual([]);
  expect(await scene.agentNow()).toMatchObject(stopped);
  const id = await scene.execute({}, { queue: true });
  expect(await scene.get(id)).toMatchObject({ status: "PENDING" });
});

test("the sweep keeps the time of the last call and the reason", async ({ scene }) => {
  scene.clock.advance(5000);
  await goodbye(scene);
  scene.clock.advance(1000);
  await sweepSilentAgents(scene.app.core);
  expect(await scene.agentNow()).toMatchObject({
    ...stopped,
    lastHeartbeatAt: new Date(startOfTime + 5000).toISOString(),
  });
  expect((await scene.service()).storedStatus).toBe("OFFLINE");
  expect(await trail(scene)).toEqual(["agent.stopped"]);
});

test("the agent stays OFFLINE when it is disabled and enabled again", async ({ scene }) => {
  await goodbye(scene);
  const disabled = { status: "DISABLED", offlineReason: "DISABLED" };
  expect(await scene.change("disable")).toMatchObject(disabled);
  await expectRefused(goodbye(scene), "AGENT_DISABLED");
  expect(await scene.change("enable")).toMatchObject(stopped);
});

test("the agent stays OFFLINE after a restart, until it registers", async ({ scene }) => {
  await goodbye(scene);
  await scene.app.close();
  const after = openTestApp({ DATA_DIR: scene.config.dataDir });
  const { agentId } = scene.agent;
  const look = () => after.as("viewer").call("agents.get", { params: { agentId } });
  expect(await look()).toMatchObject(stopped);
  await after.registerAgent("edge-1");
  expect(await look()).toMatchObject(online);
});
