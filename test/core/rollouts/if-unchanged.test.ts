// Rollouts that require each service to be still in the state that its prepare command returned.

import { expect, test } from "vitest";
import { outcome } from "../refusals.ts";
import { openFleet } from "./fleet.ts";

const inputSchema = {
  properties: { level: { type: "string" }, key: { type: "string", writeOnly: true } },
};
const action = { name: "restart", inputSchema };
const choice = { action: "restart", selector: "tier=web" };

type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** All agents but `old` can compare states. */
async function openPlannedFleet(size: number, old: readonly string[] = []): Promise<Fleet> {
  const fleet = await openFleet(size, [action]);
  for (let n = 0; n < size; n++) {
    const code = `web-${n}`;
    const features = old.includes(code) ? [] : ["plan"];
    const body = { services: [fleet.serviceOf(code)], features };
    await fleet.agentOf(code).client.call("agent.report", { body: body as never });
  }
  return fleet;
}

/** Prepares the action on a service that is in this state, and returns the prepare command. */
async function prepare(fleet: Fleet, code: string, stateFingerprint = `state of ${code}`) {
  const [service] = await fleet.operator.call("services.list", { query: { q: code } });
  const params = { serviceId: service?.id ?? "", actionName: "restart" };
  const prepared = fleet.operator.call("actions.prepare", { params });
  const { client } = fleet.agentOf(code);
  const { commands } = await client.call("agent.poll", { query: { wait: 20 } });
  const commandId = commands[0]?.id ?? "";
  const output = { currentState: { code }, stateFingerprint };
  await client.call("agent.result", { params: { commandId }, body: { success: true, output } });
  return (await prepared).command?.id ?? "";
}

async function prepareAll(fleet: Fleet, codes: readonly string[]) {
  const prepareCommandIds: Record<string, string> = {};
  for (const code of codes) prepareCommandIds[code] = await prepare(fleet, code);
  return { ifUnchanged: true, prepareCommandIds };
}

/** Ends the open commands with this result, and returns them as their agents get them. */
async function endAs(fleet: Fleet, id: string, body: object) {
  const got: { expectedState?: string | undefined }[] = [];
  for (const { serviceCode, commandId } of await fleet.targets(id, { state: "RUNNING" })) {
    const { client } = fleet.agentOf(serviceCode);
    got.push(...(await client.call("agent.poll", { query: { wait: 0 } })).commands);
    const params = { commandId: commandId ?? "" };
    await client.call("agent.result", { params, body: body as never });
  }
  await fleet.advance(id);
  return got;
}

const changed = { success: false, error: { code: "STATE_CHANGED", message: "It changed." } };

test("each command expects the state of its own service", async () => {
  const fleet = await openPlannedFleet(2);
  const condition = await prepareAll(fleet, ["web-0", "web-1"]);
  const id = await fleet.start(condition);
  expect(await fleet.get(id)).toMatchObject({ ifUnchanged: true, total: 2 });
  const targets = await fleet.targets(id);
  for (const { serviceCode, prepareCommandId } of targets) {
    expect(prepareCommandId).toBe(condition.prepareCommandIds[serviceCode]);
  }
  const got = await endAs(fleet, id, { success: true });
  expect(got.map(({ expectedState }) => expectedState).sort()).toEqual([
    "state of web-0",
    "state of web-1",
  ]);
  expect(await fleet.get(id)).toMatchObject({ state: "SUCCEEDED" });
});

test("without the condition, commands expect nothing", async () => {
  const fleet = await openPlannedFleet(1);
  const id = await fleet.start();
  expect(await fleet.get(id)).toMatchObject({ ifUnchanged: false });
  expect(await fleet.targets(id)).toMatchObject([{ prepareCommandId: null }]);
  expect(await endAs(fleet, id, { success: true })).toMatchObject([{ id: expect.any(String) }]);
});

test("a changed state is a failure, and a retry needs new prepares", async () => {
  const fleet = await openPlannedFleet(2);
  const id = await fleet.start({
    ...(await prepareAll(fleet, ["web-0", "web-1"])),
    maxParallel: 1,
  });
  await endAs(fleet, id, changed);
  expect(await fleet.get(id)).toMatchObject({
    state: "FAILED",
    targets: { FAILED: 1, NOT_RUN: 1 },
  });
  const [failed] = await fleet.targets(id, { state: "FAILED" });
  expect(failed).toMatchObject({ errorCode: "STATE_CHANGED" });
  const retry = (body: object) =>
    fleet.operator.call("rollouts.retry", { params: { rolloutId: id }, body });
  expect(await outcome(retry({}))).toBe("ROLLOUT_HAS_NO_TARGETS");
  const code = failed?.serviceCode ?? "";
  const prepareCommandIds = { [code]: await prepare(fleet, code, "another state") };
  const retried = await retry({ prepareCommandIds });
  expect(retried).toMatchObject({ ifUnchanged: true, total: 1, retryOf: id });
  await fleet.advance(retried.id);
  const got = await endAs(fleet, retried.id, { success: true });
  expect(got).toMatchObject([{ expectedState: "another state" }]);
});

