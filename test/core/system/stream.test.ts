// The live stream sends every audit row in order, and the state of the row's target.

import { describe, expect, vi } from "vitest";
import { authenticateSession, logout } from "../../../src/core/access/sessions.ts";
import { audit } from "../../../src/core/audit/trail.ts";
import { presentCaller } from "../../../src/core/caller.ts";
import { type Core, systemContext } from "../../../src/core/context.ts";
import { sweepSilentAgents } from "../../../src/core/fleet/status-sweep.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { openStream } from "../../../src/core/system/stream.ts";
import type { Principal, UserPrincipal } from "../../../src/domain/access/principals.ts";
import { streamLimits } from "../../../src/domain/limits.ts";
import { type StreamType, streamTypes } from "../../../src/domain/stream.ts";
import { auditHead } from "../../../src/store/audit/audit-events.ts";
import { openTestApp } from "../../helpers/app.ts";
import { restOf, watch } from "../../helpers/process/watcher.ts";
import { addUser, anotherProcess, signIn } from "../access/people.ts";
import { logged, tamper } from "../audit/long-trail.ts";
import { test as base, collector, openScene, type Scene } from "../scene.ts";

/** In milliseconds: longer than the interval at which a stream checks its credential. */
const recheckMs = 2000;

/** Stops the timers, so that messages are only sent when the doorbell rings. */
function withoutTime(core: Core): void {
  vi.spyOn(core, "monotonic").mockReturnValue(-1e9);
}

async function openLive() {
  const scene = await openScene();
  const watcher = await watch(scene.app.core);
  withoutTime(scene.app.core);
  return { ...scene, watcher };
}

const test = base.extend("live", () => openLive());

async function newestEvents({ trail }: Scene, pageSize: number) {
  return (await trail({ pageSize })).reverse();
}

