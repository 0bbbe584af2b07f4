// For one threshold period after a jump of the wall clock, no agent becomes offline, and agents
// that were offline stay offline. Agents that die are detected after the period.

import { describe, expect, test } from "vitest";
import { moveDeadlines } from "../../src/core/clock/deadlines.ts";
import { sweepSilentAgents } from "../../src/core/fleet/status-sweep.ts";
import { flushPresence } from "../../src/core/presence/flush.ts";
import { silentLog } from "../../src/lib/log.ts";
import { openFleet as openRollouts } from "../core/rollouts/fleet.ts";
import { openScene, type Scene } from "../core/scene.ts";
import { openTestApp } from "../helpers/app.ts";
import { type Pass, passingTime } from "./passing-time.ts";

const hour = 3_600_000;
const report = { code: "gone", name: "Gone", version: "1", healthStatus: "UP" };

/** Agents with one service each: "alive" and "dying" call every 30 s, "offline" never. */
interface Fleet extends Scene {
  pass: Pass;
  /** Checks the statuses of agents by code, and how often agents were declared OFFLINE. */
  expectAll(statuses: Record<string, string[]>, declared?: number): Promise<void>;
  /** Starts or stops the calls of an agent. */
  calls(code: string, does: boolean): void;
}

async function openFleet(env: Record<string, string> = {}): Promise<Fleet> {
  const scene = await openScene(env);
  const agents = new Map([["alive", await scene.registerAgent("alive", [service("alive")])]]);
  for (const code of ["offline", "dying"]) {
    agents.set(code, await scene.registerAgent(code, [service(code)]));
  }
  const calling = new Set(["alive", "dying"]);
  let next = 0;
  const pass = passingTime(scene, async () => {
    if (scene.clock.monotonic() < next) return;
    next = scene.clock.monotonic() + 30_000;
    for (const code of calling) {
      await scene.report([service(code)], agents.get(code));
    }
  });
  const viewer = scene.as("viewer");
  /** Returns the status of the agent, and the effective and stored status of its service. */
  async function statuses(code: string): Promise<string[]> {
    const { agentId } = agents.get(code)!;
    const agent = await viewer.call("agents.get", { params: { agentId } });
    const [listed] = (await viewer.page("services.list", { query: { agentId } })).data;
    expect(agent.services[0]?.status).toBe(listed?.status);
    return [agent.status, listed!.status, listed!.storedStatus];
  }
  return {
    ...scene,
    pass,
    async expectAll(wanted, declared) {
      for (const [code, each] of Object.entries(wanted)) {
        expect({ [code]: await statuses(code) }).toEqual({ [code]: each });
      }
      if (declared === undefined) return;
      const query = { action: "agent.offline" };
      const { pagination } = await viewer.page("audit-events.list", { query });
      expect({ declared: pagination.total }).toEqual({ declared });
    },
    calls(code, does) {
      if (does) calling.add(code);
      else calling.delete(code);
    },
  };
}

function service(code: string) {
  return { ...report, code: `service-of-${code}` };
}

const well = ["ONLINE", "HEALTHY", "HEALTHY"];
const staleNow = ["OFFLINE", "STALE", "STALE"];
const offlineNow = ["OFFLINE", "OFFLINE", "OFFLINE"];

/** After 200 s, two agents are ONLINE, and two (including the scene's own) are OFFLINE. */
async function openAfterMinutes(): Promise<Fleet> {
  const fleet = await openFleet();
  await fleet.pass(200_000);
  await fleet.expectAll({ alive: well, dying: well, offline: staleNow }, 2);
  return fleet;
}

test("forward by an hour: agents keep their status unless they call, and silent ones are declared offline after the period", async () => {
  const { clock, pass, expectAll, calls, registerAgent, as } = await openAfterMinutes();
  calls("dying", false);
  calls("alive", false);
  clock.jump(hour);
  // No job has run yet.
  await expectAll({ alive: well, offline: staleNow });
  // The agents call again when they notice the jump, as after their host was suspended.
  await pass(60_000);
  await expectAll({ alive: well, dying: well, offline: staleNow });
  // During the period, an agent can return, and another can register.
  calls("alive", true);
  calls("offline", true);
  const agent = await registerAgent("new", [service("new")]);
  await pass(20_000);
  await expectAll({ alive: well, dying: well, offline: well }, 2);
  const detail = await as("viewer").call("agents.get", { params: agent });
  expect(detail.services).toMatchObject([{ status: "HEALTHY" }]);

  // After the period, the agent that has not called is detected.
  calls("offline", false);
  await pass(72_000);
  await expectAll({ alive: well, dying: offlineNow, offline: well }, 3);
  await pass(40_000);
  await expectAll({ offline: staleNow }, 5);
});

