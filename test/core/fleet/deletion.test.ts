// Only agents that no longer call, and services that are no longer reported, can be deleted. If
// they return, they are new.

import { describe, expect } from "vitest";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { expectRefused } from "../refusals.ts";
import { test as base, collector, openScene, type Scene } from "../scene.ts";

const test = base.extend("silence", () => openSilence());

const dayMs = 24 * 60 * 60 * 1000;

function deleteAgent({ as, agent }: Scene, agentId = agent.agentId) {
  return as("operator").call("agents.delete", { params: { agentId } });
}

function deleteService({ as, serviceId }: Scene, id = serviceId) {
  return as("operator").call("services.delete", { params: { serviceId: id } });
}

async function openSilence(): Promise<Scene & { commandId: string }> {
  const scene = await openScene({ CAPSULE_BUS_ENABLED: "true" });
  const commandId = await scene.execute({ payload: { file: "a.log" } });
  await scene.poll();
  await scene.result(commandId, { success: true, output: { lines: 3 } });
  const event = { type: "log.full", source: collector.code };
  await scene.as("operator").call("bus-events.publish", { body: event });
  scene.clock.advance(901_000);
  return { ...scene, commandId };
}

describe("an OFFLINE agent", () => {
  test("is deleted with its services and token; commands and events keep the names", async ({
    silence: scene,
  }) => {
    const { as, agent, serviceId, commandId, app } = scene;
    expect(await deleteAgent(scene)).toEqual({ id: agent.agentId, deleted: true });
    expect((await as("viewer").page("agents.list")).data).toEqual([]);
    expect((await as("viewer").page("services.list")).data).toEqual([]);
    await expectRefused(
      Promise.resolve(app.core.credentials.agent(agent.agentToken)),
      "UNAUTHORIZED",
    );
    expect(await scene.trail({ pageSize: 2 })).toMatchObject([
      { action: "agent.deleted", targetId: agent.agentId, metadata: { code: "edge-1" } },
      {
        action: "service.deleted",
        targetId: serviceId,
        metadata: { code: collector.code, agentCode: "edge-1" },
      },
    ]);
    expect(await as("viewer").call("audit-events.verify")).toMatchObject({ ok: true });
    const names = {
      agentId: agent.agentId,
      agentCode: "edge-1",
      serviceId,
      serviceCode: collector.code,
    };
    expect(await scene.get(commandId)).toMatchObject({
      ...names,
      status: "SUCCEEDED",
      result: { output: { lines: 3 } },
    });
    for (const query of [{}, { agentId: agent.agentId }, { serviceId }]) {
      expect((await as("viewer").page("commands.list", { query })).data).toMatchObject([names]);
    }
    const { data } = await as("viewer").page("bus-events.list");
    expect(data).toMatchObject([{ agentId: agent.agentId, source: collector.code }]);
    expect(await as("owner").call("metrics.get")).toMatchObject({
      operational: { commandsCompleted: 1 },
      totals: { agents: 0, capsuleServices: 0, commands: 1 },
    });
    // If it returns, it is a new agent with a new service.
    const again = await scene.registerAgent("edge-1", [collector]);
    expect(again.agentId).not.toBe(scene.agent.agentId);
    const [service] = await as("viewer").call("services.list");
    expect(service).toMatchObject({ code: collector.code, agentId: again.agentId });
    expect(service!.id).not.toBe(serviceId);
  });

  test("can have more services than one transaction deletes", async ({ silence: scene }) => {
    const services = Array.from({ length: 25 }, (_, n) => ({ ...collector, code: `s${n}` }));
    const { agentId } = await scene.registerAgent("edge-2", services);
    scene.clock.advance(901_000);
    await deleteAgent(scene, agentId);
    const { data } = await scene.as("viewer").page("services.list");
    expect(data.map(({ code }) => code)).toEqual([collector.code]);
    expect((await scene.auditOf(agentId)).at(-1)).toBe("agent.deleted");
  });

  test("is not found by the second of two concurrent deletions", async ({ silence: scene }) => {
    const both = await Promise.allSettled([deleteAgent(scene), deleteAgent(scene)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = both.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: "AGENT_NOT_FOUND" });
    const deleted = (await scene.auditOf(scene.agent.agentId)).filter((a) => a === "agent.deleted");
    expect(deleted).toHaveLength(1);
  });

  test("that calls concurrently is either deleted or kept", async ({ silence: scene }) => {
    const [beaten, deleted] = await Promise.allSettled([scene.beat(), deleteAgent(scene)]);
    // A request that was authenticated before the deletion may note its call only now.
    scene.app.core.presence.agents.add(scene.agent.agentId, scene.clock.now());
    if (deleted.status === "rejected") {
      expect(deleted.reason).toMatchObject({ code: "AGENT_NOT_OFFLINE" });
      expect(beaten.status).toBe("fulfilled");
    }
    // The call of a deleted agent is not stored.
    await sweep(scene.app.core);
    const { data } = await scene.as("viewer").page("agents.list");
    expect(data).toHaveLength(deleted.status === "rejected" ? 1 : 0);
  });

  test("that registers concurrently exists afterwards", async ({ silence: scene }) => {
    const [, registered] = await Promise.allSettled([
      deleteAgent(scene),
      scene.registerAgent("edge-1", [collector]),
    ]);
    expect(registered.status).toBe("fulfilled");
    const { data } = await scene.as("viewer").page("agents.list");
    expect(data).toMatchObject([{ code: "edge-1", status: "ONLINE" }]);
    const { value } = registered as PromiseFulfilledResult<Scene["agent"]>;
    await value.client.call("agent.heartbeat", { body: {} });
  });
});

