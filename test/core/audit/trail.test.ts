// No change is stored without its audit row. The rows form a chain that any change to a row breaks.

import BetterSqlite3 from "better-sqlite3";
import { describe, expect, onTestFinished } from "vitest";
import { type RouteName, routes } from "../../../src/api/index.ts";
import { countRefusedLogin, login } from "../../../src/core/access/logins.ts";
import { createFirstOwner } from "../../../src/core/access/users.ts";
import { writeAuditSums } from "../../../src/core/audit/repeated-events.ts";
import { pruneAuditEvents } from "../../../src/core/audit/retention.ts";
import { expireCommands } from "../../../src/core/commands/expire-commands.ts";
import { systemContext } from "../../../src/core/context.ts";
import { sweepSilentAgents } from "../../../src/core/fleet/agents.ts";
import { flushPresence } from "../../../src/core/memory/flush.ts";
import type { Role } from "../../../src/domain/principals.ts";
import { listAuditEvents } from "../../../src/store/audit/audit-events.ts";
import { chainHash, type NewAuditEvent } from "../../../src/store/audit/chain-hash.ts";
import { expectRefused } from "../refusals.ts";
import { collector, openScene, type Scene, test } from "../scene.ts";

type Act = () => Promise<unknown>;
type Change = (scene: Scene) => Act | Promise<Act>;

const password = "a sentence of many characters";
const someRoute = {
  name: "rotate",
  match: { type: "log.full" },
  target: { serviceCode: collector.code, action: "rotate" },
};

const someEvent = { type: "log.full", source: collector.code, id: "1" };

/** Read-only routes that are not GET because they accept a body. */
const writeNothing: RouteName[] = [
  "agent.proof",
  "bus-routes.replay",
  "bus-routes.test",
  "bus-routes.test-draft",
];