test("back: no agent is declared offline, and dead agents do not appear online for longer", async () => {
  const { clock, pass, expectAll, calls } = await openAfterMinutes();
  calls("dying", false);
  // This is a little more than the time since the start.
  clock.jump(-205_000);
  await pass(2000);
  await expectAll({ alive: well, dying: well, offline: staleNow });
  await pass(78_000);
  await expectAll({ alive: well, dying: well }, 2);
  // One threshold passes after the jump, and another after the agent's last call. Then a sweep
  // runs.
  await pass(150_000);
  await expectAll({ alive: well, dying: staleNow, offline: staleNow }, 3);
});

test("after a jump, actions reach the same agents as before", async () => {
  const scene = await openScene();
  const pass = passingTime(scene);
  scene.clock.jump(hour);
  await scene.execute();
  await pass(80_000);
  await scene.execute();
  await pass(11_000);
  await expect(scene.execute()).rejects.toMatchObject({ code: "AGENT_OFFLINE" });
  scene.clock.jump(-hour);
  for (const ms of [0, 2000, 20_000]) {
    await pass(ms);
    await expect(scene.execute()).rejects.toMatchObject({ code: "AGENT_OFFLINE" });
  }
});

test("a clock set back does not keep an unreported service fresh", async () => {
  const scene = await openScene();
  const beat = () => scene.agent.client.call("agent.heartbeat", { body: {} });
  const pass = passingTime(scene, beat);
  scene.clock.jump(-hour);
  await pass(60_000);
  expect((await scene.service()).status).toBe("HEALTHY");
  await pass(100_000);
  expect((await scene.service()).status).toBe("STALE");
});

test("enabling an agent during the period uses the same clock", async () => {
  const scene = await openScene();
  const { as, clock, agent } = scene;
  const pass = passingTime(scene);
  const change = (how: "disable" | "enable") =>
    as("operator").call(`agents.${how}`, { params: agent });
  await change("disable");
  clock.jump(hour);
  expect((await change("enable")).status).toBe("ONLINE");
  await change("disable");
  await pass(91_000);
  expect((await change("enable")).status).toBe("OFFLINE");
});

test("forward by a year: open commands keep their remaining time", async () => {
  const scene = await openScene();
  const beat = () => scene.agent.client.call("agent.heartbeat", { body: {} });
  const pass = passingTime(scene, beat);
  const running = await scene.execute();
  expect(await scene.poll()).toEqual([running]);
  await pass(10_000);
  const waiting = await scene.execute();
  scene.clock.jump(8766 * hour);
  // The command is still open after the period: 110 s of its 300 s have passed.
  await pass(20_000);
  expect((await scene.get(running)).status).toBe("RUNNING");
  await scene.result(running);
  expect((await scene.get(running)).status).toBe("SUCCEEDED");
  await pass(90_000);
  expect((await scene.get(waiting)).status).toBe("PENDING");
  expect(await scene.poll()).toEqual([waiting]);
  // The command has 60 s from its delivery.
  await pass(59_000);
  expect((await scene.get(waiting)).status).toBe("RUNNING");
  await pass(2000);
  expect(await scene.get(waiting)).toMatchObject({ errorCode: "COMMAND_TIMED_OUT" });
});

test.each([
  ["forward", hour],
  ["back", -hour],
])("%s by an hour: the next wave of a rollout starts after the remaining time", async (_, ms) => {
  const fleet = await openRollouts(2);
  const pass = passingTime(fleet, () => fleet.reportAll());
  const id = await fleet.start({ waves: ["1"], between: 300 });
  await fleet.endOpen(id);
  await pass(100_000);
  fleet.clock.jump(ms);
  await pass(195_000);
  expect(await fleet.advance(id)).toMatchObject({ wave: 1 });
  await pass(10_000);
  expect(await fleet.advance(id)).toMatchObject({ wave: 2, targets: { RUNNING: 1 } });
});

