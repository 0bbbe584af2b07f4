// What needs attention: groups by reason, acknowledgements, silences and flapping.

import { describe, expect, onTestFinished, vi } from "vitest";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { dayMs, hourMs } from "../../../src/lib/duration.ts";
import { isoTime } from "../../../src/lib/iso-time.ts";
import { attentionText } from "../../../src/store/tables/fleet/attention.ts";
import { type TestApp, testCall } from "../../helpers/app.ts";
import { expectRefused } from "../refusals.ts";
import { openScene, test } from "../scene.ts";
import { setClock } from "../set-clock.ts";

const minute = 60_000;
const attentionOf = ({ as }: TestApp) => as("viewer").call("attention.get");

const service = (code: string, status = "UP", message?: string, labels = {}) => ({
  ...{ code, name: `The ${code}`, version: "1", labels },
  health: { status, message },
});

async function groupsOf(app: TestApp) {
  const { open, handled } = await attentionOf(app);
  const short = ({ groups }: typeof open) =>
    groups.map(({ problem, message, cause, services }) => [problem, message ?? cause, services]);
  return { open: short(open), handled: short(handled) };
}

const closed = "port 8080 is closed";

describe("groups", () => {
  test("are empty if all is well, also with services of unknown health", async ({ app }) => {
    await app.registerAgent("edge", [service("web"), { code: "mute", name: "Mute", version: "1" }]);
    const none = { groups: [], total: 0, services: 0, agents: 0 };
    expect(await attentionOf(app)).toEqual({
      at: isoTime(app.clock.now()),
      services: { HEALTHY: 1, UNHEALTHY: 0, STALE: 0, OFFLINE: 0, UNKNOWN: 1 },
      open: none,
      handled: none,
      truncated: false,
    });
  });

  test("have the same problem and exactly the same text, the largest first", async ({ app }) => {
    const sick = ["a1", "a2", "a3"].map((code) => service(code, "DOWN", closed, { zone: "b" }));
    const first = await app.registerAgent("west", [...sick, service("well"), service("ok")]);
    const began = isoTime(app.clock.now());
    app.clock.advance(10_000);
    const second = await app.registerAgent("east", [
      service("b1", "DEGRADED", closed, { zone: "b" }),
      service("b2", "DOWN", `${closed}.`),
      service("b3", "DOWN"),
    ]);
    expect((await groupsOf(app)).open).toEqual([
      ["UNHEALTHY", closed, 3],
      ["UNHEALTHY", closed, 1],
      ["UNHEALTHY", `${closed}.`, 1],
      ["UNHEALTHY", "HEALTH", 1],
    ]);
    const { open } = await attentionOf(app);
    expect(open).toMatchObject({ total: 4, services: 6, agents: 2 });
    expect(open.groups[0]).toMatchObject({
      healthStatus: "DOWN",
      since: { earliest: began, latest: began },
      agents: 1,
      byAgent: [{ id: first.agentId, code: "west", services: 3 }],
      labels: [{ key: "zone", value: "b", services: 3, of: 4 }],
      first: [{ code: "a1", changes: 0, lastFailedCommand: null }, {}, {}],
      note: null,
    });
    await app.as("operator").call("agents.disable", { params: { agentId: second.agentId } });
    app.clock.advance(10 * minute);
    await first.client.call("agent.heartbeat", { body: {} });
    expect((await groupsOf(app)).open).toEqual([
      ["STALE", "NOT_REPORTED", 5],
      ["OFFLINE", "AGENT_DISABLED", 3],
    ]);
    const { groups } = (await attentionOf(app)).open;
    expect(groups[0]?.since.earliest).toBe(began);
    const groupId = groups[1]!.id;
    const listed = await app.as("viewer").call("attention.group", { params: { groupId } });
    expect(listed.services.map(({ code }) => code)).toEqual(["b1", "b2", "b3"]);
  });

  test("say which actions their services declare", async ({ app }) => {
    const sick = (
      code: string,
      message: string,
      actions: { name: string; [key: string]: unknown }[],
    ) => ({
      ...service(code, "DOWN", message),
      actions,
    });
    const [restart, logs] = [{ name: "restart", label: "Restart" }, { name: "logs" }];
    await app.registerAgent("west", [
      sick("a1", closed, [logs, restart, { name: "secret", hidden: true }]),
      sick("a2", closed, [
        { ...restart, dangerLevel: "HIGH" },
        { name: "row", category: "row-action" },
      ]),
      sick("a3", "disk full", [logs]),
      { ...service("well"), actions: [restart] },
    ]);
    const ids = (await attentionOf(app)).open.groups.map(({ id }) => id);
    const actionsOf = (...groups: string[]) =>
      app.as("viewer").call("attention.actions", { query: { groups } });
    const one = await actionsOf(ids[0]!);
    expect(one.services.map(({ code }) => code)).toEqual(["a1", "a2"]);
    expect(one.actions).toMatchObject([
      { name: "restart", label: "Restart", dangerLevel: "HIGH", services: 2 },
      { name: "logs", services: 1, serviceId: one.services[0]!.id },
    ]);
    const both = await actionsOf(...ids, "gone");
    expect(both.services.map(({ code }) => code)).toEqual(["a1", "a2", "a3"]);
    expect(both.actions.map(({ name, services }) => [name, services])).toEqual([
      ["logs", 2],
      ["restart", 2],
    ]);
    await expectRefused(actionsOf("gone"), "ATTENTION_GROUP_NOT_FOUND");
  });

  test("are in the order of their urgency, their size and their beginning", async ({ app }) => {
    await app.registerAgent("away", [service("a1"), service("a2"), service("a3")]);
    app.clock.advance(2 * minute);
    const began = isoTime(app.clock.now());
    await app.registerAgent("west", [
      service("w1", "DOWN", "both"),
      service("w2", "DOWN", "early"),
    ]);
    app.clock.advance(1000);
    const later = isoTime(app.clock.now());
    await app.registerAgent("east", [service("x1", "DOWN", "both"), service("x2", "DOWN", "late")]);
    expect((await groupsOf(app)).open).toEqual([
      ["UNHEALTHY", "both", 2],
      ["UNHEALTHY", "late", 1],
      ["UNHEALTHY", "early", 1],
      ["STALE", "AGENT_SILENT", 3],
    ]);
    const { groups } = (await attentionOf(app)).open;
    expect(groups[0]?.since).toEqual({ earliest: began, latest: later });
  });

  test("do not include removed services, and these do not count towards the limit", async ({
    app,
  }) => {
    const sick = service("web", "DOWN", closed);
    const { client } = await app.registerAgent("edge", [service("gone", "DOWN", closed), sick]);
    const { db, now, settings, statusClock } = app.app.core;
    const readOne = async () => {
      const times = { now: now(), statusNow: statusClock.now(), thresholds: settings.thresholds };
      const read = db.bulkReader(testCall.caller);
      return JSON.parse(await attentionText(read, "attention-members", times, 1));
    };
    expect(await readOne()).toMatchObject([{ members: [{ code: "gone" }] }]);
    await client.call("agent.report", { body: { complete: true, services: [sick] } });
    expect(await readOne()).toMatchObject([{ members: [{ code: "web" }] }]);
  });

  test("name why agents are away, and since when", async ({ scene }) => {
    const heard = isoTime(scene.clock.now());
    const one = async () => (await attentionOf(scene)).open.groups[0];
    scene.clock.advance(2 * minute);
    expect(await one()).toMatchObject({ problem: "STALE", cause: "AGENT_SILENT" });
    scene.clock.advance(20 * minute);
    expect(await one()).toMatchObject({ problem: "OFFLINE", cause: "AGENT_SILENT" });
    expect((await one())?.since.latest).toBe(heard);
    const revoked = isoTime(scene.clock.now());
    await scene.change("revoke-token");
    expect(await one()).toMatchObject({
      cause: "AGENT_WITHOUT_TOKEN",
      since: { earliest: revoked },
    });
  });

  test("show the last failed command of a service", async () => {
    const scene = await openScene({}, [
      { ...service("log-collector", "DOWN", closed), actions: [{ name: "rotate" }] },
    ]);
    const failed = await scene.execute();
    await scene.poll();
    await scene.result(failed, { success: false, error: { code: "NO", message: "not now" } });
    const succeeded = await scene.execute();
    await scene.poll();
    await scene.result(succeeded);
    const { groups } = (await attentionOf(scene)).open;
    expect(groups[0]?.first[0]?.lastFailedCommand).toEqual({
      ...{ id: failed, action: "rotate", errorCode: "NO", errorMessage: "not now" },
      completedAt: isoTime(scene.clock.now()),
    });
  });
});

