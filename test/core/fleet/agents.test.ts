// How disabling, silence and a revoked token affect an agent's calls, services and commands.

import { expect } from "vitest";
import { sweepSilentAgents } from "../../../src/core/fleet/status-sweep.ts";
import { startOfTime } from "../../helpers/app.ts";
import { outcome } from "../refusals.ts";
import { registering } from "../registering.ts";
import { collector, type Scene, test } from "../scene.ts";

/** Returns the agent's status, and its service's effective and stored status. */
async function statuses(scene: Scene): Promise<string[]> {
  const { status } = await scene.agentNow();
  const service = await scene.service();
  return [status, service.status, service.storedStatus];
}

function knock({ app, agent }: Scene) {
  const admitted = async () => void (await app.core.credentials.agent(agent.agentToken));
  return outcome(admitted().then(() => "welcome" as const));
}

async function agentAudit(scene: Scene): Promise<string[]> {
  return (await scene.auditOf(scene.agent.agentId)).slice(1);
}

test("a disabled agent is refused immediately, with OFFLINE services; enabling it reverts that", async ({
  scene,
}) => {
  expect(await knock(scene)).toBe("welcome");
  expect(await statuses(scene)).toEqual(["ONLINE", "HEALTHY", "HEALTHY"]);
  scene.clock.advance(1000);
  expect(await scene.change("disable")).toMatchObject({
    status: "DISABLED",
    disabledAt: new Date(startOfTime + 1000).toISOString(),
    services: [{ code: collector.code, status: "OFFLINE" }],
  });
  expect(await knock(scene)).toBe("AGENT_DISABLED");
  await scene.change("disable");
  expect(await scene.change("enable")).toMatchObject({ status: "ONLINE", disabledAt: null });
  expect(await knock(scene)).toBe("welcome");
  await scene.change("enable");
  expect(await statuses(scene)).toEqual(["ONLINE", "HEALTHY", "HEALTHY"]);
  expect(await agentAudit(scene)).toEqual(["agent.disabled", "agent.enabled"]);
});

test("an agent enabled after a long silence is OFFLINE until its next call", async ({ scene }) => {
  await scene.change("disable");
  scene.clock.advance(90_001);
  expect(await scene.change("enable")).toMatchObject({ status: "OFFLINE" });
  await scene.beat();
  expect(await statuses(scene)).toEqual(["ONLINE", "HEALTHY", "HEALTHY"]);
  expect(await agentAudit(scene)).toEqual(["agent.disabled", "agent.enabled", "agent.online"]);
});

test("an agent with a revoked token is refused and OFFLINE until it registers", async ({
  scene,
}) => {
  expect(await scene.change("revoke-token")).toMatchObject({
    status: "OFFLINE",
    offlineReason: "TOKEN_REVOKED",
    tokenState: "REVOKED",
    token: null,
    services: [{ status: "OFFLINE" }],
  });
  expect(await knock(scene)).toBe("UNAUTHORIZED");
  await scene.change("revoke-token");
  expect(await agentAudit(scene)).toEqual(["agent.token.revoked"]);
  scene.agent = await scene.registerAgent("edge-1");
  expect(await knock(scene)).toBe("welcome");
  expect(await statuses(scene)).toEqual(["ONLINE", "HEALTHY", "HEALTHY"]);
});

test("a call in progress does not undo a revoked token", async ({ scene }) => {
  await scene.change("revoke-token");
  scene.clock.advance(1000);
  scene.app.core.presence.agents.add(scene.agent.agentId, scene.clock.now());
  expect(await statuses(scene)).toEqual(["OFFLINE", "OFFLINE", "HEALTHY"]);
  expect(await agentAudit(scene)).toEqual(["agent.token.revoked"]);
});

test("an agent enabled without a token is OFFLINE, and keeps the time of its last call", async ({
  scene,
}) => {
  await scene.change("disable");
  await scene.change("revoke-token");
  const disabled = { status: "DISABLED", offlineReason: "DISABLED", tokenState: "REVOKED" };
  expect(await scene.agentNow()).toMatchObject(disabled);
  const enabled = await scene.change("enable");
  expect(enabled).toMatchObject({ status: "OFFLINE", offlineReason: "TOKEN_REVOKED" });
  await sweepSilentAgents(scene.app.core);
  const { lastHeartbeatAt } = await scene.agentNow();
  expect(lastHeartbeatAt).toBe(enabled.lastHeartbeatAt);
});