describe.each([
  ["forward", hour],
  ["back", -hour],
])("%s by an hour, a health gate of a rollout", (_, ms) => {
  test.each(["before", "after"])(
    "opens with the first report after the command, whose end was noted %s the jump",
    async (noted) => {
      const fleet = await openRollouts(1);
      await fleet.app.noteStarted();
      const id = await fleet.start({ healthGate: true });
      await fleet.reportAll();
      await flushPresence(fleet.app.core);
      fleet.clock.advance(10_000);
      await fleet.endCommands(id);
      if (noted === "before") await fleet.advance(id);
      fleet.clock.jump(ms);
      const pass = passingTime(fleet);
      await pass(10_000);
      // The last report is from before the command.
      expect(await fleet.advance(id)).toMatchObject({ targets: { CHECKING: 1 } });
      await pass(10_000);
      expect(await fleet.advance(id)).toMatchObject({ targets: { CHECKING: 1 } });
      await fleet.reportAll();
      await pass(1000);
      expect(await fleet.advance(id)).toMatchObject({ state: "SUCCEEDED" });
    },
  );

  test.each(["before", "after"])(
    "opens with the first report after a command that started after the jump, in a rollout that was created %s it",
    async (created) => {
      const fleet = await openRollouts(1);
      await fleet.app.noteStarted();
      const body = { action: "restart", selector: "tier=web", healthGate: true };
      const create = () => fleet.operator.call("rollouts.create", { body });
      const early = created === "before" ? await create() : null;
      await fleet.reportAll();
      await flushPresence(fleet.app.core);
      fleet.clock.jump(ms);
      const { core } = fleet.app;
      core.statusClock.watch();
      await moveDeadlines(core);
      if (created === "after") await sweepSilentAgents(core);
      const { id } = early ?? (await create());
      await fleet.advance(id);
      fleet.clock.advance(10_000);
      expect(await fleet.endOpen(id)).toMatchObject({ targets: { CHECKING: 1 } });
      await fleet.reportAll();
      await flushPresence(fleet.app.core);
      expect(await fleet.advance(id)).toMatchObject({ state: "SUCCEEDED" });
    },
  );

  test("keeps its remaining time", async () => {
    const fleet = await openRollouts(1);
    const pass = passingTime(fleet, () => fleet.reportAll("DOWN"));
    const id = await fleet.start({ healthGate: true, healthTimeoutSeconds: 300 });
    await pass(1000);
    await fleet.endOpen(id);
    await pass(100_000);
    fleet.clock.jump(ms);
    await pass(195_000);
    expect(await fleet.advance(id)).toMatchObject({ targets: { CHECKING: 1 } });
    await pass(10_000);
    expect(await fleet.advance(id)).toMatchObject({ targets: { FAILED: 1 } });
  });
});

test("a year forward and back: open commands end exactly when they would have ended", async () => {
  const scene = await openScene({ COMMAND_TTL_SECONDS: "150" });
  const pass = passingTime(scene);
  const codeOf = async (id: string) => (await scene.get(id)).errorCode;
  const made = [await scene.execute()];
  for (const ms of [8766 * hour, -8766 * hour]) {
    await pass(10_000);
    scene.clock.jump(ms);
    await pass(2000);
    made.push(await scene.execute({}, { queue: true }));
  }
  // The last command was created 24 s after the first and 12 s after the second.
  await pass(125_000);
  expect(await Promise.all(made.map(codeOf))).toEqual([null, null, null]);
  await pass(2000);
  expect(await Promise.all(made.map(codeOf))).toEqual(["COMMAND_EXPIRED", null, null]);
  await pass(12_000);
  expect((await Promise.all(made.map(codeOf))).at(2)).toBeNull();
  await pass(12_000);
  expect(await Promise.all(made.map(codeOf))).toEqual(Array(3).fill("COMMAND_EXPIRED"));
});

test("a long poll during a jump gets the waiting commands", async () => {
  const scene = await openScene();
  const pass = passingTime(scene);
  scene.clock.jump(hour);
  const held = scene.poll({ wait: 20 });
  const id = await scene.execute();
  await pass(1000);
  expect(await held).toEqual([id]);
});

test("after a pause, the service accepts results before it expires their commands", async () => {
  const scene = await openScene();
  const pass = passingTime(scene);
  const id = await scene.execute();
  await scene.poll();
  await pass(1000);
  scene.clock.advance(hour);
  await pass(30_000);
  await scene.result(id);
  expect((await scene.get(id)).status).toBe("SUCCEEDED");
});

test("each jump and each pause logs one warning", async () => {
  const warned: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => void warned.push(fields) };
  const opened = openTestApp({}, { log });
  const pass = passingTime(opened);
  await pass(3000);
  expect(warned).toEqual([]);
  opened.clock.jump(hour);
  await opened.as("viewer").page("services.list");
  await pass(3000);
  expect(warned).toEqual([{ jumpMs: near(hour) }]);
  opened.clock.jump(-hour);
  await pass(3000);
  opened.clock.advance(hour);
  await pass(3000);
  expect(warned.slice(1)).toEqual([{ jumpMs: near(-hour) }, { pauseMs: near(hour) }]);
});

/** Monotonic time also advances by itself in tests, so half a minute is allowed. */
function near(ms: number): unknown {
  return expect.closeTo(ms, -4.8);
}