/** Makes each route's changes, by route and variant. */
const byRoute: Record<string, Change> = {
  "registration-tokens.create": (scene) => () =>
    scene.as("operator").call("registration-tokens.create", { body: {} }),
  "agent.register": async (scene) => registering(scene, "edge-2"),
  "agent.register, again": async (scene) => registering(scene, "edge-1", { replace: true }),
  "agent.register, code taken": async (scene) => {
    const register = await registering(scene, "edge-1");
    return async () => expectRefused(register(), "AGENT_CODE_TAKEN");
  },
  "agent.register, used token": async (scene) => {
    const register = await registering(scene, "edge-2");
    await register();
    return async () => expectRefused(register(), "REGISTRATION_TOKEN_USED");
  },
  "agent.check, token for another agent": async ({ as, asPrincipal }) => {
    const body = { agentCode: "edge-7" };
    const { token } = await as("operator").call("registration-tokens.create", { body });
    const anyone = asPrincipal({ kind: "anonymous" });
    const asked = { registrationToken: token, agent: { code: "edge-8" } };
    return async () =>
      expectRefused(
        anyone.call("agent.check", { body: asked }),
        "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT",
      );
  },
  "agent.heartbeat": (scene) => () =>
    scene.agent.client.call("agent.heartbeat", {
      body: { health: [{ serviceCode: collector.code, healthStatus: "DOWN" }] },
    }),
  "agent.report, new": async (scene) => () => report(scene, { code: "new-one" }),
  "agent.report, changed": async (scene) => () => report(scene, { version: "2" }),
  "agent.report, of another agent's service": async (scene) => {
    const other = await scene.registerAgent("edge-2");
    return () => scene.report([collector], other);
  },
  "agent.report, of a silent agent's service": async (scene) => {
    scene.clock.advance(90_001);
    const other = await scene.registerAgent("edge-2");
    return () => scene.report([collector], other);
  },
  "services.move": async (scene) => {
    const other = await scene.registerAgent("edge-2");
    return () => scene.move(other);
  },
  "agent.poll": async (scene) => {
    await scene.execute();
    return () => scene.poll();
  },
  "agent.poll, again": async (scene) => {
    await scene.execute();
    await scene.poll();
    return () => scene.poll({ wait: 0, held: "" });
  },
  "agent.result": async (scene) => {
    const id = await scene.execute();
    await scene.poll();
    return () => scene.result(id, { success: true, output: { generatedKey: "x" } });
  },
  "agent.result, late": async (scene) => {
    const id = await scene.execute();
    await scene.cancel(id);
    return async () => expectRefused(scene.result(id), "COMMAND_ALREADY_COMPLETED");
  },
  "auth.login": async (scene) => {
    await createFirstOwner(scene.app.core, { username: "ada", password });
    return () => login(systemContext(scene.app.core), "ada", password);
  },
  "auth.login, wrong": async ({ asPrincipal }) => {
    const body = { username: "ada", password: "wrong" };
    return async () =>
      expectRefused(
        asPrincipal({ kind: "anonymous" }).call("auth.login", { body }),
        "UNAUTHORIZED",
      );
  },
  "auth.logout": async (scene) => {
    const { client } = await signedIn(scene);
    return () => client.call("auth.logout");
  },
  "auth.password": async (scene) => {
    const { client } = await signedIn(scene);
    const body = { currentPassword: password, newPassword: "another sentence of many" };
    return () => client.call("auth.password", { body });
  },
  "registration-tokens.revoke": async ({ as }) => {
    const { id } = await as("operator").call("registration-tokens.create", { body: {} });
    return () => as("operator").call("registration-tokens.revoke", { params: { tokenId: id } });
  },
  "registration-tokens.delete": async ({ as }) => {
    const { id } = await as("operator").call("registration-tokens.create", { body: {} });
    const params = { tokenId: id };
    await as("operator").call("registration-tokens.revoke", { params });
    return () => as("operator").call("registration-tokens.delete", { params });
  },
  "users.create": (scene) => () =>
    scene.as("owner").call("users.create", { body: { username: "bob", password, role: "viewer" } }),
  "users.update": async (scene) => {
    const params = await signedIn(scene, "viewer");
    const body = { role: "operator" as const };
    return () => scene.as("owner").call("users.update", { params, body });
  },
  "users.delete": async (scene) => {
    const params = await signedIn(scene, "viewer");
    return () => scene.as("owner").call("users.delete", { params });
  },
  "users.set-password": async (scene) => {
    const params = await signedIn(scene, "viewer");
    const body = { password: "another sentence of many" };
    return () => scene.as("owner").call("users.set-password", { params, body });
  },
  "users.end-sessions": async (scene) => {
    const params = await signedIn(scene, "viewer");
    return () => scene.as("owner").call("users.end-sessions", { params });
  },
  "api-keys.revoke": async ({ as }) => {
    const { id } = await as("owner").call("api-keys.create", {
      body: { name: "ci", role: "viewer" },
    });
    return () => as("owner").call("api-keys.revoke", { params: { keyId: id } });
  },
  "api-keys.delete": async ({ as }) => {
    const { id: keyId } = await as("owner").call("api-keys.create", {
      body: { name: "ci", role: "viewer" },
    });
    await as("owner").call("api-keys.revoke", { params: { keyId } });
    return () => as("owner").call("api-keys.delete", { params: { keyId } });
  },
  "auth.end-session": async (scene) => {
    const { client } = await signedIn(scene);
    const [session] = await client.call("auth.sessions");
    return () => client.call("auth.end-session", { params: { sessionId: session!.id } });
  },
  "auth.end-other-sessions": async (scene) => {
    const { client } = await signedIn(scene);
    await login(systemContext(scene.app.core), "ada", password);
    return () => client.call("auth.end-other-sessions");
  },
  "agent.offline": (scene) => () => scene.agent.client.call("agent.offline", { body: {} }),
  "agents.delete": async ({ as, agent, clock }) => {
    clock.advance(1_000_000);
    return () => as("operator").call("agents.delete", { params: agent });
  },
  "services.delete": async ({ as, serviceId, clock }) => {
    clock.advance(1_000_000);
    return () => as("operator").call("services.delete", { params: { serviceId } });
  },
  "commands.retry": async (scene) => {
    const commandId = await scene.execute();
    await scene.cancel(commandId);
    return () => scene.as("operator").call("commands.retry", { params: { commandId } });
  },
  "bus-routes.create": (scene) => () =>
    scene.as("operator").call("bus-routes.create", { body: someRoute }),
  "bus-routes.update": async ({ as }) => {
    const { id } = await as("operator").call("bus-routes.create", { body: someRoute });
    const body = { ...someRoute, name: "another", version: 1 };
    return () => as("operator").call("bus-routes.update", { params: { routeId: id }, body });
  },
  "bus-routes.delete": async ({ as }) => {
    const { id } = await as("operator").call("bus-routes.create", { body: someRoute });
    return () => as("operator").call("bus-routes.delete", { params: { routeId: id } });
  },
  "agent.publish": async (scene) => publishing(scene),
  "agent.publish, again": async (scene) => {
    const publish = publishing(scene);
    await publish();
    return publish;
  },
  "agent.publish, another's": async (scene) => {
    const { client: thief, agentId } = await scene.registerAgent("edge-2");
    const call = { params: { agentId }, body: someEvent };
    return () => expectRefused(thief.call("agent.publish", call), "CAPSULE_SOURCE_FORBIDDEN");
  },
  "bus-events.publish": async (scene) => {
    const { as } = scene;
    const gone = { serviceCode: "gone", action: "rotate" };
    for (const change of [{}, { state: "DRY_RUN" }, { state: "ENABLED", target: gone }] as const) {
      const body = { ...someRoute, state: "ENABLED" as const, ...change };
      await as("operator").call("bus-routes.create", { body });
    }
    return () => as("operator").call("bus-events.publish", { body: someEvent });
  },
  "audit-events.export": (scene) => () => scene.as("viewer").download("audit-events.export"),
  "settings.update": (scene) => () =>
    scene.as("owner").call("settings.update", { body: { workspaceName: "Plant 7" } }),
  "maintenance.run": (scene) => () => scene.as("operator").call("maintenance.run"),
  "agents.disable": (scene) => () =>
    scene.as("operator").call("agents.disable", { params: scene.agent }),
  "agents.enable": async ({ as, agent }) => {
    await as("operator").call("agents.disable", { params: agent });
    return () => as("operator").call("agents.enable", { params: agent });
  },
  "agents.revoke-token": (scene) => () =>
    scene.as("operator").call("agents.revoke-token", { params: scene.agent }),
  "actions.prepare": async (scene) => {
    const params = { serviceId: scene.serviceId, actionName: "form" };
    const answerOne = async () => {
      const [id] = await scene.poll({ wait: 20 });
      if (id) await scene.result(id);
    };
    return async () => {
      const answering = answerOne();
      try {
        await scene.as("operator").call("actions.prepare", { params });
      } finally {
        // This ends the poll above if it is still waiting.
        await scene.poll();
        await answering;
      }
    };
  },
  "actions.execute": async (scene) => () => scene.execute(),
  "commands.cancel": async (scene) => {
    const id = await scene.execute();
    return () => scene.cancel(id);
  },
  "api-keys.create": (scene) => () =>
    scene.as("owner").call("api-keys.create", { body: { name: "ci", role: "viewer" } }),
  "backup.create": (scene) => async () => {
    const { chunks } = await scene.as("owner").download("backup.create");
    for await (const _chunk of chunks);
  },
  "any route, denied": ({ as, agent }) => {
    const disable = () => as("viewer").call("agents.disable", { params: agent });
    return () => expectRefused(disable(), "FORBIDDEN");
  },
};

