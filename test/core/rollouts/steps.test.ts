// What a step of a rollout knows about its targets: which agents have called, and how many targets
// are left.

import { expect, test } from "vitest";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { advanceRollout } from "../../../src/core/rollouts/advance.ts";
import { changedTx, wrapWrites } from "../../helpers/wrapped-writes.ts";
import { openFleet } from "./fleet.ts";

const dayMs = 24 * 3600 * 1000;

test("an agent whose latest call is not stored yet is online", async () => {
  const fleet = await openFleet(2);
  const id = await fleet.start({ maxParallel: 1 });
  const [waiting] = await fleet.targets(id, { state: "WAITING" });
  const code = waiting?.serviceCode ?? "";
  await fleet.pollAll();
  fleet.clock.advance(dayMs);
  await fleet.agentOf(code).client.call("agent.heartbeat", { body: {} });
  expect(await fleet.endOpen(id)).toMatchObject({ targets: { SUCCEEDED: 1, RUNNING: 1 } });
});

test("without such a call, it is offline", async () => {
  const fleet = await openFleet(2);
  const id = await fleet.start({ maxParallel: 1 });
  await fleet.pollAll();
  fleet.clock.advance(dayMs);
  expect(await fleet.endOpen(id)).toMatchObject({ targets: { SUCCEEDED: 1, NOT_RUN: 1 } });
});

test.each([
  ["skip", "NOT_RUN", "FAILED"],
  ["fail", "FAILED", "FAILED"],
  ["wait", "RUNNING", "PENDING"],
] as const)(
  "a command that an agent does not fetch before it is offline ends with offline: %s as %s",
  async (offline, state, status) => {
    const fleet = await openFleet(2);
    const id = await fleet.start({ offline, maxFailures: "100%" });
    const [dead, alive] = await fleet.targets(id, { state: "RUNNING" });
    const stateOf = async (of = dead) =>
      (await fleet.targets(id, { service: of?.serviceCode })).map(({ state, errorCode }) => {
        return errorCode === null ? state : `${state} ${errorCode}`;
      });
    // An agent that has stopped may be restarting.
    await fleet.agentOf(dead?.serviceCode ?? "").client.call("agent.offline", { body: {} });
    fleet.clock.advance(90_000);
    await fleet.agentOf(alive?.serviceCode ?? "").client.call("agent.heartbeat", { body: {} });
    await fleet.advance(id);
    expect(await stateOf()).toEqual(["RUNNING"]);
    fleet.clock.advance(1);
    await fleet.advance(id);
    expect(await stateOf()).toEqual([state === "RUNNING" ? state : `${state} AGENT_OFFLINE`]);
    expect(await stateOf(alive)).toEqual(["RUNNING"]);
    const params = { commandId: dead?.commandId ?? "" };
    expect(await fleet.operator.call("commands.get", { params, query: {} })).toMatchObject({
      status,
    });
  },
);

test("a command that waits for longer is not ended when its agent has just stopped", async () => {
  const fleet = await openFleet(1);
  const id = await fleet.start({ offline: "fail" });
  const [target] = await fleet.targets(id);
  const { client } = fleet.agentOf(target?.serviceCode ?? "");
  fleet.clock.advance(91_000);
  await client.call("agent.heartbeat", { body: {} });
  await client.call("agent.offline", { body: {} });
  expect(await fleet.advance(id)).toMatchObject({ targets: { RUNNING: 1 } });
  fleet.clock.advance(91_000);
  expect(await fleet.advance(id)).toMatchObject({ targets: { FAILED: 1 } });
});

test("a report that is not stored yet can be the one that a health gate waits for", async () => {
  const fleet = await openFleet(1);
  const id = await fleet.start({ healthGate: true, healthTimeoutSeconds: 60 });
  // The next report is the same as this one, so only its time is stored, and not immediately.
  await fleet.reportAll();
  fleet.clock.advance(1);
  await fleet.endOpen(id);
  fleet.clock.advance(59_999);
  await fleet.reportAll();
  fleet.clock.advance(1);
  expect(await fleet.advance(id)).toMatchObject({ targets: { CHECKING: 1, FAILED: 0 } });
  await flushPresence(fleet.app.core);
  expect(await fleet.advance(id)).toMatchObject({ state: "SUCCEEDED", targets: { SUCCEEDED: 1 } });
});