test("services that cannot be compared are left out, with the reason", async () => {
  const fleet = await openPlannedFleet(4, ["web-0"]);
  const others = await prepareAll(fleet, ["web-1", "web-2"]);
  const failedPrepare = await prepare(fleet, "web-3", "");
  const { prepareCommandIds } = others;
  const body = {
    ...{ ...choice, ifUnchanged: true },
    prepareCommandIds: {
      "web-1": prepareCommandIds["web-1"] ?? "",
      "web-2": prepareCommandIds["web-1"] ?? "",
      "web-3": failedPrepare,
    },
  };
  const preview = await fleet.operator.call("rollouts.preview", { body });
  expect(preview.total).toBe(1);
  const reasons = preview.leftOut.map(({ serviceCode, code }) => [serviceCode, code]).sort();
  expect(reasons).toEqual([
    ["web-0", "PLAN_NOT_SUPPORTED"],
    ["web-2", "PREPARE_UNUSABLE"],
    ["web-3", "STATE_NOT_REPORTED"],
  ]);
});

test("a service that was not prepared, or long ago, is left out", async () => {
  const fleet = await openPlannedFleet(2);
  const prepareCommandIds = { "web-0": await prepare(fleet, "web-0") };
  fleet.clock.advance(3600_001);
  for (const code of ["web-0", "web-1"]) {
    await fleet.agentOf(code).client.call("agent.heartbeat", { body: {} });
  }
  const body = { ...choice, ifUnchanged: true, prepareCommandIds };
  const { total, leftOut } = await fleet.operator.call("rollouts.preview", { body });
  expect(total).toBe(0);
  const reasons = leftOut.map(({ serviceCode, code }) => [serviceCode, code]).sort();
  expect(reasons).toEqual([
    ["web-0", "PLAN_EXPIRED"],
    ["web-1", "PREPARE_UNUSABLE"],
  ]);
  expect(await outcome(fleet.operator.call("rollouts.create", { body }))).toBe(
    "ROLLOUT_HAS_NO_TARGETS",
  );
});

test("the payload is checked against the form of the prepare, also when its turn comes", async () => {
  const fleet = await openPlannedFleet(1);
  const [service] = await fleet.operator.call("services.list", { query: { q: "web-0" } });
  const params = { serviceId: service?.id ?? "", actionName: "restart" };
  const { client } = fleet.agentOf("web-0");
  const prepared = fleet.operator.call("actions.prepare", { params });
  const { commands } = await client.call("agent.poll", { query: { wait: 20 } });
  const form = { properties: { level: { enum: ["debug", "info"] } } };
  const output = { inputSchema: form, currentState: {}, stateFingerprint: "s" };
  await client.call("agent.result", {
    params: { commandId: commands[0]?.id ?? "" },
    body: { success: true, output },
  });
  const id = (await prepared).command?.id ?? "";
  const condition = { ifUnchanged: true, prepareCommandIds: { "web-0": id } };
  const preview = (level: string) =>
    fleet.operator.call("rollouts.preview", {
      body: { ...choice, ...condition, payload: { level } },
    });
  expect(await preview("loud")).toMatchObject({ total: 0, leftOut: [{ code: "PAYLOAD_INVALID" }] });
  expect(await preview("debug")).toMatchObject({ total: 1, leftOut: [] });
  const rolloutId = await fleet.start({ ...condition, payload: { level: "debug" } });
  expect(await endAs(fleet, rolloutId, { success: true })).toMatchObject([{ expectedState: "s" }]);
});

test("naming prepares without the condition is refused", async () => {
  const fleet = await openPlannedFleet(1);
  const body = { ...choice, prepareCommandIds: { "web-0": "cmd_1" } };
  expect(await outcome(fleet.operator.call("rollouts.preview", { body }))).toBe(
    "VALIDATION_FAILED",
  );
});

test("a retry gets the secrets of payloads of single services", async () => {
  const fleet = await openPlannedFleet(2);
  const payloadByService = { "web-0": { key: "secret-0" } };
  const id = await fleet.start({ payloadByService, maxFailures: "2" });
  await fleet.endOpen(id, ["web-0", "web-1"]);
  const retry = (body: object) =>
    fleet.operator.call("rollouts.retry", { params: { rolloutId: id }, body });
  await expect(retry({})).rejects.toMatchObject({
    code: "PAYLOAD_NEEDS_SECRETS",
    details: { serviceCode: "web-0", pointers: ["/key"] },
  });
  const retried = await retry({ secretsByService: { "web-0": { "/key": "again" } } });
  await fleet.advance(retried.id);
  const { commands } = await fleet
    .agentOf("web-0")
    .client.call("agent.poll", { query: { wait: 0 } });
  expect(commands).toMatchObject([{ payload: { key: "again" } }]);
});