const byItself: Record<string, Change> = {
  "expired commands": async (scene) => {
    await scene.execute();
    scene.clock.advance(300_000);
    return () => expireCommands(scene.app.core);
  },
  "silent agents": async (scene) => {
    scene.clock.advance(90_001);
    return () => sweepSilentAgents(scene.app.core);
  },
  "an agent that is back": async (scene) => {
    scene.clock.advance(90_001);
    await sweepSilentAgents(scene.app.core);
    await scene.agent.client.call("agent.heartbeat", { body: {} });
    return () => flushPresence(scene.app.core);
  },
  "what was repeated too often to have a row each": async ({ app }) => {
    countRefusedLogin(app.core);
    return () => writeAuditSums(app.core, true);
  },
  "pruned audit events": async ({ app, clock, as }) => {
    clock.advance(1000);
    const before = clock.now();
    await as("operator").call("registration-tokens.create", { body: {} });
    return () => pruneAuditEvents(app.core, before);
  },
  "the first owner":
    async ({ app }) =>
    () =>
      createFirstOwner(app.core, { password }),
  "the service's start": (scene) => () => scene.app.noteStarted(["0001"]),
};

/** Returns the session's client, and the session's id as a parameter. */
async function signedIn(scene: Scene, role: Role = "owner") {
  const { core } = scene.app;
  const body = { username: "ada", password, role };
  const { id: userId } = await scene.as("owner").call("users.create", { body });
  await login(systemContext(core), "ada", password);
  const row = await core.db.read.get<{ id: string }>("SELECT id FROM sessions");
  const user = { kind: "user", userId, username: "ada", role, sessionId: row!.id } as const;
  return { client: scene.asPrincipal(user), userId };
}