describe("messages", () => {
  test("contain new audit events, in order, as in the list", async ({ scene }) => {
    const [last] = await newestEvents(scene, 1);
    const watcher = await watch(scene.app.core);
    const id = await scene.execute({ reason: "because" });
    await scene.poll();
    await scene.result(id);
    await scene.change("disable");
    await watcher.until("audit", ({ action }) => action === "agent.disabled");
    const told = watcher.of("audit");
    expect(told.map(({ action }) => action)).toEqual([
      "command.created",
      "command.dispatched",
      "command.completed",
      "agent.disabled",
    ]);
    expect(told[0]?.seq).toBe(last!.seq + 1);
    expect(told).toEqual(await newestEvents(scene, 4));
    expect(watcher.messages.find(({ type }) => type === "audit")?.at).toBe(told[0]?.at);
  });

  test("contain a command at each step, in the same form as in the list", async () => {
    const { watcher, execute, poll, result, as, clock } = await openLive();
    const first = await execute();
    await watcher.until("command", ({ id, status }) => id === first && status === "PENDING");
    await poll();
    await watcher.until("command", ({ id, status }) => id === first && status === "RUNNING");
    clock.advance(1500);
    await result(first);
    const done = await watcher.until("command", ({ status }) => status === "SUCCEEDED");
    expect(done).toMatchObject({ id: first, durationMs: 1500 });
    const { data } = await as("viewer").page("commands.list");
    expect(done).toEqual(data[0]);
    const last = watcher.messages.at(-1);
    expect(last).toMatchObject({ type: "command", at: new Date(clock.now()).toISOString() });
  });

  test("contain an agent and its services after each action", async ({ live: scene }) => {
    const { watcher, as, agent, serviceId } = scene;
    const steps = [
      { call: "agents.disable", status: "DISABLED", service: "OFFLINE" },
      { call: "agents.enable", status: "ONLINE", service: "HEALTHY" },
      { call: "agents.revoke-token", status: "OFFLINE", service: "OFFLINE" },
    ] as const;
    for (const { call, status, service } of steps) {
      watcher.messages.length = 0;
      await as("operator").call(call, { params: agent });
      const told = await watcher.until("service", ({ id }) => id === serviceId);
      expect(told.status, call).toBe(service);
      expect(watcher.of("agent")).toMatchObject([{ id: agent.agentId, status }]);
    }
    watcher.messages.length = 0;
    await scene.registerAgent("edge-1", [collector]);
    await watcher.until("service", ({ status }) => status === "HEALTHY");
    const { data: agents } = await as("viewer").page("agents.list");
    // Only lists count services.
    expect({ ...watcher.of("agent").at(-1), serviceCount: 1 }).toEqual(agents[0]);
    const { data: services } = await as("viewer").page("services.list");
    expect(watcher.of("service").at(-1)).toEqual(services[0]);
  });

  test("contain an agent that falls silent and returns", async () => {
    const { watcher, app, clock, agent, report } = await openLive();
    clock.advance(125_000);
    await sweepSilentAgents(app.core);
    await watcher.until("agent", ({ status }) => status === "OFFLINE");
    await watcher.until("service", ({ storedStatus }) => storedStatus === "STALE");
    watcher.messages.length = 0;
    await agent.client.call("agent.heartbeat", { body: {} });
    await flushPresence(app.core);
    await watcher.until("agent", ({ status }) => status === "ONLINE");
    await watcher.until("service", ({ status }) => status === "STALE");
    await report([collector]);
    await watcher.until("service", ({ status }) => status === "HEALTHY");
  });

  test("contain a service that is no longer reported", async () => {
    const { watcher, app, clock, agent } = await openLive();
    for (let turn = 0; turn < 3; turn++) {
      clock.advance(45_000);
      await agent.client.call("agent.heartbeat", { body: {} });
    }
    await sweepSilentAgents(app.core);
    await watcher.until("service", ({ status }) => status === "STALE");
    expect(watcher.of("audit")).toEqual([]);
  });

  test("contain only the audit event of a service that is deleted", async ({ live: scene }) => {
    const { watcher, as, agent, serviceId } = scene;
    await as("operator").call("agents.revoke-token", { params: agent });
    await watcher.until("service", ({ status }) => status === "OFFLINE");
    watcher.messages.length = 0;
    const errors = logged(scene, "error");
    await as("operator").call("services.delete", { params: { serviceId } });
    await watcher.until("audit", ({ action }) => action === "service.deleted");
    await as("operator").call("registration-tokens.create", { body: {} });
    await watcher.until("audit", ({ action }) => action === "registration_token.created");
    expect(watcher.messages.map(({ type }) => type)).toEqual(["audit", "audit"]);
    expect(errors).toEqual([]);
  });

  test("show a service's status with calls that are not stored yet", async () => {
    const { watcher, clock, report } = await openLive();
    clock.advance(100_000);
    await report([{ ...collector, healthStatus: "DOWN" }]);
    const told = await watcher.until("service", ({ healthStatus }) => healthStatus === "DOWN");
    expect(told.status).toBe("UNHEALTHY");
  });

  test("contain what reports and heartbeats change, also without an audit row", async () => {
    const { watcher, agent, report, serviceId } = await openLive();
    await report([{ ...collector, version: "2" }]);
    const told = await watcher.until("service", ({ version }) => version === "2");
    expect(told.id).toBe(serviceId);
    await report([{ ...collector, version: "2", name: "Logs" }]);
    await watcher.until("service", ({ name }) => name === "Logs");
    const beat = (message: string) =>
      agent.client.call("agent.heartbeat", {
        body: { health: [{ serviceCode: collector.code, healthStatus: "DOWN", message }] },
      });
    await beat("one");
    await watcher.until("service", ({ status }) => status === "UNHEALTHY");
    await beat("two");
    await watcher.until("service", ({ healthMessage }) => healthMessage === "two");
    expect(watcher.of("audit").map(({ action }) => action)).toEqual([
      "service.version.changed",
      "service.updated",
      "service.health.changed",
    ]);
  });

  test("are not sent for unchanged reports or plain heartbeats", async () => {
    const { watcher, agent, report, execute, app } = await openLive();
    await report([collector]);
    await report([collector]);
    await agent.client.call("agent.heartbeat", { body: {} });
    await flushPresence(app.core);
    await execute();
    await watcher.until("command", () => true);
    expect(watcher.messages.map(({ type }) => type)).toEqual(["audit", "command"]);
  });

  test("combine several changes that happen together", async ({ live: { watcher, report } }) => {
    const actions = [{ name: "other" }];
    const configs = [{ key: "k", type: "string" }];
    await report([{ ...collector, version: "2", healthStatus: "DOWN", actions, configs }]);
    await watcher.until("service", () => true);
    expect(watcher.of("audit").map(({ action }) => action)).toEqual([
      "service.version.changed",
      "service.config.changed",
      "service.actions.changed",
      "service.health.changed",
    ]);
    expect(watcher.of("service")).toMatchObject([{ version: "2", status: "UNHEALTHY" }]);
  });

  test("contain more changes than one batch, in order", async ({ live: scene }) => {
    const ids = await scene.executeMany(220);
    await vi.waitFor(() => expect(scene.watcher.of("command")).toHaveLength(220), 60_000);
    const told = scene.watcher.of("audit");
    expect(told.map(({ targetId }) => targetId)).toEqual(ids);
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => told[0]!.seq + index));
  });

  test("contain changes by another process", async ({ live: scene }) => {
    const { watcher, agent } = scene;
    const other = anotherProcess(scene);
    await other.call("agents.disable", { params: agent });
    await watcher.until("agent", ({ status }) => status === "DISABLED");
    await watcher.until("service", ({ status }) => status === "OFFLINE");
    expect(watcher.of("audit")).toMatchObject([{ action: "agent.disabled", actorType: "LOCAL" }]);
  });
});

