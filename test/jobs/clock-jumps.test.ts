// The wall clock jumps under a running service: nobody is declared offline for one threshold period,
// neither in what is stored nor in what is shown; who was offline stays so, and who dies meanwhile is
// found out after it.

import { expect, test } from "vitest";
import { silentLog } from "../../src/lib/log.ts";
import { openScene, type Scene } from "../core/scene.ts";
import { openTestApp } from "../helpers/app.ts";
import { type Pass, passingTime } from "./passing-time.ts";

const hour = 3_600_000;
const report = { code: "gone", name: "Gone", version: "1", healthStatus: "UP" };

/** Four agents, each with a service: one calls every 30 s, the others as their names say. */
interface Fleet extends Scene {
  pass: Pass;
  /** Status of the agent, effective and stored status of its service. */
  statuses(code: string): Promise<string[]>;
  /** From now on this one calls every 30 s, or no more. */
  calls(code: string, does: boolean): void;
  /** How often agents were declared OFFLINE. */
  declared(): Promise<number>;
}

async function openFleet(env: Record<string, string> = {}): Promise<Fleet> {
  const scene = await openScene(env);
  const agents = new Map([["alive", await scene.registerAgent("alive", [service("alive")])]]);
  for (const code of ["offline", "dying"]) {
    agents.set(code, await scene.registerAgent(code, [service(code)]));
  }
  const calling = new Set(["alive", "dying"]);
  let second = 0;
  const pass = passingTime(scene, async () => {
    if (second++ % 30 > 0) return;
    for (const code of calling) {
      await scene.report([service(code)], agents.get(code));
    }
  });
  const viewer = scene.as("viewer");
  return {
    ...scene,
    pass,
    calls(code, does) {
      if (does) calling.add(code);
      else calling.delete(code);
    },
    async statuses(code) {
      const { agentId } = agents.get(code)!;
      const agent = await viewer.call("agents.get", { params: { agentId } });
      const [listed] = (await viewer.page("services.list", { query: { agentId } })).data;
      expect(agent.services[0]?.status).toBe(listed?.status);
      return [agent.status, listed!.status, listed!.storedStatus];
    },
    async declared() {
      const query = { action: "agent.offline" };
      return (await viewer.page("audit-events.list", { query })).pagination.total;
    },
  };
}

function service(code: string) {
  return { ...report, code: `service-of-${code}` };
}

const well = ["ONLINE", "HEALTHY", "HEALTHY"];
const staleNow = ["OFFLINE", "STALE", "STALE"];
const offlineNow = ["OFFLINE", "OFFLINE", "OFFLINE"];

/** Ten minutes in: one agent has long been OFFLINE (as the scene's own), two are well. */
async function openAfterTenMinutes(): Promise<Fleet> {
  const fleet = await openFleet();
  await fleet.pass(600_000);
  expect(await fleet.statuses("alive")).toEqual(well);
  expect(await fleet.statuses("dying")).toEqual(well);
  expect(await fleet.statuses("offline")).toEqual(staleNow);
  expect(await fleet.declared()).toBe(2);
  return fleet;
}

test.each([
  ["an hour", hour],
  ["a day", 24 * hour],
  ["two minutes", 120_000],
])("%s on: nobody is declared offline, and who was offline stays so", async (_how, ms) => {
  const { clock, pass, statuses, declared, calls } = await openAfterTenMinutes();
  calls("dying", false);
  calls("alive", false);
  clock.jump(ms);
  // Before any job has looked.
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("offline")).toEqual(staleNow);
  // A host that was suspended: its agents come back when they have noticed.
  await pass(60_000);
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("dying")).toEqual(well);
  expect(await statuses("offline")).toEqual(staleNow);
  calls("alive", true);
  await pass(20_000);
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("dying")).toEqual(well);
  expect(await declared()).toBe(2);

  // The period is over: who has called is well, the other one is found out.
  await pass(72_000);
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("dying")).toEqual(ms > 900_000 ? offlineNow : staleNow);
  expect(await declared()).toBe(3);
});

test.each([
  ["ten minutes and five seconds", -605_000],
  ["an hour", -hour],
  ["two days", -48 * hour],
  ["thirty seconds", -30_000],
])("%s back: the same, and the dead do not look alive for longer", async (_how, ms) => {
  const { clock, pass, statuses, declared, calls } = await openAfterTenMinutes();
  calls("dying", false);
  clock.jump(ms);
  await pass(2000);
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("dying")).toEqual(well);
  expect(await statuses("offline")).toEqual(staleNow);
  await pass(78_000);
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("dying")).toEqual(well);
  expect(await declared()).toBe(2);
  // One threshold from the jump, another from the last sign of life that is known, and a sweep.
  await pass(150_000);
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("dying")).toEqual(staleNow);
  expect(await statuses("offline")).toEqual(staleNow);
  expect(await declared()).toBe(3);
});

