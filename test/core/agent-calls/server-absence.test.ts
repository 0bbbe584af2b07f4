// A server starts on a database that was without one: nobody could call meanwhile, so nobody loses what it
// has to the first that calls; and open commands end in their time, unless the clock was set meanwhile.

import { expect, test } from "vitest";
import { writeSetting } from "../../../src/store/tables/settings.ts";
import { openTestApp, type TestAgent, type TestApp } from "../../helpers/app.ts";
import { passingTime } from "../../jobs/passing-time.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** The server ends; `meanwhile` the clock goes on or is set; another one starts. */
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

function register(app: TestApp, token: string) {
  return app.asPrincipal({ kind: "anonymous" }).call("agent.register", {
    body: { registrationToken: token, agent: { code: "edge-1", mode: "sidecar" }, services: [] },
  });
}

test.each([5 * minute, 3 * day, 400 * day])(
  "off for %i ms: services and codes stay with those who have them, whoever calls first",
  async (ms) => {
    const { scene, rival, taken } = await openRivals();
    const next = await restart(scene, () => scene.clock.advance(ms));
    const { token } = await next.as("operator").call("registration-tokens.create", { body: {} });
    expect(await report(next, rival)).toMatchObject({ rejected: taken });
    await expect(register(next, token)).rejects.toMatchObject({ code: "AGENT_CODE_TAKEN" });
    const pass = passingTime(next);
    await pass(80_000);
    expect(await report(next, rival)).toMatchObject({ rejected: taken });
    expect(await report(next, scene.agent)).not.toHaveProperty("rejected");
    await pass(80_000);
    expect(await report(next, rival)).toMatchObject({ rejected: taken });
  },
);

test("who does not come back within the offline threshold loses what it has", async () => {
  const { scene, rival } = await openRivals();
  const next = await restart(scene, () => scene.clock.advance(5 * minute));
  await passingTime(next)(91_000);
  expect(await report(next, rival)).not.toHaveProperty("rejected");
  const { token } = await next.as("operator").call("registration-tokens.create", { body: {} });
  await register(next, token);
});

test("who has said goodbye stays stopped", async () => {
  const { scene, rival } = await openRivals();
  await scene.agent.client.call("agent.offline", { body: {} });
  const next = await restart(scene, () => scene.clock.advance(5 * minute));
  expect(await report(next, rival)).not.toHaveProperty("rejected");
});

test("who was silent before stays so", async () => {
  const { scene, rival } = await openRivals();
  const beat = () => rival.client.call("agent.heartbeat", { body: {} });
  await passingTime(scene, beat)(95_000);
  const next = await restart(scene, () => scene.clock.advance(5 * minute));
  expect(await report(next, rival)).not.toHaveProperty("rejected");
});

test("a command line on the file does not wait for who cannot call it", async () => {
  const { scene } = await openRivals();
  await scene.app.close();
  scene.clock.advance(5 * minute);
  const tool = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  const { agentId } = scene.agent;
  await tool.as("operator").call("agents.delete", { params: { agentId } });
  const { data } = await tool.as("viewer").page("agents.list", {});
  expect(data.map(({ id }) => id)).not.toContain(agentId);
});

/** One that is delivered, and one that waits; each has less than its time left. */
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

test.each([
  ["a year back", -365 * day],
  ["ten minutes back", -10 * minute],
])("a start with the clock %s: open commands keep the time that they had left", async (_, ms) => {
  const { scene, running, waiting } = await openCommands();
  const next = await restart(scene, () => scene.clock.jump(ms));
  const pass = passingTime(next);
  await pass(30_000);
  const agent = clientIn(next, scene.agent);
  const params = { commandId: running };
  await agent.call("agent.result", { params, body: { success: true } });
  expect(await find(next, running)).toMatchObject({ status: "SUCCEEDED" });
  await pass(240_000);
  expect(await find(next, waiting)).toMatchObject({ status: "PENDING" });
  await pass(15_000);
  expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
});

test("a start with the clock a year ahead: what runs may end, and what waits is not delivered any more", async () => {
  const { scene, running, waiting } = await openCommands();
  const next = await restart(scene, () => scene.clock.jump(365 * day));
  const agent = clientIn(next, scene.agent);
  const poll = { query: { wait: 0, held: running } };
  expect((await agent.call("agent.poll", poll)).commands).toEqual([]);
  await passingTime(next)(30_000);
  const params = { commandId: running };
  await agent.call("agent.result", { params, body: { success: true } });
  expect(await find(next, running)).toMatchObject({ status: "SUCCEEDED" });
  await passingTime(next)(61_000);
  expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
});

test("nor does a maintenance run on the file end them, and the server after it finds no other jump", async () => {
  const { scene, running } = await openCommands();
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

test.each([
  ["ten minutes", 10 * minute],
  ["a weekend", 3 * day],
])("off for %s: what waits is not delivered any more, and ends", async (_, ms) => {
  const { scene, running, waiting } = await openCommands();
  const next = await restart(scene, () => scene.clock.advance(ms));
  const poll = { query: { wait: 0, held: running } };
  expect((await clientIn(next, scene.agent).call("agent.poll", poll)).commands).toEqual([]);
  await passingTime(next)(91_000);
  expect(await find(next, running)).toMatchObject({ errorCode: "COMMAND_TIMED_OUT" });
  expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
});

test("the commands of an old backup are not brought back to life", async () => {
  const { scene, waiting } = await openCommands();
  const note = { at: 0, osUser: "ada" };
  await scene.database.write((tx) => writeSetting(tx, "restored", note));
  const next = await restart(scene, () => scene.clock.advance(30 * day));
  const polled = await clientIn(next, scene.agent).call("agent.poll", { query: { wait: 0 } });
  expect(polled.commands).toEqual([]);
  await passingTime(next)(91_000);
  expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
});