describe("the live stream", () => {
  test("sends only the types that are requested", async () => {
    const scene = await openScene();
    const { core } = scene.app;
    const all = await watch(core);
    const single = new Map<StreamType, Awaited<ReturnType<typeof watch>>>();
    for (const type of streamTypes) single.set(type, await watch(core, { types: [type] }));
    await scene.execute();
    await scene.change("disable");
    await all.until("service", ({ status }) => status === "OFFLINE");
    // Commands are sent last.
    await all.until("command", () => true);
    for (const [type, { messages }] of single) {
      expect(messages.length).toBeGreaterThan(0);
      expect(messages).toEqual(all.messages.filter((message) => message.type === type));
    }
  });

  test("does not read types that no recipient requested", async () => {
    const { app, execute, registerAgent, as } = await openScene();
    const { core } = app;
    const watcher = await watch(core, { types: ["audit"] });
    const asked = vi.spyOn(core.db.read, "get");
    // The lookup of a registration token does not count, although it also names the agent.
    const lookUps = () =>
      asked.mock.calls.filter(
        ([sql]) =>
          / FROM (commands|agents a|.* s .*) WHERE /.test(sql) &&
          !sql.includes(" FROM registration_tokens "),
      );
    await registerAgent("edge-2", [{ ...collector, code: "second" }]);
    core.presence.agents.add("nobody", 0);
    for (const name of ["one", "two"]) {
      await as("operator").call("registration-tokens.create", { body: { name } });
      await watcher.until("audit", ({ metadata }) => metadata.name === name);
    }
    expect(lookUps()).toEqual([]);
    expect(core.presence.dirty).toBe(true);

    const other = await watch(core, { types: ["command"] });
    const id = await execute();
    await other.until("command", () => true);
    // The call that creates the command does not read it, because it did not exist before.
    expect(lookUps().filter(([sql]) => sql.includes("FROM commands"))).toEqual([
      [expect.any(String), id],
    ]);
  });

  test("serializes each message once for all recipients", async ({ scene }) => {
    const { feed } = scene.app.core;
    const seen: Uint8Array[][] = [[], []];
    const watchers = seen.map((messages) => ({
      principal: { kind: "system" } as const,
      types: new Set(streamTypes),
      outlet: { send: (message: Uint8Array) => messages.push(message), end: () => undefined },
    }));
    for (const watcher of watchers) feed.add(watcher);
    const watcher = await watch(scene.app.core);
    await scene.execute();
    await watcher.until("command", () => true);
    for (const each of watchers) feed.remove(each);
    const [first = [], second = []] = seen;
    expect(first).toHaveLength(2);
    expect(second.every((message, index) => message === first[index])).toBe(true);
  });

  test("reads nothing if there are no recipients", async ({ scene }) => {
    const { core } = scene.app;
    const [first, second] = [await watch(core), await watch(core)];
    withoutTime(core);
    first.leave();
    await scene.execute();
    await second.until("command", () => true);
    expect(first.messages).toEqual([]);
    second.leave();
    await restOf(core);
    const asked = vi.spyOn(core.db.read, "all");
    await scene.as("owner").call("api-keys.create", { body: { name: "j", role: "viewer" } });
    await anotherProcess(scene).call("api-keys.create", { body: { name: "k", role: "viewer" } });
    core.db.checkForeignChange();
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    const third = await watch(core);
    const id = await scene.execute();
    await third.until("command", () => true);
    expect(third.of("audit")).toMatchObject([{ action: "command.created", targetId: id }]);
  });

  test("sends a change that was being written when the first recipient arrived", async ({
    scene,
  }) => {
    const { core } = scene.app;
    const head = await auditHead(core.db.read);
    const opening = await core.db.write(async (tx) => {
      await audit(systemContext(core), tx, { action: "maintenance.run", targetId: null });
      // The stream finds its start position before the commit.
      vi.spyOn(core.db.read, "get").mockResolvedValueOnce(head);
      return { watching: watch(core) };
    });
    const watcher = await opening.watching;
    await watcher.until("audit", ({ action }) => action === "maintenance.run");
  });

  test("accepts a new recipient while the last one leaves", async ({ scene }) => {
    const { core } = scene.app;
    for (let turn = 0; turn < 4; turn++) {
      const first = await watch(core);
      first.leave();
      const second = await watch(core);
      await scene.executeMany(1);
      await second.until("command", () => true);
      second.leave();
      if (turn % 2 === 0) await restOf(core);
    }
  });

  test(`has at most ${streamLimits.maxOpen} recipients at a time`, async () => {
    const { app } = openTestApp();
    const first = await watch(app.core);
    for (let count = 1; count < streamLimits.maxOpen; count++) await watch(app.core);
    await expect(watch(app.core)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      retryAfterSeconds: 10,
    });
    first.leave();
    await watch(app.core);
  });

  test("does not accept a caller that has left, or that has no WebSocket", async () => {
    const { core } = openTestApp().app;
    const outlet = { send: () => undefined, end: () => undefined };
    await openStream({ ...systemContext(core), caller: { ...presentCaller, gone: true, outlet } });
    expect(core.feed.isWatched).toBe(false);
    const opening = openStream({ ...systemContext(core), caller: presentCaller });
    await expect(opening).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("WebSocket"),
    });
  });
});