describe("an acknowledgement", () => {
  const down = [service("log-collector", "DOWN", closed), service("web", "DOWN", closed)];

  test("of a group covers its services until each recovers", async () => {
    const scene = await openScene({}, down);
    const { client } = scene.agent;
    const groupId = (await attentionOf(scene)).open.groups[0]!.id;
    const at = isoTime(scene.clock.now());
    const body = { groupId, note: "  we are on it " };
    expect(await scene.as("operator").call("attention.acknowledge", { body })).toEqual({
      services: 2,
      until: null,
    });
    expect(await groupsOf(scene)).toEqual({ open: [], handled: [["UNHEALTHY", closed, 2]] });
    const { note } = (await attentionOf(scene)).handled.groups[0]!;
    expect(note).toEqual({
      ...{ kind: "ACKNOWLEDGED", note: "we are on it", at, until: null },
      by: expect.any(String),
    });
    const [row] = await scene.trail({ action: "service.acknowledged" });
    expect(row).toMatchObject({
      targetId: null,
      metadata: { services: 2, codes: ["log-collector", "web"], problem: "UNHEALTHY", groupId },
    });

    // One service recovers, and then has the same problem again.
    const health = (healthStatus: string, message?: string) =>
      client.call("agent.heartbeat", {
        body: { health: [{ serviceCode: "web", healthStatus, message }] },
      });
    await health("UP");
    expect((await groupsOf(scene)).handled).toEqual([["UNHEALTHY", closed, 1]]);
    scene.clock.advance(1000);
    await health("DOWN", closed);
    expect(await groupsOf(scene)).toEqual({
      open: [["UNHEALTHY", closed, 1]],
      handled: [["UNHEALTHY", closed, 1]],
    });
    await sweep(scene.app.core);
    expect(await scene.count("service_notes")).toBe(1);
  });

  test("of named services reads only these, however many have a problem", async () => {
    const scene = await openScene({}, down);
    const bulk = vi.spyOn(scene.app.core.db, "bulkReader");
    onTestFinished(() => bulk.mockRestore());
    const body = { serviceIds: [scene.serviceId] };
    await scene.as("operator").call("attention.acknowledge", { body });
    expect(bulk).not.toHaveBeenCalled();
    expect((await groupsOf(scene)).handled).toEqual([["UNHEALTHY", closed, 1]]);
  });

  test("does not cover another problem, and ends", async () => {
    const scene = await openScene({}, down);
    const body = { serviceIds: [scene.serviceId] };
    await scene.as("operator").call("attention.acknowledge", { body });
    expect(await scene.auditOf(scene.serviceId)).toContain("service.acknowledged");
    scene.clock.advance(2 * minute);
    expect(await groupsOf(scene)).toEqual({ open: [["STALE", "AGENT_SILENT", 2]], handled: [] });
    await sweep(scene.app.core);
    await scene.beat();
    await scene.report(down);
    expect((await groupsOf(scene)).open).toEqual([["UNHEALTHY", closed, 2]]);
  });

  test("needs a problem, a group that exists, and either a group or services", async ({
    scene,
  }) => {
    const act = (body: object) =>
      scene.as("operator").call("attention.acknowledge", { body: body as never });
    await expectRefused(act({ serviceIds: [scene.serviceId] }), "SERVICE_HAS_NO_PROBLEM");
    await expectRefused(act({ serviceIds: ["svc_none"] }), "SERVICE_NOT_FOUND");
    await expectRefused(act({ groupId: "none" }), "ATTENTION_GROUP_NOT_FOUND");
    await expectRefused(act({}), "VALIDATION_FAILED");
    await expectRefused(act({ groupId: "x", serviceIds: ["y"] }), "VALIDATION_FAILED");
    expect(await scene.count("service_notes")).toBe(0);
  });
});

