// While no server runs, no agent can call. So after a start, the first caller cannot take codes or
// services from other agents.

import { test as base, describe, expect, vi } from "vitest";
import { applyForeignChange } from "../../../src/core/changes/changes.ts";
import { watchSilence } from "../../../src/core/clock/absence.ts";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { AppError } from "../../../src/domain/errors.ts";
import { writeSetting } from "../../../src/store/tables/settings.ts";
import { openTestApp, type TestAgent, type TestApp } from "../../helpers/app.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { passingTime } from "../../jobs/passing-time.ts";
import { openNodes } from "../nodes.ts";
import { expectRefused } from "../refusals.ts";
import { registering } from "../registering.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const test = base.extend("rivals", () => openRivals()).extend("commands", () => openCommands());

const minute = 60_000;
const day = 24 * 60 * minute;

/** Stops the server, runs `meanwhile`, which may change the clock, and starts another server. */
async function restart(scene: Scene, meanwhile: () => unknown): Promise<TestApp> {
  await scene.app.close();
  await scene.app.noteStopped();
  await meanwhile();
  const next = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  await next.app.noteStarted();
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
  await scene.app.noteStarted();
  const rival = await scene.registerAgent("edge-2");
  const taken = [{ code: collector.code, reason: "SERVICE_CODE_TAKEN", agentCode: "edge-1" }];
  expect(await scene.report([collector], rival)).toMatchObject({ rejected: taken });
  return { scene, rival, taken };
}

test("after a year without a server, services and codes stay with their agents", async ({
  rivals: { scene, rival, taken },
}) => {
  const next = await restart(scene, () => scene.clock.advance(400 * day));
  const { invite, register } = registering(next);
  expect(await report(next, rival)).toMatchObject({ rejected: taken });
  await expectRefused(register(await invite()), "AGENT_CODE_TAKEN");
  const pass = passingTime(next);
  await pass(80_000);
  expect(await report(next, rival)).toMatchObject({ rejected: taken });
  expect(await report(next, scene.agent)).not.toHaveProperty("rejected");
  await pass(80_000);
  expect(await report(next, rival)).toMatchObject({ rejected: taken });
});

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
  const scene = await openScene({ COMMAND_TTL_SECONDS: "120" });
  await scene.app.noteStarted();
  const running = await scene.execute();
  expect(await scene.poll()).toEqual([running]);
  const waiting = await scene.execute();
  await passingTime(scene)(20_000);
  return { scene, running, waiting };
}

function find(app: TestApp, commandId: string) {
  return app.as("viewer").call("commands.get", { params: { commandId } });
}

test("with the clock a year back at the start, open commands keep their remaining time", async ({
  commands: { scene, running, waiting },
}) => {
  const next = await restart(scene, () => scene.clock.jump(-365 * day));
  const pass = passingTime(next);
  await pass(30_000);
  const agent = clientIn(next, scene.agent);
  await agent.call("agent.result", { params: { commandId: running }, body: { success: true } });
  expect(await find(next, running)).toMatchObject({ status: "SUCCEEDED" });
  await pass(60_000);
  expect(await find(next, waiting)).toMatchObject({ status: "PENDING" });
  await pass(15_000);
  expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
});

test("a clock that is set back during the start moves the deadlines once", async ({
  commands: { scene, waiting },
}) => {
  await scene.app.close();
  await scene.app.noteStopped();
  const next = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  const before = Date.parse((await find(next, waiting)).expiresAt) - scene.clock.now();
  scene.clock.jump(-365 * day);
  await next.app.noteStarted();
  await expireCommands(next.app.core);
  const { expiresAt } = await find(next, waiting);
  expect(Date.parse(expiresAt) - scene.clock.now()).toBe(before);
});

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

/** Runs the sweep as a command with `--db` does. */
function sweepHere(scene: Scene, body = {}) {
  const tool = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  const local = tool.asPrincipal({ kind: "local", osUser: "ada" });
  return local.call("maintenance.run", { body });
}