describe("a stream ends with its credential", () => {
  interface Signed {
    scene: Scene;
    principal: UserPrincipal;
  }

  async function signedIn(): Promise<Signed> {
    const scene = await openScene();
    const { core } = scene.app;
    await addUser(scene, "ada", "owner");
    return { scene, principal: await authenticateSession(core, await signIn(scene, "ada")) };
  }

  async function withKey(
    expiresInSeconds?: number,
  ): Promise<{ scene: Scene; principal: Principal }> {
    const scene = await openScene();
    const body = { name: "k", role: "viewer", expiresInSeconds } as const;
    const { key } = await scene.as("owner").call("api-keys.create", { body });
    return { scene, principal: await scene.app.core.credentials.apiKey(key) };
  }

  /** Writes to the database without adding an audit row. */
  function byHand({ app, elsewhere }: Scene, sql: string): Promise<void> {
    withoutTime(app.core);
    return elsewhere(sql);
  }

  const ways: [string, (signed: Signed) => unknown][] = [
    [
      "signing out",
      ({ scene, principal }) => logout({ ...systemContext(scene.app.core), principal }),
    ],
    ["expiry", ({ scene }) => scene.clock.advance(8 * 3_600_000)],
    [
      "a clock jump",
      ({ scene: { clock } }) => {
        clock.jump(8 * 3_600_000);
        clock.advance(recheckMs);
      },
    ],
    ["deletion of the session", ({ scene }) => byHand(scene, "DELETE FROM sessions")],
    ["a disabled user", ({ scene }) => byHand(scene, "UPDATE users SET status = 'DISABLED'")],
  ];

  test.each(ways)("of a session, by %s", async (_way, end) => {
    const { scene, principal } = await signedIn();
    const { core } = scene.app;
    const [other, watcher] = [await watch(core), await watch(core, { principal })];
    await scene.execute();
    await watcher.until("command", () => true);
    await end({ scene, principal });
    await vi.waitFor(() => expect(watcher.ended()).toBe("sessionEnded"), 60_000);
    const told = watcher.messages.length;
    await scene.execute({}, { queue: true });
    await other.until("command", ({ id }) => id !== other.of("command")[0]?.id);
    expect(watcher.messages).toHaveLength(told);
    expect(other.ended()).toBeNull();
  });

  test.each<[string, number | undefined, (scene: Scene) => unknown]>([
    ["expiry", 60, ({ clock }) => clock.advance(60_000)],
    ["revocation", undefined, (scene) => byHand(scene, "UPDATE api_keys SET revoked_at = 1")],
  ])("of an API key, by %s", async (_way, seconds, end) => {
    const { scene, principal } = await withKey(seconds);
    const watcher = await watch(scene.app.core, { principal });
    end(scene);
    await vi.waitFor(() => expect(watcher.ended()).toBe("apiKeyEnded"), 60_000);
    await restOf(scene.app.core);
  });

  test("ends immediately when the change is audited, before later messages", async () => {
    const { scene, principal } = await signedIn();
    const { core } = scene.app;
    const [other, watcher] = [await watch(core), await watch(core, { principal })];
    withoutTime(core);
    const ctx = { ...systemContext(core), principal };
    await Promise.all([logout(ctx), scene.execute()]);
    await other.until("audit", ({ action }) => action === "command.created");
    expect(watcher.ended()).toBe("sessionEnded");
    expect(watcher.messages).toEqual([]);
  });

  test("is checked at intervals, not for every event", async () => {
    const { scene, principal } = await signedIn();
    const { core } = scene.app;
    const watcher = await watch(core, { principal });
    const asked = vi.spyOn(core.db.read, "get");
    const looks = () =>
      asked.mock.calls.filter(([sql]) => / FROM sessions s .* s\.id = /s.test(sql));
    vi.spyOn(core, "monotonic").mockReturnValue(core.monotonic() + 1000);
    for (let turn = 0; turn < 5; turn++) {
      const id = await scene.execute();
      await watcher.until("command", (command) => command.id === id);
    }
    expect(looks()).toHaveLength(1);
  });

  test("does not keep a session alive", async () => {
    const { scene, principal } = await signedIn();
    const { core } = scene.app;
    const sessions = () => core.db.read.all("SELECT * FROM sessions");
    const before = await sessions();
    const watcher = await watch(core, { principal });
    for (let hour = 1; hour < 8; hour++) {
      scene.clock.advance(3_600_000);
      const name = `hour ${hour}`;
      await scene.as("owner").call("api-keys.create", { body: { name, role: "viewer" } });
      await watcher.until("audit", ({ metadata }) => metadata.name === name);
    }
    expect(await sessions()).toEqual(before);
    expect(watcher.ended()).toBeNull();
  });
});