function publishing({ agent }: Scene) {
  const { agentId, client } = agent;
  return () => client.call("agent.publish", { params: { agentId }, body: someEvent });
}

async function registering({ as, asPrincipal }: Scene, code: string, invitation = {}) {
  const { token } = await as("operator").call("registration-tokens.create", { body: invitation });
  const body = { registrationToken: token, agent: { code, mode: "sidecar" } };
  return () => asPrincipal({ kind: "anonymous" }).call("agent.register", { body });
}

function report({ agent }: Scene, change: object) {
  const services = [{ ...collector, ...change }] as never;
  return agent.client.call("agent.report", { body: { services } });
}

test("every changing route is covered", () => {
  const changing = Object.entries(routes).filter(([, { method }]) => method !== "GET");
  const names = [
    ...changing.map(([name]) => name).filter((name) => !writeNothing.includes(name as RouteName)),
    "agent.poll",
    "actions.prepare",
    "audit-events.export",
  ];
  const covered = new Set(Object.keys(byRoute).map((title) => title.split(",")[0]));
  expect(names.filter((name) => !covered.has(name as RouteName))).toEqual([]);
});

/** The rows that each change writes, in order. */
const leaves: Record<string, string[]> = {
  "registration-tokens.create": ["registration_token.created"],
  "registration-tokens.revoke": ["registration_token.revoked"],
  "registration-tokens.delete": ["registration_token.deleted"],
  "agent.register": ["registration_token.consumed", "agent.registered"],
  "agent.register, again": ["registration_token.consumed", "agent.token.rotated"],
  "agent.register, code taken": ["registration_token.rejected DENIED"],
  "agent.register, used token": ["registration_token.rejected DENIED"],
  "agent.check, token for another agent": ["registration_token.rejected DENIED"],
  "agent.heartbeat": ["service.health.changed"],
  "agent.report, new": ["service.reported"],
  "agent.report, changed": ["service.version.changed"],
  "agent.report, of another agent's service": ["service.claim.refused DENIED"],
  "agent.report, of a silent agent's service": ["service.moved"],
  "services.move": ["service.moved"],
  "agent.poll": ["command.dispatched"],
  "agent.poll, again": ["command.redelivered"],
  "agent.result": ["command.completed"],
  "agent.result, late": ["command.result.late"],
  "auth.login": ["session.login.succeeded"],
  "auth.login, wrong": ["session.login.failed DENIED"],
  "auth.logout": ["session.logout"],
  "auth.password": ["user.password.changed"],
  "users.create": ["user.created"],
  "users.update": ["user.updated"],
  "users.delete": ["user.deleted"],
  "users.set-password": ["user.password.changed"],
  "users.end-sessions": ["user.sessions.revoked"],
  "api-keys.create": ["api_key.created"],
  "api-keys.revoke": ["api_key.revoked"],
  "api-keys.delete": ["api_key.deleted"],
  "auth.end-session": ["user.sessions.revoked"],
  "auth.end-other-sessions": ["user.sessions.revoked"],
  "agent.offline": ["agent.stopped"],
  "agents.delete": ["service.deleted", "agent.deleted"],
  "services.delete": ["service.deleted"],
  "agents.disable": ["agent.disabled"],
  "agents.enable": ["agent.enabled"],
  "agents.revoke-token": ["agent.token.revoked"],
  "actions.prepare": ["action.prepare.requested", "command.dispatched", "command.completed"],
  "actions.execute": ["command.created"],
  "commands.cancel": ["command.cancelled"],
  "commands.retry": ["command.created", "command.retried"],
  "bus-routes.create": ["bus.route.created"],
  "bus-routes.update": ["bus.route.updated"],
  "bus-routes.delete": ["bus.route.deleted"],
  "agent.publish": ["bus.event.received"],
  "agent.publish, again": ["bus.event.duplicate"],
  "agent.publish, another's": ["bus.event.rejected DENIED"],
  "bus-events.publish": [
    "bus.event.received",
    "command.created",
    "bus.route.matched",
    "bus.route.dry_run",
    "bus.route.failed FAILURE",
  ],
  "audit-events.export": ["audit.exported"],
  "settings.update": ["settings.updated"],
  "maintenance.run": ["maintenance.run"],
  "backup.create": ["backup.created"],
  "any route, denied": ["access.denied DENIED"],
  "expired commands": ["command.expired FAILURE"],
  "silent agents": ["agent.offline"],
  "an agent that is back": ["agent.online"],
  "what was repeated too often to have a row each": ["session.login.failed DENIED"],
  "pruned audit events": ["audit.pruned"],
  "the first owner": ["user.created"],
  "the service's start": ["system.migrated", "system.started"],
};