test("an agent that was OFFLINE comes back while the clock stands still, and is well", async () => {
  const { clock, pass, statuses, calls } = await openAfterTenMinutes();
  clock.jump(hour);
  await pass(10_000);
  calls("offline", true);
  await pass(31_000);
  expect(await statuses("offline")).toEqual(well);
  await pass(120_000);
  expect(await statuses("offline")).toEqual(well);
});

test("an agent that registers while the clock stands still is well, and stays so", async () => {
  const fleet = await openAfterTenMinutes();
  fleet.clock.jump(-hour);
  await fleet.pass(1000);
  const agent = await fleet.registerAgent("new", [service("new")]);
  const status = async () =>
    (await fleet.as("viewer").call("agents.get", { params: agent })).services[0]?.status;
  expect(await status()).toBe("HEALTHY");
  await fleet.pass(60_000);
  expect(await status()).toBe("HEALTHY");
});

test("an agent that dies while the clock stands still is offline after its own threshold", async () => {
  const { clock, pass, statuses, calls } = await openAfterTenMinutes();
  clock.jump(hour);
  await pass(61_000);
  calls("dying", false);
  await pass(30_000);
  expect(await statuses("dying")).toEqual(well);
  await pass(30_000);
  expect((await statuses("dying"))[1]).toBe("HEALTHY");
  await pass(90_000);
  expect(await statuses("dying")).toEqual(staleNow);
});

test("jump after jump: nobody is declared offline until one period after the last", async () => {
  const { clock, pass, statuses, declared, calls } = await openAfterTenMinutes();
  calls("dying", false);
  for (const ms of [hour, -2 * hour, 24 * hour, 10_000]) {
    clock.jump(ms);
    await pass(60_000);
    expect(await statuses("alive")).toEqual(well);
    expect(await statuses("offline")).toEqual(staleNow);
    expect((await statuses("dying"))[0]).toBe("ONLINE");
  }
  expect(await declared()).toBe(2);
  await pass(120_000);
  expect(await statuses("alive")).toEqual(well);
  expect((await statuses("dying"))[0]).toBe("OFFLINE");
  expect(await declared()).toBe(3);
});

test("a wall clock that drifts by milliseconds a second changes nothing", async () => {
  const { clock, pass, statuses, declared, calls } = await openAfterTenMinutes();
  calls("dying", false);
  for (let second = 0; second < 200; second++) {
    clock.jump(40);
    await pass(1000);
  }
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("dying")).toEqual(staleNow);
  expect(await declared()).toBe(3);
});

test("a service that was stopped for an hour, both clocks going on, has heard nobody", async () => {
  const { clock, pass, statuses, declared, calls } = await openAfterTenMinutes();
  calls("dying", false);
  clock.advance(hour);
  await pass(1000);
  expect(await statuses("alive")).toEqual(well);
  await pass(79_000);
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("dying")).toEqual(well);
  expect(await statuses("offline")).toEqual(["OFFLINE", "STALE", "STALE"]);
  await pass(72_000);
  expect(await statuses("alive")).toEqual(well);
  expect(await statuses("dying")).toEqual(offlineNow);
  expect(await declared()).toBe(3);
});

test("actions reach whom they reached before the jump, and nobody else", async () => {
  const scene = await openScene();
  const pass = passingTime(scene);
  await pass(60_000);
  scene.clock.jump(hour);
  await scene.execute();
  await pass(80_000);
  await scene.execute();
  await pass(11_000);
  await expect(scene.execute()).rejects.toMatchObject({ code: "AGENT_OFFLINE" });
  await pass(60_000);
  scene.clock.jump(-hour);
  for (const ms of [0, 2000, 60_000]) {
    await pass(ms);
    await expect(scene.execute()).rejects.toMatchObject({ code: "AGENT_OFFLINE" });
  }
});

test("a clock set back does not bring an OFFLINE agent within reach, not for a moment", async () => {
  const scene = await openScene();
  const pass = passingTime(scene);
  await pass(125_000);
  scene.clock.jump(-hour);
  for (const ms of [0, 1000, 10_000, 90_000]) {
    await pass(ms);
    await expect(scene.execute()).rejects.toMatchObject({ code: "AGENT_OFFLINE" });
  }
});