test.for([{}, { trustClock: true }])(
  "a maintenance run without a server, with %j, concludes nothing from silence",
  async (body, { commands: { scene, running } }) => {
    await scene.report([{ ...collector, healthStatus: "DOWN" }]);
    const problem = { serviceIds: [scene.serviceId], note: "known" };
    await scene.as("operator").call("attention.acknowledge", { body: problem });
    const next = await restart(scene, async () => {
      scene.clock.advance(10 * minute);
      const nothing = { agentsOffline: 0, serviceStatusesStored: 0, commandsExpired: 0 };
      expect(await sweepHere(scene, body)).toMatchObject(nothing);
      scene.clock.advance(minute);
    });
    const { agentId } = scene.agent;
    const agent = () => next.as("viewer").call("agents.get", { params: { agentId } });
    const pass = passingTime(next);
    await pass(80_000);
    expect(await agent()).toMatchObject({ status: "ONLINE" });
    expect(await find(next, running)).toMatchObject({ status: "RUNNING" });
    const params = { serviceId: scene.serviceId };
    const { note } = await next.as("viewer").call("services.get", { params });
    expect(note).toMatchObject({ note: "known" });
    await pass(120_000);
    expect(await agent()).toMatchObject({ status: "OFFLINE" });
    expect(await find(next, running)).toMatchObject({ errorCode: "COMMAND_TIMED_OUT" });
  },
);

test("a maintenance run without a server leaves a clock jump to the next server", async ({
  commands: { scene, running },
}) => {
  await scene.app.close();
  await scene.app.noteStopped();
  scene.clock.jump(365 * day);
  await sweepHere(scene);
  expect(await find(scene, running)).toMatchObject({ status: "RUNNING" });
  const next = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  await next.app.noteStarted();
  await passingTime(next)(135_000);
  expect(await find(next, running)).toMatchObject({ errorCode: "COMMAND_TIMED_OUT" });
});

test("open commands keep their remaining time after each of several similar jumps", async ({
  commands: { scene, waiting },
}) => {
  const tool = openTestApp({ DATA_DIR: scene.config.dataDir }, {}, scene.clock);
  const expiresAt = async () => Date.parse((await find(scene, waiting)).expiresAt);
  const before = await expiresAt();
  const jump = () => {
    scene.clock.jump(20_000);
    for (const { app } of [scene, tool]) app.core.statusClock.watch();
  };
  jump();
  await expireCommands(scene.app.core);
  jump();
  jump();
  for (const { app } of [scene, tool]) await expireCommands(app.core);
  expect((await expiresAt()) - before).toBe(60_000);
});

test("a poll that finds a command expired after a clock jump gets it when its deadline has moved", async ({
  commands: { scene, running, waiting },
}) => {
  await scene.result(running, { success: true });
  scene.clock.jump(60 * minute);
  expect(await scene.poll()).toEqual([]);
  scene.app.core.statusClock.watch();
  await expireCommands(scene.app.core);
  expect(await scene.poll()).toEqual([waiting]);
});

test("after ten minutes without a server, pending commands expire undelivered", async ({
  commands: { scene, running, waiting },
}) => {
  const next = await restart(scene, () => scene.clock.advance(10 * minute));
  const poll = { query: { wait: 0, held: running } };
  expect((await clientIn(next, scene.agent).call("agent.poll", poll)).commands).toEqual([]);
  await passingTime(next)(91_000);
  expect(await find(next, running)).toMatchObject({ errorCode: "COMMAND_TIMED_OUT" });
  expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
});