describe("without its audit row, nothing changes", () => {
  test.each(Object.entries({ ...byRoute, ...byItself }))("%s", async (title, prepare) => {
    const scene = await openScene({ CAPSULE_BUS_ENABLED: "true" });
    const change = await prepare(scene);
    if (title !== "an agent that is back") await flushPresence(scene.app.core);
    const look = watchTables(scene);
    const before = look();
    await forbidAudit(scene);
    await expect(change()).rejects.toMatchObject({});
    expect(look()).toEqual(before);
    await allowAudit(scene);
    const already = (await trail(scene)).at(-1)?.seq ?? 0;
    await change();
    expect(look()).not.toEqual(before);
    const rows = (await trail(scene)).filter(({ seq }) => seq > already).map(rowOf);
    expect(rows).toEqual(leaves[title]);
  });
});

/** Returns the action, and the result unless it is SUCCESS. */
function rowOf({ action, result }: { action: string; result: string }): string {
  return result === "SUCCESS" ? action : `${action} ${result}`;
}

function forbidAudit({ database }: Scene): Promise<number> {
  return database.write((tx) =>
    tx.run(
      "CREATE TRIGGER no_audit BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'no audit'); END",
    ),
  );
}

function allowAudit({ database }: Scene): Promise<number> {
  return database.write((tx) => tx.run("DROP TRIGGER no_audit"));
}

/** Returns everything that is stored except counters, which are only numbers. */
function watchTables({ file }: Scene): () => Record<string, unknown[]> {
  const other = new BetterSqlite3(file, { readonly: true });
  onTestFinished(() => void other.close());
  const tables = other
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'counters'")
    .pluck()
    .all() as string[];
  // The retention clock advances even if nothing changes.
  const where = (name: string) => (name === "settings" ? "WHERE key <> 'retentionClock'" : "");
  const rowsOf = (name: string) => other.prepare(`SELECT * FROM ${name} ${where(name)}`).all();
  return () => Object.fromEntries(tables.map((name) => [name, rowsOf(name)]));
}

