// Tests that operators' calls accept a code wherever they accept an id.

import { describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { perFile } from "../helpers/lifetime.ts";
import { expectRefused, outcome } from "./refusals.ts";
import { collector, openScene } from "./scene.ts";

const policy = { name: "Risky / all", approvers: { role: "owner" as const } };
const schedule = {
  name: "nightly",
  everySeconds: 3600,
  state: "PAUSED" as const,
  target: { kind: "action" as const, service: collector.code, action: "rotate" },
};
const unknownId = (prefix: string) => `${prefix}_${"0".repeat(26)}`;

/** Creates things of each kind that has a code, and deletes those with the code `gone`. */
async function openNamed() {
  const scene = await openScene();
  const owner = scene.as("owner");
  const password = "correct horse battery";
  const user = (username: string) =>
    owner.call("users.create", { body: { username, password, role: "viewer" } });
  const ids = {
    agents: scene.agent.agentId,
    services: scene.serviceId,
    users: (await user("Ada")).id,
    schedules: (await owner.call("schedules.create", { body: schedule })).id,
    policies: (await owner.call("approval-policies.create", { body: policy })).id,
  };
  const leaving = await scene.registerAgent("gone", [{ ...collector, code: "gone" }]);
  await leaving.client.call("agent.offline");
  await owner.call("services.delete", { params: { serviceId: "gone" } });
  await owner.call("agents.delete", { params: { agentId: "gone" } });
  await user("gone");
  await owner.call("users.delete", { params: { userId: "gone" } });
  await owner.call("schedules.create", { body: { ...schedule, name: "gone" } });
  await owner.call("schedules.delete", { params: { scheduleId: "gone" } });
  await owner.call("approval-policies.create", { body: { ...policy, name: "gone" } });
  await owner.call("approval-policies.delete", { params: { policyId: "gone" } });
  return { ...scene, ids };
}

const shared = perFile(openNamed);

/** Functions that get an object by the id or code in the path. */
const gets = {
  agents: (api: Client, agentId: string) => api.call("agents.get", { params: { agentId } }),
  services: (api: Client, serviceId: string) => api.call("services.get", { params: { serviceId } }),
  users: (api: Client, userId: string) => api.call("users.get", { params: { userId } }),
  schedules: (api: Client, scheduleId: string) =>
    api.call("schedules.get", { params: { scheduleId } }),
  policies: (api: Client, policyId: string) =>
    api.call("approval-policies.get", { params: { policyId } }),
};

describe.each([
  { noun: "agents", prefix: "agt", code: "edge-1", error: "AGENT_NOT_FOUND" },
  { noun: "services", prefix: "svc", code: collector.code, error: "SERVICE_NOT_FOUND" },
  { noun: "users", prefix: "usr", code: "Ada", error: "USER_NOT_FOUND" },
  { noun: "schedules", prefix: "sch", code: schedule.name, error: "SCHEDULE_NOT_FOUND" },
  { noun: "policies", prefix: "pol", code: policy.name, error: "APPROVAL_POLICY_NOT_FOUND" },
] as const)("a path about $noun", ({ noun, prefix, code, error }) => {
  test("accepts the id and the code", async () => {
    const { as, ids } = shared();
    for (const text of [ids[noun], code]) {
      expect(await gets[noun](as("owner"), text)).toMatchObject({ id: ids[noun] });
    }
  });

  test.each(["gone", unknownId(prefix)])("says that there is no %s", async (text) => {
    const call = gets[noun](shared().as("owner"), text);
    await expect(call).rejects.toMatchObject({ code: error, message: expect.stringMatching(text) });
  });

  test("accepts neither the beginning of an id, nor a code in another case", async () => {
    const { as, ids } = shared();
    await expectRefused(gets[noun](as("owner"), ids[noun].slice(0, -1)), error);
    const other = gets[noun](as("owner"), code.toUpperCase());
    // Usernames are not case-sensitive.
    if (noun === "users") expect(await other).toMatchObject({ id: ids.users });
    else await expectRefused(other, error);
  });
});

test("each change and each audit row is about the object with the code", async () => {
  const scene = await openScene();
  const operator = scene.as("operator");
  const { agentId } = scene.agent;
  const disabled = await operator.call("agents.disable", { params: { agentId: "edge-1" } });
  expect(disabled).toMatchObject({ id: agentId, status: "DISABLED" });
  await operator.call("agents.enable", { params: { agentId } });
  const other = await scene.registerAgent("edge-2");
  const params = { serviceId: collector.code };
  const moved = await operator.call("services.move", { params, body: { agentId: "edge-2" } });
  expect(moved).toMatchObject({ id: scene.serviceId, agentId: other.agentId });
  expect((await scene.auditOf(agentId)).slice(-2)).toEqual(["agent.disabled", "agent.enabled"]);
  const [move] = await scene.trail({ action: "service.moved" });
  const metadata = expect.objectContaining({ toAgentId: other.agentId });
  expect(move).toMatchObject({ targetId: scene.serviceId, metadata });
});

test("a list can be filtered by codes, and an unknown one matches nothing", async () => {
  const scene = await openScene();
  const viewer = scene.as("viewer");
  const command = await scene.execute();
  const other = await scene.registerAgent("edge-2", [{ ...collector, code: "other" }]);
  const commands = async (query: object) =>
    (await viewer.call("commands.list", { query })).map(({ id }) => id);
  expect(await commands({ agentId: "edge-1" })).toEqual([command]);
  expect(await commands({ serviceId: collector.code })).toEqual([command]);
  for (const agentId of ["edge-2", other.agentId, "edge", "edge-3"]) {
    expect(await commands({ agentId })).toEqual([]);
  }
  const services = await viewer.call("services.list", { query: { agentId: "edge-2" } });
  expect(services.map(({ code }) => code)).toEqual(["other"]);
});

test("one Idempotency-Key is for one service, given by its id or its code", async () => {
  const scene = await openScene();
  const operator = scene.as("operator");
  const run = (serviceId: string) =>
    operator.call(
      "actions.execute",
      { params: { serviceId, actionName: "rotate" } },
      { idempotencyKey: "once" },
    );
  const { command } = await run(collector.code);
  expect(command).toMatchObject({ serviceId: scene.serviceId });
  expect((await run(scene.serviceId)).command?.id).toBe(command?.id);
  expect((await run(collector.code)).command?.id).toBe(command?.id);
  await scene.report([collector, { ...collector, code: "other" }]);
  await expectRefused(run("other"), "IDEMPOTENCY_KEY_REUSED");
});

test("several services can be given by their codes, each only once", async () => {
  const scene = await openScene();
  const operator = scene.as("operator");
  const silence = (...serviceIds: string[]) =>
    operator.call("attention.silence", { body: { serviceIds, seconds: 3600 } });
  expect(await silence(collector.code, scene.serviceId)).toMatchObject({ services: 1 });
  await expectRefused(silence(collector.code, "unknown"), "SERVICE_NOT_FOUND");
});

test("only owners learn whether a user exists", async () => {
  const { as, ids } = shared();
  const owner = as("owner");
  await owner.call("api-keys.create", { body: { name: "ci", role: "viewer", user: "ada" } });
  const keysOf = (role: "owner" | "operator", userId: string) =>
    as(role).call("api-keys.list", { query: { userId } });
  for (const text of [ids.users, "Ada", "ADA"]) {
    expect(await keysOf("owner", text)).toMatchObject([{ name: "ci" }]);
    expect(await keysOf("operator", text)).toEqual([]);
  }
  expect(await keysOf("operator", "unknown")).toEqual([]);
  const byOperator = (text: string) => outcome(gets.users(as("operator"), text));
  expect(await byOperator("Ada")).toBe("FORBIDDEN");
  expect(await byOperator("unknown")).toBe("FORBIDDEN");
});

test("a code of an earlier version that has the form of an id is not taken for a code", async () => {
  const scene = await openScene();
  const other = await scene.registerAgent("edge-2");
  const { agentId } = scene.agent;
  await scene.elsewhere(`UPDATE agents SET code = '${agentId}' WHERE id = '${other.agentId}'`);
  const viewer = scene.as("viewer");
  expect(await gets.agents(viewer, agentId)).toMatchObject({ id: agentId, code: "edge-1" });
  expect(await gets.agents(viewer, other.agentId)).toMatchObject({ code: agentId });
});

test("agents can use only their ids", async () => {
  const { agent, as } = shared();
  const beat = (agentId: string) => agent.client.call("agent.heartbeat", { params: { agentId } });
  expect(await beat(agent.agentId)).toHaveProperty("serverTime");
  await expectRefused(beat("edge-1"), "FORBIDDEN");
  await expectRefused(
    as("owner").call("agent.heartbeat", { params: { agentId: "edge-1" } }),
    "UNAUTHORIZED",
  );
});