describe("an agent is not deleted", () => {
  test.for<[what: string, code: string, bring: (scene: Scene) => Promise<unknown>]>([
    ["that is ONLINE", "AGENT_NOT_OFFLINE", async () => undefined],
    [
      "that is OFFLINE in its row and has just called",
      "AGENT_NOT_OFFLINE",
      async (scene) => {
        scene.clock.advance(901_000);
        await sweep(scene.app.core);
        scene.app.core.presence.agents.add(scene.agent.agentId, scene.clock.now());
      },
    ],
    [
      "that is DISABLED",
      "AGENT_NOT_OFFLINE",
      async (scene) => {
        await scene.change("disable");
        scene.clock.advance(901_000);
      },
    ],
    [
      "that has a pending command",
      "AGENT_HAS_OPEN_COMMANDS",
      async (scene) => {
        scene.clock.advance(901_000);
        await scene.execute({}, { queue: true });
      },
    ],
    [
      "that has a running command",
      "AGENT_HAS_OPEN_COMMANDS",
      async (scene) => {
        await scene.report([{ ...collector, actions: [{ name: "rotate", timeoutSeconds: 3600 }] }]);
        await scene.execute();
        await scene.poll();
        scene.clock.advance(901_000);
      },
    ],
  ])("%s", async ([_what, code, bring], { scene }) => {
    await bring(scene);
    await expectRefused(deleteAgent(scene), code);
    expect(await scene.as("viewer").call("agents.list")).toHaveLength(1);
    expect(await scene.as("viewer").call("services.list")).toHaveLength(1);
  });

  test("before its token is revoked", async ({ scene }) => {
    await scene.change("revoke-token");
    await deleteAgent(scene);
    expect(await scene.as("viewer").call("agents.list")).toEqual([]);
  });

  test("before its last command has ended", async ({ scene }) => {
    scene.clock.advance(901_000);
    await scene.execute({}, { queue: true });
    await expect(deleteAgent(scene)).rejects.toMatchObject({ details: { openCommands: 1 } });
    scene.clock.advance(301_000);
    await expireCommands(scene.app.core);
    await deleteAgent(scene);
  });
});