/** Lets more time pass with each statement of a transaction than a transaction may take. */
function slowDown({ clock, database }: Awaited<ReturnType<typeof openFleet>>): void {
  wrapWrites(database, (tx) =>
    changedTx(tx, {
      all(sql, ...params) {
        clock.advance(6);
        return tx.all(sql, ...params);
      },
      get(sql, ...params) {
        clock.advance(6);
        return tx.get(sql, ...params);
      },
      run(sql, ...params) {
        clock.advance(6);
        return tx.run(sql, ...params);
      },
    }),
  );
}

test("a rollout starts although every statement takes longer than a slice", async () => {
  const fleet = await openFleet(2);
  const body = { action: "restart", selector: "tier=web" };
  const { id } = await fleet.operator.call("rollouts.create", { body });
  slowDown(fleet);
  const { core } = fleet.app;
  expect(await advanceRollout(core, id)).toBe(true);
  expect(await fleet.get(id)).toMatchObject({ targets: { RUNNING: 1, WAITING: 1 } });
  expect(await advanceRollout(core, id)).toBe(false);
  expect(await fleet.get(id)).toMatchObject({ targets: { RUNNING: 2 } });
});

test("targets are given up although every statement takes longer than a slice", async () => {
  const fleet = await openFleet(2);
  const id = await fleet.start();
  fleet.clock.advance(dayMs);
  slowDown(fleet);
  const { core } = fleet.app;
  expect(await advanceRollout(core, id)).toBe(true);
  expect(await fleet.get(id)).toMatchObject({ targets: { RUNNING: 1, NOT_RUN: 1 } });
  expect(await advanceRollout(core, id)).toBe(true);
  expect(await fleet.get(id)).toMatchObject({ targets: { NOT_RUN: 2 } });
});

test("a wave does not end before its last service, even if those before it fail at once", async () => {
  const fleet = await openFleet(0);
  await fleet.registerAgent(
    "silent",
    names(0, 120).map((code) => fleet.serviceOf(code)),
  );
  await fleet.pollAll();
  fleet.clock.advance(dayMs);
  const id = await fleet.start({ offline: "fail", maxFailures: "100%", maxParallel: 1 });
  expect(await fleet.get(id)).toMatchObject({ state: "SUCCEEDED", targets: { FAILED: 120 } });
});

test("more services can be named than one statement finds, each of them twice", async () => {
  const fleet = await openFleet(0);
  const codes = [names(0, 255), names(255, 510)];
  for (const [n, own] of codes.entries()) {
    await fleet.registerAgent(
      `agent-${n}`,
      own.map((code) => fleet.serviceOf(code)),
    );
  }
  const services = [...codes.flat(), ...codes.flat()];
  const named = { action: "restart", services };
  expect(await fleet.operator.call("rollouts.create", { body: named })).toMatchObject({
    total: 510,
  });
  const body = { ...named, services: [...services, "nobody"] };
  const refused = fleet.operator.call("rollouts.create", { body });
  await expect(refused).rejects.toMatchObject({ code: "SERVICE_NOT_FOUND" });
});

test("an empty list of services, agents or statuses chooses nothing", async () => {
  const fleet = await openFleet(1);
  for (const request of [{ services: [] }, { agents: [] }, { selector: "", status: [] }]) {
    const body = { action: "restart", ...request };
    const created = fleet.operator.call("rollouts.create", { body });
    await expect(created).rejects.toMatchObject({ code: "ROLLOUT_HAS_NO_TARGETS" });
  }
});

function names(from: number, end: number): string[] {
  return Array.from({ length: end - from }, (_, n) => `web-${from + n}`);
}