describe("a silence", () => {
  test("lasts for its time, whatever the service does", async ({ scene }) => {
    const operator = scene.as("operator");
    const silence = { serviceIds: [scene.serviceId], seconds: 900, note: "works on it" };
    const { until } = await operator.call("attention.silence", { body: silence });
    expect(until).toBe(isoTime(scene.clock.now() + 900_000));
    const [row] = await scene.trail({ action: "service.silenced" });
    expect(row).toMatchObject({
      targetId: scene.serviceId,
      metadata: { code: "log-collector", note: "works on it", until },
    });
    const noteOfService = async () => {
      const params = { serviceId: scene.serviceId };
      return (await operator.call("services.get", { params })).note;
    };
    expect(await noteOfService()).toMatchObject({ kind: "SILENCED", note: "works on it", until });
    scene.clock.advance(2 * minute);
    expect((await groupsOf(scene)).handled).toEqual([["STALE", "AGENT_SILENT", 1]]);
    await scene.change("disable");
    expect((await groupsOf(scene)).handled).toEqual([["OFFLINE", "AGENT_DISABLED", 1]]);
    await scene.change("enable");
    await scene.beat();
    await scene.report([service("log-collector", "DOWN", closed)]);
    await sweep(scene.app.core);
    expect((await groupsOf(scene)).handled).toEqual([["UNHEALTHY", closed, 1]]);
    for (let at = 0; at < 13; at++) {
      scene.clock.advance(minute);
      await scene.report([service("log-collector", "DOWN", closed)]);
    }
    expect((await groupsOf(scene)).open).toEqual([["UNHEALTHY", closed, 1]]);
    expect(await noteOfService()).toBeNull();
    await sweep(scene.app.core);
    expect(await scene.count("service_notes")).toBe(0);
  });

  test("can be ended, and has only the offered lengths", async ({ scene }) => {
    const operator = scene.as("operator");
    const serviceIds = [scene.serviceId];
    const seconds = 100;
    await expectRefused(
      operator.call("attention.silence", { body: { serviceIds, seconds } }),
      "VALIDATION_FAILED",
    );
    await operator.call("attention.silence", { body: { serviceIds, seconds: 3600 } });
    expect(await scene.count("service_notes")).toBe(1);
    expect(await operator.call("attention.clear", { body: { serviceIds } })).toMatchObject({
      services: 1,
    });
    expect(await operator.call("attention.clear", { body: { serviceIds } })).toMatchObject({
      services: 0,
    });
    const actions = await scene.auditOf(scene.serviceId);
    expect(actions.filter((action) => action === "service.note.cleared")).toHaveLength(1);
  });

  test("that begins while the clock is ahead does not last longer", async ({ scene }) => {
    const body = { serviceIds: [scene.serviceId], seconds: 900 };
    await setClock(scene, dayMs);
    await scene.as("operator").call("attention.silence", { body });
    await setClock(scene, -dayMs);
    const until = isoTime(scene.clock.now() + 900_000);
    expect((await scene.service()).note).toMatchObject({ kind: "SILENCED", until });
  });
});