describe("a service", () => {
  test("can be deleted without its online agent, which no longer reports it", async ({ scene }) => {
    await scene.report([{ ...collector, code: "renamed" }]);
    for (let passed = 0; passed < 121; passed += 60) {
      scene.clock.advance(60_000);
      await scene.report([{ ...collector, code: "renamed" }]);
      await scene.beat();
    }
    expect((await scene.service()).status).toBe("STALE");
    await deleteService(scene);
    const { data } = await scene.as("viewer").page("services.list");
    expect(data.map(({ code }) => code)).toEqual(["renamed"]);
    await scene.report([{ ...collector, code: "renamed" }]);
    expect((await scene.as("viewer").page("services.list")).pagination.total).toBe(1);
  });

  test("is created again by the next report", async ({ scene }) => {
    scene.clock.advance(901_000);
    await deleteService(scene);
    const { services } = await scene.report([collector]);
    expect(services).toMatchObject([{ code: collector.code, status: "HEALTHY" }]);
    expect(services[0]?.id).not.toBe(scene.serviceId);
  });

  test("that is reported stays", async ({ scene }) => {
    const error = await deleteService(scene).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "SERVICE_NOT_OFFLINE", details: { status: "HEALTHY" } });
    expect(error.message).toContain("would bring it back");
  });

  test("that was moved can be deleted once it is STALE, even if its new agent calls", async ({
    scene,
  }) => {
    const { client, agentId } = await scene.registerAgent("edge-2");
    const params = { serviceId: scene.serviceId };
    await scene.as("operator").call("services.move", { params, body: { agentId } });
    await expect(deleteService(scene)).rejects.toThrow(
      "is UNKNOWN: it was moved to the agent edge-2, which may report it soon. If no agent reports it, " +
        "it can be deleted once it is STALE, 2m after its last report.",
    );
    scene.clock.advance(121_000);
    await client.call("agent.heartbeat", { body: {} });
    expect((await scene.service()).status).toBe("STALE");
    await deleteService(scene);
  });

  test("with an open command stays", async ({ scene }) => {
    scene.clock.advance(901_000);
    await scene.execute({}, { queue: true });
    await expectRefused(deleteService(scene), "SERVICE_HAS_OPEN_COMMANDS", { openCommands: 1 });
  });
});

describe("after silentRetentionDays", () => {
  async function openOld(days: number): Promise<Scene> {
    const scene = await openScene();
    await scene.as("owner").call("settings.update", { body: { silentRetentionDays: days } });
    scene.clock.advance(10 * dayMs);
    const { client } = await scene.registerAgent("edge-2", [{ ...collector, code: "alive" }]);
    await client.call("agent.heartbeat", { body: {} });
    return scene;
  }

  test.each([
    [0, ["edge-1", "edge-2"]],
    [11, ["edge-1", "edge-2"]],
    [9, ["edge-2"]],
  ])("with retention for %i days, %j remain", async (days, codes) => {
    const scene = await openOld(days);
    const report = await sweep(scene.app.core);
    expect(report.agentsDeleted).toBe(2 - codes.length);
    const { data } = await scene.as("viewer").page("agents.list");
    expect(data.map(({ code }) => code).sort()).toEqual(codes);
  });

  test("services that an online agent no longer reports are deleted", async () => {
    const scene = await openOld(9);
    await scene.beat();
    scene.app.core.presence.agents.add(scene.agent.agentId, scene.clock.now());
    expect(await sweep(scene.app.core)).toMatchObject({ agentsDeleted: 0, servicesDeleted: 1 });
    expect(await scene.as("viewer").call("agents.list")).toHaveLength(2);
  });

  test("services with an open command are kept", async () => {
    const scene = await openOld(9);
    await scene.execute({}, { queue: true });
    expect(await sweep(scene.app.core)).toMatchObject({ agentsDeleted: 0, servicesDeleted: 0 });
  });

  test("nothing is deleted after the clock was set forward", async () => {
    const scene = await openOld(30);
    await sweep(scene.app.core);
    scene.clock.jump(100 * dayMs);
    expect((await sweep(scene.app.core)).agentsDeleted).toBe(0);
    scene.clock.jump(-100 * dayMs);
  });

  test("nothing is deleted in the first hour after a start", async ({ scene }) => {
    await scene.as("owner").call("settings.update", { body: { silentRetentionDays: 9 } });
    const { core } = scene.app;
    const lastRun = scene.clock.now();
    scene.clock.advance(10 * dayMs);
    core.statusClock.noteAbsence(lastRun);
    scene.clock.advance(3_599_000);
    expect((await sweep(core)).agentsDeleted).toBe(0);
    scene.clock.advance(2000);
    expect((await sweep(core)).agentsDeleted).toBe(1);
  });
});
