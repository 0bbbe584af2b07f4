// A service belongs to the agent that reports it for as long as that agent is alive. During that
// time, reports of the service by other agents are refused.

import { expect, vi } from "vitest";
import { writeAuditSums } from "../../../src/core/audit/repeated-events.ts";
import { sweepSilentAgents } from "../../../src/core/fleet/status-sweep.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import type { TestAgent } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { test as base, collector, openScene, type Scene } from "../scene.ts";

const test = base.extend("contest", () => openContest());

const taken = { code: collector.code, reason: "SERVICE_CODE_TAKEN", agentCode: "edge-1" };
const own = { code: "own", name: "Own", version: "1" };

async function openContest(env = {}): Promise<Scene & { other: TestAgent }> {
  const scene = await openScene(env);
  return { ...scene, other: await scene.registerAgent("edge-2") };
}

const owner = async (scene: Scene) => (await scene.service()).agentCode;

async function claimRows(scene: Scene) {
  return (await scene.trail({ action: "service.claim.refused" })).reverse();
}

test("an online owner keeps its service, and the rest of the other agent's report is accepted", async ({
  contest: scene,
}) => {
  const { services, rejected } = await scene.report([collector, own], scene.other);
  expect(services.map(({ code }) => code)).toEqual(["own"]);
  expect(rejected).toEqual([taken]);
  expect(await owner(scene)).toBe("edge-1");
  // A report that is fully accepted has no `rejected`.
  expect(Object.keys(await scene.report([own], scene.other))).toEqual(["services"]);
});

test("services of a registration follow the same rule", async ({ scene }) => {
  const other = await scene.registerAgent("edge-2", [collector, own]);
  expect(other).toMatchObject({ rejected: [taken] });
  expect(await owner(scene)).toBe("edge-1");
  expect(await scene.report([own], other)).toMatchObject({ services: [{ code: "own" }] });
});

test("ten refused reports leave one row and one summary row", async ({ contest: scene }) => {
  for (let count = 0; count < 10; count++) await scene.report([collector], scene.other);
  expect(await owner(scene)).toBe("edge-1");
  expect(await claimRows(scene)).toMatchObject([
    { actorName: "edge-2", targetId: scene.serviceId, result: "DENIED", metadata: taken },
  ]);
  scene.clock.advance(3_600_000);
  await writeAuditSums(scene.app.core);
  expect((await claimRows(scene))[1]).toMatchObject({
    actorName: "edge-2",
    targetId: scene.serviceId,
    message: "9 more refused reports within an hour",
    metadata: { ...taken, summed: { count: 9 } },
  });
});

test("many refusals share one transaction", async ({ contest: scene }) => {
  const services = Array.from({ length: 256 }, (_, n) => ({ ...own, code: `own-${n}` }));
  await scene.report(services);
  const write = vi.spyOn(scene.app.core.db, "write");
  const health = services.map(({ code }) => ({ serviceCode: code, healthStatus: "UP" }));
  const beaten = await scene.beat({ health }, scene.other);
  expect(beaten.rejected).toHaveLength(256);
  expect(write).toHaveBeenCalledTimes(1);
  const query = { action: "service.claim.refused" };
  const { pagination } = await scene.as("viewer").page("audit-events.list", { query });
  expect(pagination.total).toBe(256);
});

test("an unchanged refused report writes nothing", async ({ contest: scene }) => {
  await scene.report([collector, own], scene.other);
  await flushPresence(scene.app.core);
  const written = scene.watchWrites();
  expect((await scene.report([collector, own], scene.other)).rejected).toEqual([taken]);
  expect(written()).toBe(false);
});

test.for<[how: string, reason: string, lose: (scene: Scene) => unknown]>([
  ["silent for longer than the threshold", "SILENT", ({ clock }) => clock.advance(90_001)],
  [
    "silent, and swept",
    "SILENT",
    async ({ clock, app }) => {
      clock.advance(90_001);
      await sweepSilentAgents(app.core);
    },
  ],
  ["disabled", "DISABLED", (scene) => scene.change("disable")],
  ["without a token", "TOKEN_REVOKED", (scene) => scene.change("revoke-token")],
])(
  "when the owner is %s, the report takes the service over",
  async ([_how, reason, lose], { contest: scene }) => {
    expect((await scene.report([collector], scene.other)).rejected).toEqual([taken]);
    const before = (await scene.auditOf(scene.serviceId)).length;
    await lose(scene);
    // The report has identical bytes, so a cached response would refuse it forever.
    const { services, rejected } = await scene.report([collector], scene.other);
    expect({ services, rejected }).toMatchObject({ services: [{ code: collector.code }] });
    expect(rejected).toBeUndefined();
    expect(await scene.service()).toMatchObject({ agentCode: "edge-2", claims: [] });
    expect((await scene.auditOf(scene.serviceId)).slice(before)).toEqual(["service.moved"]);
    const [row] = await scene.trail({ action: "service.moved" });
    expect(row).toMatchObject({
      actorName: "edge-2",
      metadata: {
        code: collector.code,
        from: "edge-1",
        to: "edge-2",
        fromAgentId: scene.agent.agentId,
        toAgentId: scene.other.agentId,
        reason,
      },
    });
  },
);

test("when the old owner returns, its reports are refused", async ({ contest: scene }) => {
  scene.clock.advance(90_001);
  await scene.report([collector], scene.other);
  const { rejected } = await scene.report([collector]);
  expect(rejected).toEqual([{ ...taken, agentCode: "edge-2" }]);
  expect(await owner(scene)).toBe("edge-2");
});

