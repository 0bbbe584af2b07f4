// While no server ran, no agent could call, so the first caller cannot take codes or services from
// other agents.

import { test as base, expect } from "vitest";
import { writeSetting } from "../../../src/store/tables/settings.ts";
import { openTestApp, type TestAgent, type TestApp } from "../../helpers/app.ts";
import { passingTime } from "../../jobs/passing-time.ts";
import { expectRefused } from "../refusals.ts";
import { registering } from "../registering.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const test = base.extend("rivals", () => openRivals()).extend("commands", () => openCommands());

const minute = 60_000;
const day = 24 * 60 * minute;

/** Stops the server, runs `meanwhile`, which may change the clock, and starts another server. */
async function restart(scene: Scene, meanwhile: () => void): Promise<TestApp> {
  await scene.app.close();
  await scene.app.noteStopped();
  meanwhile();
  const next = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  await next.app.noteStarted([]);
  return next;
}

function clientIn(app: TestApp, { principal }: TestAgent) {
  return app.asPrincipal(principal);
}

function report(app: TestApp, agent: TestAgent) {
  return clientIn(app, agent).call("agent.report", { body: { services: [collector as never] } });
}

async function openRivals() {
  const scene = await openScene();
  await scene.app.noteStarted([]);
  const rival = await scene.registerAgent("edge-2");
  const taken = [{ code: collector.code, reason: "SERVICE_CODE_TAKEN", agentCode: "edge-1" }];
  expect(await scene.report([collector], rival)).toMatchObject({ rejected: taken });
  return { scene, rival, taken };
}

test.for([5 * minute, 3 * day, 400 * day])(
  "after %i ms without a server, services and codes stay with their agents",
  async (ms, { rivals: { scene, rival, taken } }) => {
    const next = await restart(scene, () => scene.clock.advance(ms));
    const { invite, register } = registering(next);
    expect(await report(next, rival)).toMatchObject({ rejected: taken });
    await expectRefused(register(await invite()), "AGENT_CODE_TAKEN");
    const pass = passingTime(next);
    await pass(80_000);
    expect(await report(next, rival)).toMatchObject({ rejected: taken });
    expect(await report(next, scene.agent)).not.toHaveProperty("rejected");
    await pass(80_000);
    expect(await report(next, rival)).toMatchObject({ rejected: taken });
  },
);

test("a silent agent loses its code and services", async ({ rivals: { scene, rival } }) => {
  const next = await restart(scene, () => scene.clock.advance(5 * minute));
  await passingTime(next)(91_000);
  expect(await report(next, rival)).not.toHaveProperty("rejected");
  const { invite, register } = registering(next);
  await register(await invite());
});

test("an agent that reported going offline stays OFFLINE", async ({ rivals: { scene, rival } }) => {
  await scene.agent.client.call("agent.offline", { body: {} });
  const next = await restart(scene, () => scene.clock.advance(5 * minute));
  expect(await report(next, rival)).not.toHaveProperty("rejected");
});

test("a silent agent gets no grace period", async ({ rivals: { scene, rival } }) => {
  const beat = () => rival.client.call("agent.heartbeat", { body: {} });
  await passingTime(scene, beat)(95_000);
  const next = await restart(scene, () => scene.clock.advance(5 * minute));
  expect(await report(next, rival)).not.toHaveProperty("rejected");
});

test("a command line that opens the file grants no grace period", async ({ rivals: { scene } }) => {
  await scene.app.close();
  scene.clock.advance(5 * minute);
  const tool = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  const { agentId } = scene.agent;
  await tool.as("operator").call("agents.delete", { params: { agentId } });
  const { data } = await tool.as("viewer").page("agents.list", {});
  expect(data.map(({ id }) => id)).not.toContain(agentId);
});

/** Creates one delivered and one pending command, which are about to expire. */
async function openCommands() {
  const scene = await openScene();
  await scene.app.noteStarted([]);
  const running = await scene.execute();
  expect(await scene.poll()).toEqual([running]);
  const waiting = await scene.execute();
  await passingTime(scene)(20_000);
  return { scene, running, waiting };
}

function find(app: TestApp, commandId: string) {
  return app.as("viewer").call("commands.get", { params: { commandId } });
}

test.for([
  ["a year back", -365 * day],
  ["ten minutes back", -10 * minute],
] as const)(
  "with the clock %s at the start, open commands keep their remaining time",
  async ([_, ms], { commands: { scene, running, waiting } }) => {
    const next = await restart(scene, () => scene.clock.jump(ms));
    const pass = passingTime(next);
    await pass(30_000);
    const agent = clientIn(next, scene.agent);
    await agent.call("agent.result", { params: { commandId: running }, body: { success: true } });
    expect(await find(next, running)).toMatchObject({ status: "SUCCEEDED" });
    await pass(240_000);
    expect(await find(next, waiting)).toMatchObject({ status: "PENDING" });
    await pass(15_000);
    expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
  },
);

test("with the clock a year ahead, running commands may end and pending ones expire", async ({
  commands: { scene, running, waiting },
}) => {
  const next = await restart(scene, () => scene.clock.jump(365 * day));
  const agent = clientIn(next, scene.agent);
  const poll = { query: { wait: 0, held: running } };
  expect((await agent.call("agent.poll", poll)).commands).toEqual([]);
  await passingTime(next)(30_000);
  await agent.call("agent.result", { params: { commandId: running }, body: { success: true } });
  expect(await find(next, running)).toMatchObject({ status: "SUCCEEDED" });
  await passingTime(next)(61_000);
  expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
});

test("a maintenance run corrects the clock jump once", async ({ commands: { scene, running } }) => {
  await scene.app.close();
  await scene.app.noteStopped();
  scene.clock.jump(365 * day);
  const tool = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  await tool.as("owner").call("maintenance.run");
  expect(await find(tool, running)).toMatchObject({ status: "RUNNING" });
  const next = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  await next.app.noteStarted([]);
  await passingTime(next)(285_000);
  expect(await find(next, running)).toMatchObject({ errorCode: "COMMAND_TIMED_OUT" });
});

test.for([
  ["ten minutes", 10 * minute],
  ["a weekend", 3 * day],
] as const)(
  "after %s without a server, pending commands expire undelivered",
  async ([_, ms], { commands: { scene, running, waiting } }) => {
    const next = await restart(scene, () => scene.clock.advance(ms));
    const poll = { query: { wait: 0, held: running } };
    expect((await clientIn(next, scene.agent).call("agent.poll", poll)).commands).toEqual([]);
    await passingTime(next)(91_000);
    expect(await find(next, running)).toMatchObject({ errorCode: "COMMAND_TIMED_OUT" });
    expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
  },
);

test("commands in a restored backup expire", async ({ commands: { scene, waiting } }) => {
  const note = { at: 0, osUser: "ada" };
  await scene.database.write((tx) => writeSetting(tx, "restored", note));
  const next = await restart(scene, () => scene.clock.advance(30 * day));
  const polled = await clientIn(next, scene.agent).call("agent.poll", { query: { wait: 0 } });
  expect(polled.commands).toEqual([]);
  await passingTime(next)(91_000);
  expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
});