test("a service is flapping while its health changes often", async ({ scene }) => {
  const turn = (status: string) => scene.report([service("log-collector", status, closed)]);
  const began = scene.clock.now();
  for (const status of ["DOWN", "UP", "DOWN", "UP"]) {
    scene.clock.advance(minute);
    await turn(status);
  }
  expect((await groupsOf(scene)).open).toEqual([]);
  scene.clock.advance(minute);
  await turn("DOWN");
  const [group] = (await attentionOf(scene)).open.groups;
  expect(group).toMatchObject({
    ...{ problem: "FLAPPING", cause: "CHANGES", message: null },
    since: { earliest: isoTime(began + minute) },
    first: [{ changes: 5, healthStatus: "DOWN" }],
  });
  // A change from DOWN to DEGRADED does not count, because the status stays the same.
  await turn("DEGRADED");
  await turn("UP");
  expect((await attentionOf(scene)).open.groups[0]?.first[0]?.changes).toBe(6);
  const body = { groupId: group!.id };
  await scene.as("operator").call("attention.acknowledge", { body });
  scene.clock.advance(minute);
  await turn("DOWN");
  expect((await groupsOf(scene)).handled).toEqual([["FLAPPING", "CHANGES", 1]]);
  for (let at = 0; at < 14; at++) {
    scene.clock.advance(minute);
    await turn("DOWN");
  }
  expect(await groupsOf(scene)).toEqual({ open: [["UNHEALTHY", closed, 1]], handled: [] });
});

test.for([4, 5])(
  "%i changes from a time when the clock was ahead do not count",
  async (count, { scene }) => {
    await setClock(scene, hourMs);
    const turn = (n: number) => {
      scene.clock.advance(1000);
      return scene.report([service("log-collector", n % 2 === 0 ? "DOWN" : "UP", closed)]);
    };
    for (let n = 0; n < count; n++) await turn(n);
    await setClock(scene, -hourMs);
    await turn(count);
    const { open } = await groupsOf(scene);
    expect(open.map(([problem]) => problem)).toEqual(count === 4 ? ["UNHEALTHY"] : []);
  },
);