test("lists show the offline reason and the token state, and filter by them", async ({ scene }) => {
  await scene.registerAgent("edge-2");
  const silent = await scene.registerAgent("edge-3");
  await scene.change("revoke-token");
  scene.clock.advance(90_001);
  await scene.beat({}, silent);
  await sweepSilentAgents(scene.app.core);
  const list = async (query: object) => {
    const { data, pagination } = await scene.as("viewer").page("agents.list", { query });
    expect(pagination.total).toBe(data.length);
    return data.map(({ code, status, offlineReason, tokenState }) =>
      [code, status, offlineReason, tokenState].join(" "),
    );
  };
  expect(await list({})).toEqual([
    "edge-3 ONLINE  ACTIVE",
    "edge-2 OFFLINE SILENT ACTIVE",
    "edge-1 OFFLINE TOKEN_REVOKED REVOKED",
  ]);
  expect(await list({ tokenState: "REVOKED" })).toHaveLength(1);
  expect(await list({ tokenState: "ACTIVE" })).toHaveLength(2);
  expect(await list({ tokenState: "ACTIVE", status: "OFFLINE" })).toHaveLength(1);
  await scene.app.core.db.write((tx) => tx.run("DELETE FROM agent_tokens WHERE revoked_at > 0"));
  expect(await list({ tokenState: "NONE" })).toEqual(["edge-1 OFFLINE TOKEN_REVOKED NONE"]);
});

test("any call from an agent shows that it is alive", async ({ scene }) => {
  const calls = [
    () => scene.beat(),
    () => scene.poll(),
    () => scene.report([]),
    () => scene.result("cmd_none").catch(() => undefined),
    async () => undefined,
  ];
  for (const call of calls) {
    scene.clock.advance(80_000);
    await sweepSilentAgents(scene.app.core);
    expect((await statuses(scene))[0]).toBe("ONLINE");
    await call();
  }
  expect(await agentAudit(scene)).toEqual([]);
});

test("a returning agent is ONLINE; its service follows its report", async ({ scene }) => {
  scene.clock.advance(200_000);
  await sweepSilentAgents(scene.app.core);
  expect(await statuses(scene)).toEqual(["OFFLINE", "STALE", "STALE"]);
  await scene.beat();
  expect(await statuses(scene)).toEqual(["ONLINE", "STALE", "STALE"]);
  await scene.report([collector]);
  expect(await statuses(scene)).toEqual(["ONLINE", "HEALTHY", "HEALTHY"]);
  expect(await agentAudit(scene)).toEqual(["agent.offline", "agent.online"]);
});

test("agents are found by status, mode, label and text", async ({ scene }) => {
  const { invite, register } = registering(scene);
  await register(await invite(), {
    code: "shop-1",
    name: "100% KÖLN_a",
    mode: "embedded",
    labels: { at: "a:b" },
  });
  await register(await invite(), {
    code: "shop-2",
    name: "Koeln",
    mode: "external",
    labels: { at: "b" },
  });
  const { agentId } = await scene.registerAgent("shop-3");
  await scene.change("disable", { agentId });
  const find = async (query: object) =>
    (await scene.as("viewer").page("agents.list", { query })).data.map(({ code }) => code);
  expect(await find({})).toEqual(["shop-3", "shop-2", "shop-1", "edge-1"]);
  expect(await find({ page: 2, pageSize: 3 })).toEqual(["edge-1"]);
  expect(await find({ status: "DISABLED" })).toEqual(["shop-3"]);
  expect(await find({ mode: "external" })).toEqual(["shop-2"]);
  expect(await find({ label: "at:a:b" })).toEqual(["shop-1"]);
  expect(await find({ label: "at:" })).toEqual([]);
  expect(await find({ q: "SHOP" })).toEqual(["shop-3", "shop-2", "shop-1"]);
  expect(await find({ q: "KÖ" })).toEqual(["shop-1"]);
  expect(await find({ q: "\0" })).toEqual([]);
  expect(await find({ q: "shop\0" })).toEqual([]);
  expect(await find({ q: "kÖlN_A" })).toEqual(["shop-1"]);
  expect(await find({ q: "oeln" })).toEqual(["shop-2"]);
  expect(await find({ q: "%" })).toEqual(["shop-1"]);
  expect(await find({ q: "_" })).toEqual(["shop-1"]);
  expect(await find({ q: "!" })).toEqual([]);
  expect(await find({ q: "shop", mode: "sidecar" })).toEqual(["shop-3"]);
});

test("the list has the number of services of each agent", async ({ scene }) => {
  const { register, invite } = registering(scene);
  await register(await invite(), { code: "edge-2" });
  const listed = await scene.as("viewer").call("agents.list", { query: { sort: "code" } });
  expect(listed.map(({ code, serviceCount }) => [code, serviceCount])).toEqual([
    ["edge-1", 1],
    ["edge-2", 0],
  ]);
});