test("an owner whose last call is not stored yet keeps its service", async ({ contest: scene }) => {
  scene.clock.advance(90_000);
  await scene.beat();
  scene.clock.advance(90_000);
  const { rejected } = await scene.report([collector], scene.other);
  expect(rejected).toEqual([taken]);
});

test("an OFFLINE owner that has just called keeps its service", async ({ contest: scene }) => {
  scene.clock.advance(90_001);
  await sweepSilentAgents(scene.app.core);
  await scene.beat();
  expect((await scene.report([collector], scene.other)).rejected).toEqual([taken]);
});

test("setting the clock forward takes no service away", async ({ contest: scene }) => {
  await scene.report([collector], scene.other);
  scene.clock.jump(3_600_000);
  expect((await scene.report([collector], scene.other)).rejected).toEqual([taken]);
});

test("refused reports are shown at both agents, with their time", async ({ contest: scene }) => {
  const since = new Date(scene.clock.now()).toISOString();
  const pages = async () => {
    const { refusedServices } = await scene.agentNow(scene.other);
    return { claims: (await scene.service()).claims, refusedServices };
  };
  await scene.report([collector], scene.other);
  scene.clock.advance(5000);
  await scene.report([collector, own], scene.other);
  const { agentId } = scene.other;
  const shown = {
    claims: [{ agentId, agentCode: "edge-2", since }],
    refusedServices: [
      {
        serviceId: scene.serviceId,
        serviceCode: collector.code,
        agentId: scene.agent.agentId,
        agentCode: "edge-1",
        since,
      },
    ],
  };
  expect(await pages()).toEqual(shown);
  await scene.report([own], scene.other);
  expect(await pages()).toEqual({ claims: [], refusedServices: [] });
  await scene.report([collector], scene.other);
  await scene.change("disable", scene.other);
  expect(await pages()).toEqual({ claims: [], refusedServices: [] });
});

test("after an operator moves a service, the old owner is refused", async ({ contest: scene }) => {
  await scene.report([collector]);
  await scene.report([collector], scene.other);
  const moved = await scene.move(scene.other);
  expect(moved).toMatchObject({ agentCode: "edge-2", claims: [] });
  // Both agents send unchanged reports.
  expect((await scene.report([collector], scene.other)).rejected).toBeUndefined();
  expect((await scene.report([collector])).rejected).toEqual([{ ...taken, agentCode: "edge-2" }]);
  const before = (await scene.auditOf(scene.serviceId)).length;
  await scene.move(scene.other);
  expect((await scene.auditOf(scene.serviceId)).length).toBe(before);
  expect(await scene.trail({ action: "service.moved" })).toMatchObject([
    { actorType: "API_KEY", metadata: { code: collector.code, from: "edge-1", to: "edge-2" } },
  ]);
});

test("an unchanged refused report names the current owner", async ({ contest: scene }) => {
  await scene.report([collector], scene.other);
  await scene.move(await scene.registerAgent("edge-3"));
  const { rejected } = await scene.report([collector], scene.other);
  expect(rejected).toEqual([{ ...taken, agentCode: "edge-3" }]);
});

test.for<[to: string, code: string, make: (scene: Scene, other: TestAgent) => unknown]>([
  ["an agent that is silent", "AGENT_OFFLINE", ({ clock }) => clock.advance(90_001)],
  ["an agent that is disabled", "AGENT_DISABLED", ({ change }, to) => change("disable", to)],
  ["an agent without a token", "AGENT_OFFLINE", ({ change }, to) => change("revoke-token", to)],
])("a service cannot be moved to %s", async ([_to, code, make], { contest: scene }) => {
  await make(scene, scene.other);
  await expectRefused(scene.move(scene.other), code);
  expect(await owner(scene)).toBe("edge-1");
});

test("a service cannot be moved to an unknown agent", async ({ contest: scene }) => {
  await expectRefused(scene.move({ ...scene.other, agentId: "agt_x" }), "AGENT_NOT_FOUND");
});

test("an agent has at most AGENT_MAX_SERVICES services", async () => {
  const scene = await openContest({ AGENT_MAX_SERVICES: "3" });
  const many = ["a", "b", "c", "d", "e"].map((code) => ({ ...own, code }));
  const beyond = ["d", "e"].map((code) => {
    return { code, reason: "SERVICE_LIMIT_REACHED", agentCode: null };
  });
  for (const _again of [1, 2]) {
    const { services, rejected } = await scene.report(many, scene.other);
    expect(services.map(({ code }) => code)).toEqual(["a", "b", "c"]);
    expect(rejected).toEqual(beyond);
  }
  expect(await claimRows(scene)).toMatchObject([
    { targetType: "agent", targetId: scene.other.agentId, metadata: beyond[0]! },
  ]);
  // An agent at its limit cannot take over a service, but an operator can assign it.
  scene.clock.advance(90_001);
  const { rejected } = await scene.report([collector], scene.other);
  expect(rejected).toMatchObject([{ reason: "SERVICE_LIMIT_REACHED" }]);
  await scene.move(scene.other);
  expect((await scene.report([collector], scene.other)).rejected).toBeUndefined();
});

test("a report can use the place that it frees", async () => {
  const scene = await openContest({ AGENT_MAX_SERVICES: "1" });
  const more = [collector, own];
  expect((await scene.report(more)).rejected).toMatchObject([{ code: "own" }]);
  await scene.move(scene.other);
  const { services, rejected } = await scene.report(more);
  expect(services).toMatchObject([{ code: "own" }]);
  expect(rejected).toEqual([{ ...taken, agentCode: "edge-2" }]);
});