test("commands in a restored backup expire", async ({ commands: { scene, waiting } }) => {
  const note = { restoredAt: new Date(0).toISOString(), osUser: "ada" };
  await scene.database.write((tx) => writeSetting(tx, "restored", note));
  const next = await restart(scene, () => scene.clock.advance(30 * day));
  const polled = await clientIn(next, scene.agent).call("agent.poll", { query: { wait: 0 } });
  expect(polled.commands).toEqual([]);
  await passingTime(next)(91_000);
  expect(await find(next, waiting)).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
});

/** Makes every write fail until `end` is called. */
function stopStorage({ database, clock }: TestApp) {
  const works = database.storage();
  const state = { ...works, stoppedSince: clock.now() };
  const spies = [
    vi.spyOn(database, "storage").mockReturnValue(state),
    vi.spyOn(database, "batch").mockRejectedValue(new AppError("UNAVAILABLE", "stopped")),
  ];
  return {
    end() {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

/** Lets time pass in an outage. The other jobs are not run, because they would only fail. */
async function passWithoutStorage({ app, clock }: TestApp, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    clock.advance(1000);
    await watchSilence(app.core);
  }
}

test("after the storage did not work for two minutes, silence counts one threshold later", async () => {
  const scene = await openScene();
  await scene.app.noteStarted();
  const [ending, running] = await scene.executeMany(2);
  await scene.poll();
  const pass = passingTime(scene);
  await pass(5_000);
  const storage = stopStorage(scene);
  await passWithoutStorage(scene, 120);
  storage.end();
  await pass(85_000);
  expect(await scene.agentNow()).toMatchObject({ status: "ONLINE" });
  await scene.result(ending!);
  expect(await find(scene, ending!)).toMatchObject({ status: "SUCCEEDED" });
  await pass(155_000);
  expect(await scene.agentNow()).toMatchObject({ status: "OFFLINE" });
  expect(await find(scene, running!)).toMatchObject({ errorCode: "COMMAND_TIMED_OUT" });
});

test("agents are not deleted soon after an outage, however long they were silent", async () => {
  const scene = await openScene();
  await scene.app.noteStarted();
  const settings = { silentRetentionDays: 1 };
  await scene.as("owner").call("settings.update", { body: settings });
  const { app, clock } = scene;
  const sweep = () => scene.as("owner").call("maintenance.run");
  await passWithoutStorage(scene, 3700);
  const storage = stopStorage(scene);
  await passWithoutStorage(scene, 60);
  clock.advance(3 * day);
  await watchSilence(app.core);
  storage.end();
  await scene.as("owner").call("maintenance.run", { body: { trustClock: true } });
  await passWithoutStorage(scene, 3_000);
  expect(await sweep()).toMatchObject({ agentsDeleted: 0 });
  await passWithoutStorage(scene, 700);
  expect(await sweep()).toMatchObject({ agentsDeleted: 1 });
});

describe.skipIf(!hasPostgres)("a node that did not notice an outage", () => {
  test("learns of it from another one", async () => {
    const { one, other } = await openNodes();
    const { statusClock } = other.app.core;
    await watchSilence(other.app.core);
    const storage = stopStorage(one);
    // The nodes share a clock. The other node watches it as well, so it notices no pause.
    for (let second = 0; second < 20; second++) {
      await passWithoutStorage(one, 1);
      await watchSilence(other.app.core);
    }
    const before = statusClock.disturbances;
    storage.end();
    await watchSilence(one.app.core);
    const told = async () => {
      await watchSilence(other.app.core);
      expect(statusClock.disturbances).toBe(before + 1);
    };
    await vi.waitFor(told, { timeout: 60_000, interval: 5 });
    expect(statusClock.now()).toBeLessThan(other.clock.now() - 19_000);
  });
});

test("a node reads the absence again if it changes during the read", async () => {
  const { app } = openTestApp();
  const { statusClock } = app.core;
  statusClock.isAbsenceUnread = true;
  const watching = watchSilence(app.core);
  applyForeignChange(app.core, "absence ");
  await watching;
  expect(statusClock.isAbsenceUnread).toBe(true);
});