describe("failures", () => {
  test("failed reads are retried, and no message is lost", async ({ live: scene }) => {
    const { core } = scene.app;
    const errors: unknown[] = [];
    core.log = { ...core.log, error: (fields) => errors.push(fields) };
    const { all } = core.db.read;
    const reading = vi.spyOn(core.db.read, "all").mockImplementation(async (sql, ...params) => {
      if (/ FROM audit_events /.test(sql)) throw new Error("no disk");
      return all(sql, ...params) as never;
    });
    const ids = await Promise.all([scene.execute(), scene.execute()]);
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), 60_000);
    reading.mockRestore();
    await scene.execute();
    await scene.watcher.until("audit", ({ targetId }) => targetId === ids[1]);
    const seqs = scene.watcher.of("audit").map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index));
  });

  test("a lost row ends all streams, even if another row has replaced it", async ({
    live: scene,
  }) => {
    const { core } = scene.app;
    await scene.execute();
    const { seq } = await scene.watcher.until("audit", () => true);
    await tamper(scene, `DELETE FROM audit_events WHERE seq >= ${seq}`);
    await scene.execute();
    await vi.waitFor(() => expect(scene.watcher.ended()).toBe("rowsLost"), 60_000);
    expect(scene.watcher.of("audit")).toHaveLength(1);
    const again = await watch(core);
    const id = await scene.execute();
    const told = await again.until("audit", ({ targetId }) => targetId === id);
    expect(told.seq).toBe(seq + 1);
  });

  test("a state that could not be read is sent later", async ({ live: scene }) => {
    const { core } = scene.app;
    const { get } = core.db.read;
    let refused = 0;
    vi.spyOn(core.db.read, "get").mockImplementation(async (sql, ...params) => {
      if (/ FROM commands WHERE id = /.test(sql) && refused++ === 0) throw new Error("no disk");
      return get(sql, ...params);
    });
    const id = await scene.execute();
    await vi.waitFor(() => expect(refused).toBe(1), 60_000);
    await scene.as("owner").call("api-keys.create", { body: { name: "k", role: "viewer" } });
    await scene.watcher.until("command", (command) => command.id === id);
  });

  test("a stream that cannot start leaves nothing behind", async () => {
    const { core } = openTestApp().app;
    const reading = vi.spyOn(core.db.read, "get").mockRejectedValueOnce(new Error("no disk"));
    await expect(watch(core)).rejects.toThrow("no disk");
    reading.mockRestore();
    await restOf(core);
    expect(core.feed.isWatched).toBe(false);
    await watch(core);
  });

  test("a stopping service ends all streams and refuses new ones", async () => {
    const { app } = openTestApp();
    const watcher = await watch(app.core);
    app.core.doorbell.close();
    await vi.waitFor(() => expect(watcher.ended()).toBe("stopping"), 60_000);
    const late = await watch(app.core);
    await vi.waitFor(() => expect(late.ended()).toBe("stopping"), 60_000);
  });
});
