// Runs every statement of src/store there is, by the use cases that use it, and catches each on its
// way into SQLite. A new statement is run here by what it is for.

import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { sweepSilentAgents } from "../../src/core/agents.ts";
import { presentCaller } from "../../src/core/caller.ts";
import { expireCommands } from "../../src/core/commands.ts";
import { systemContext } from "../../src/core/context.ts";
import { expireTokens } from "../../src/core/registration-tokens.ts";
import {
  authenticateSession,
  dropExpiredSessions,
  login,
  logout,
  whoAmI,
} from "../../src/core/sessions.ts";
import { slideSession } from "../../src/store/sessions.ts";
import { collector, openScene, type Scene } from "../core/scene.ts";

const recorded = new Set<string>();
const { prototype } = BetterSqlite3 as unknown as { prototype: BetterSqlite3.Database };
const { prepare } = prototype;
prototype.prepare = function (this: BetterSqlite3.Database, sql: string) {
  recorded.add(flat(sql));
  return prepare.call(this, sql);
} as typeof prepare;

let running: Promise<void> | null = null;

/** The statements, each in one line. They run the first time that somebody asks. */
export async function everyStatement(): Promise<string[]> {
  running ??= runAll();
  await running;
  return [...recorded].filter((sql) => /^(SELECT|INSERT|UPDATE|DELETE)\b/.test(sql));
}

/** SQL without its line breaks. */
export function flat(sql: string): string {
  return sql.replace(/\s+/g, " ").trim();
}

async function runAll(): Promise<void> {
  const scene = await openScene();
  await runAgents(scene);
  await runCommands(scene);
  await runPeople(scene);
  await runLists(scene);
  await runJobs(scene);
}

async function runAgents(scene: Scene): Promise<void> {
  const { agent, as, asPrincipal, registerAgent } = scene;
  const { token } = await as("operator").call("registration-tokens.create", { body: {} });
  await asPrincipal({ kind: "anonymous" }).call("agent.register", {
    body: {
      registrationToken: token,
      agent: { code: "edge-2", mode: "sidecar", labels: { region: "eu" } },
    },
  });
  const params = { agentId: agent.agentId };
  await agent.client.call("agent.heartbeat", {
    body: { health: [{ serviceCode: collector.code, healthStatus: "DOWN" }] },
  });
  await agent.client.call("agent.report", { body: { services: [collector] as never } });
  await agent.client.call("agent.report", { body: { services: [collector] as never } });
  await registerAgent("edge-1", [{ ...collector, version: "2" }]);
  for (const change of ["disable", "enable", "revoke-token"] as const) {
    await as("operator").call(`agents.${change}`, { params });
  }
  scene.agent = await registerAgent("edge-1");
}

async function runCommands(scene: Scene): Promise<void> {
  const { as, execute, poll, result, cancel, serviceId, agent } = scene;
  const params = { serviceId, actionName: "form" };
  const preparing = as("operator").call("actions.prepare", { params });
  const [prepare = ""] = await poll({ wait: 5 }, agent);
  await result(prepare, { success: true }, agent);
  await preparing;
  const done = await execute();
  await cancel(await execute());
  await poll({ wait: 0 }, agent);
  await poll({ wait: 0, held: "" }, agent);
  await result(done, { success: true }, agent);
  await result(done, { success: false }, agent).catch(() => undefined);
}

async function runPeople({ app, as }: Scene): Promise<void> {
  const { core } = app;
  const owner = await app.welcomeOwner();
  const ctx = systemContext(core);
  const { cookie } = await login(ctx, owner!.username, owner!.password);
  const principal = await authenticateSession(core, cookie);
  await core.db.write((tx) => slideSession(tx, principal.sessionId, 0));
  const user = { ...ctx, principal };
  await whoAmI(user);
  await logout(user);
  const { key } = await as("owner").call("api-keys.create", {
    body: { name: "k", role: "viewer" },
  });
  await core.credentials.apiKey(key);
  await as("viewer").call("system.health");
}

async function runJobs({ app, clock, execute, file: database }: Scene): Promise<void> {
  const { core } = app;
  const held = core.doorbell.register("agent:none", presentCaller);
  new BetterSqlite3(database).exec("INSERT INTO settings VALUES ('theirs', '1', 0)");
  await nextTurn();
  core.db.checkForeignChange();
  await execute();
  held.close();
  clock.advance(10 * 60_000);
  await expireCommands(core);
  await sweepSilentAgents(core);
  await expireTokens(core);
  await dropExpiredSessions(core);
}

const at = "2026-01-02T03:04:05.678Z";

/** Each filter alone, each value that makes a difference to the statement, and ranges. */
const filters = {
  "agents.list": [{ status: "ONLINE" }, { mode: "x" }, { label: "a:b" }, { q: "x" }],
  "services.list": [{ status: "STALE" }, { healthStatus: "UP" }, { agentId: "x" }, { q: "x" }],
  "commands.list": [
    { status: "FAILED" },
    { type: "ACTION_PREPARE" },
    { action: "x" },
    { agentId: "x" },
    { serviceId: "x" },
    { from: at },
    { to: at },
    { from: at, to: at },
    { agentId: "x", status: "FAILED" },
    { agentId: "x", from: at, to: at },
  ],
  "audit-events.list": [
    { action: "x" },
    { action: "x*" },
    { actorType: "AGENT" },
    { actorType: "USER" },
    { actorId: "x" },
    { targetType: "command" },
    { targetType: "agent" },
    { targetId: "x" },
    { result: "SUCCESS" },
    { result: "DENIED" },
    { from: at },
    { to: at },
    { from: at, to: at },
    { targetId: "x", action: "x*" },
  ],
} as const;

async function runLists({ as, serviceId, agent }: Scene): Promise<void> {
  const viewer = as("viewer");
  for (const [name, queries] of Object.entries(filters)) {
    for (const query of [{}, ...queries]) {
      await viewer.page(name as keyof typeof filters, { query: query as never });
    }
  }
  await viewer.call("agents.get", { params: { agentId: agent.agentId } });
  await viewer.call("services.get", { params: { serviceId } });
  await as("owner").call("metrics.get");
}