test("rows have no gaps, and their hashes form a chain", async ({ scene }) => {
  const id = await scene.execute({ reason: "because \u{1f600} \ud800 half" });
  await scene.poll();
  await scene.result(id, { success: false, message: "half a pair: \udc00" });
  const events = await trail(scene);
  expect(events.length).toBeGreaterThan(5);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(firstThatDoesNotFit(scene, events)).toBeNull();

  // Each changed value and each missing or swapped row is found at its place.
  const third = events[2]!;
  for (const [field, value] of Object.entries(third)) {
    if (field === "hash" || field === "seq") continue;
    const changed = { ...third, [field]: value === null ? "x" : null };
    expect(firstThatDoesNotFit(scene, events.with(2, changed))).toBe(3);
  }
  expect(firstThatDoesNotFit(scene, events.toSpliced(2, 1))).toBe(4);
  const swapped = events.with(2, { ...events[3]!, seq: 3 }).with(3, { ...third, seq: 4 });
  expect(firstThatDoesNotFit(scene, swapped)).toBe(3);
});

async function trail({ database }: Scene) {
  const { items } = await listAuditEvents(database.read, { page: 1, pageSize: 1000 });
  return items.reverse();
}

function firstThatDoesNotFit({ app }: Scene, events: Awaited<ReturnType<typeof trail>>) {
  let before = "0".repeat(64);
  for (const { seq, hash, ...event } of events) {
    if (chainHash(app.core.auditKey, before, seq, event as NewAuditEvent) !== hash) return seq;
    before = hash;
  }
  return null;
}

test.for([
  "UPDATE audit_events SET message = 'x' WHERE seq = 1",
  "UPDATE audit_events SET hash = 'x'",
  "DELETE FROM audit_events WHERE seq = 1",
  "DELETE FROM audit_events",
])("the table refuses: %s", async (sql, { scene }) => {
  const other = new BetterSqlite3(scene.file);
  const before = await trail(scene);
  expect(() => other.exec(sql)).toThrow(/audit events are/);
  other.close();
  expect(await trail(scene)).toEqual(before);
});

test("rows before a checkpoint can be deleted", async ({ scene }) => {
  const { length } = await trail(scene);
  const other = new BetterSqlite3(scene.file);
  other.exec("INSERT INTO audit_checkpoints (seq, hash, at, signature) VALUES (2, 'x', 0, 'x')");
  expect(other.prepare("DELETE FROM audit_events WHERE seq <= 2").run().changes).toBe(2);
  expect(() => other.exec("DELETE FROM audit_events WHERE seq = 3")).toThrow(/below a checkpoint/);
  other.close();
  expect(await trail(scene)).toHaveLength(length - 2);
});

test("rows contain the name and origin of each kind of caller", async ({ scene }) => {
  const { as, asPrincipal, agent } = scene;
  const disable = { params: agent };
  await asPrincipal({ kind: "local", osUser: "ada" }).call("agents.disable", disable);
  await as("operator").call("agents.enable", disable);
  const user = { kind: "user", userId: "usr_1", username: "bob", role: "operator" } as const;
  await asPrincipal({ ...user, sessionId: "ses_1" }).call("agents.disable", disable);
  const [byUser, byKey, byLocal, byAgent] = (await trail(scene)).reverse();
  const from = { ip: "127.0.0.1", userAgent: "test", requestId: "req_test" };
  expect(byUser).toMatchObject({ ...from, actorType: "USER", actorId: "usr_1", actorName: "bob" });
  expect(byKey).toMatchObject({ ...from, actorType: "API_KEY", actorId: "key_operator" });
  expect(byLocal).toMatchObject({ ...from, actorType: "LOCAL", actorId: null, actorName: "ada" });
  expect(byAgent).toMatchObject({ ...from, actorType: "AGENT", actorName: "edge-1" });
});