test("a clock set back does not keep a service fresh that is not reported any more", async () => {
  const scene = await openScene();
  const beat = () => scene.agent.client.call("agent.heartbeat", { body: {} });
  const pass = passingTime(scene, beat);
  scene.clock.jump(-hour);
  await pass(60_000);
  expect((await scene.service()).status).toBe("HEALTHY");
  await pass(100_000);
  expect((await scene.service()).status).toBe("STALE");
});

test("enabled again while the clock stands still: by the same measure", async () => {
  const scene = await openScene();
  const { as, clock, agent } = scene;
  const pass = passingTime(scene);
  const change = (how: "disable" | "enable") =>
    as("operator").call(`agents.${how}`, { params: agent });
  await pass(60_000);
  await change("disable");
  clock.jump(hour);
  expect((await change("enable")).status).toBe("ONLINE");
  await change("disable");
  await pass(91_000);
  expect((await change("enable")).status).toBe("OFFLINE");
});

test.each([
  ["an hour", hour],
  ["a year", 8766 * hour],
])("%s on: open commands keep the time that they had left", async (_how, ms) => {
  const scene = await openScene();
  const beat = () => scene.agent.client.call("agent.heartbeat", { body: {} });
  const pass = passingTime(scene, beat);
  const running = await scene.execute();
  expect(await scene.poll()).toEqual([running]);
  await pass(10_000);
  const waiting = await scene.execute();
  scene.clock.jump(ms);
  // After the period in which nobody is judged, too: 110 s of its 300.
  await pass(20_000);
  expect((await scene.get(running)).status).toBe("RUNNING");
  await scene.result(running);
  expect((await scene.get(running)).status).toBe("SUCCEEDED");
  await pass(90_000);
  expect((await scene.get(waiting)).status).toBe("PENDING");
  expect(await scene.poll()).toEqual([waiting]);
  // From its delivery on it has 60 s.
  await pass(59_000);
  expect((await scene.get(waiting)).status).toBe("RUNNING");
  await pass(2000);
  expect(await scene.get(waiting)).toMatchObject({ errorCode: "COMMAND_TIMED_OUT" });
});

test.each([
  ["a year on and back", [8766 * hour, -8766 * hour]],
  ["an hour back and on", [-hour, hour]],
  ["an hour back, and a day", [-hour, -24 * hour]],
])("%s: open commands end in their own time, neither sooner nor later", async (_how, jumps) => {
  const scene = await openScene();
  const pass = passingTime(scene);
  const codeOf = async (id: string) => (await scene.get(id)).errorCode;
  const made = [await scene.execute()];
  for (const ms of jumps) {
    await pass(10_000);
    scene.clock.jump(ms);
    await pass(2000);
    made.push(await scene.execute({}, { queue: true }));
  }
  // 24 s after the first, 12 s after the second.
  await pass(275_000);
  expect(await Promise.all(made.map(codeOf))).toEqual([null, null, null]);
  await pass(2000);
  expect(await Promise.all(made.map(codeOf))).toEqual(["COMMAND_EXPIRED", null, null]);
  await pass(12_000);
  expect((await Promise.all(made.map(codeOf))).at(2)).toBeNull();
  await pass(12_000);
  expect(await Promise.all(made.map(codeOf))).toEqual(Array(3).fill("COMMAND_EXPIRED"));
});

test("a command that nobody takes still expires after a jump, in its own time", async () => {
  const scene = await openScene();
  const pass = passingTime(scene);
  const id = await scene.execute();
  await pass(60_000);
  scene.clock.jump(hour);
  await pass(239_000);
  expect((await scene.get(id)).status).toBe("PENDING");
  await pass(2000);
  expect(await scene.get(id)).toMatchObject({ status: "FAILED", errorCode: "COMMAND_EXPIRED" });
});

test("a poll that is held during a jump gets what waits", async () => {
  const scene = await openScene();
  const pass = passingTime(scene);
  scene.clock.jump(hour);
  const held = scene.poll({ wait: 20 });
  const id = await scene.execute();
  await pass(1000);
  expect(await held).toEqual([id]);
});

test("a service that stood still lets results come in before it ends their commands", async () => {
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

test("each jump and each pause is warned of once", async () => {
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

/** Monotonic time goes on by itself in tests: half a minute more or less. */
function near(ms: number): unknown {
  return expect.closeTo(ms, -4.8);
}
