// Runs every statement of src/store through its use case, and records it on its way to SQLite. For
// a new statement, add its use case here.

import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { type NounName, nouns } from "../../src/api/contract/nouns.ts";
import { pruneCredentials } from "../../src/core/access/credential-retention.ts";
import { LoginFailures } from "../../src/core/access/login-failures.ts";
import { login } from "../../src/core/access/logins.ts";
import { endOwnSession, listOwnSessions } from "../../src/core/access/own-sessions.ts";
import { authenticateSession, logout, whoAmI } from "../../src/core/access/sessions.ts";
import { expireApprovals, pruneApprovals } from "../../src/core/approval-decisions/ending.ts";
import { pruneAuditEvents } from "../../src/core/audit/retention.ts";
import { presentCaller } from "../../src/core/caller.ts";
import { agentKey } from "../../src/core/changes/doorbell.ts";
import { dropOldSecrets } from "../../src/core/commands/old-secrets.ts";
import { pruneCommands } from "../../src/core/commands/retention.ts";
import { systemContext } from "../../src/core/context.ts";
import { deleteAgent } from "../../src/core/fleet/agent-deletion.ts";
import { endNotes } from "../../src/core/fleet/attention.ts";
import { getFleetSeries } from "../../src/core/fleet/fleet-series.ts";
import {
  deleteSilentAgents,
  deleteSilentServices,
} from "../../src/core/fleet/silence-retention.ts";
import { flushPresence } from "../../src/core/presence/flush.ts";
import { advanceRollout, wakeRollouts } from "../../src/core/rollouts/advance.ts";
import { runSchedules } from "../../src/core/schedules/firing.ts";
import { SealedSecrets } from "../../src/core/secrets/sealed-secrets.ts";
import { pruneRollouts, pruneScheduleRuns, sweep } from "../../src/core/system/maintenance.ts";
import type { Principal } from "../../src/domain/access/principals.ts";
import { historyChangesShown } from "../../src/domain/fleet/service-history.ts";
import { commandOutput } from "../../src/domain/limits.ts";
import { readUnaccounted } from "../../src/store/audit/unaccounted.ts";
import { Session } from "../../src/store/engine/postgresql/connection/session.ts";
import { GroupTx } from "../../src/store/engine/postgresql/writes/group-tx.ts";
import { schemaDifference } from "../../src/store/engine/sqlite/schema-status.ts";
import { copyDatabase } from "../../src/store/files/copy.ts";
import { slideSession } from "../../src/store/tables/access/sessions.ts";
import { listAgentIdsWithPending } from "../../src/store/tables/commands/command-deliveries.ts";
import { beginPeriods } from "../../src/store/tables/fleet/service-history.ts";
import {
  countNodes,
  deleteNode,
  deleteNodesBefore,
  writeNode,
} from "../../src/store/tables/nodes.ts";
import { setNextAt } from "../../src/store/tables/schedules/schedules.ts";
import { minimumVersion } from "../../src/store/tables/schema-migrations.ts";
import { findServicesWithAction } from "../../src/store/tables/search.ts";
import { requested, somePolicy } from "../core/approvals/requested.ts";
import { apply, examples, preview } from "../core/declarations/declaring.ts";
import { collector, openScene, type Scene } from "../core/scene.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { onPostgres } from "../helpers/postgres-app.ts";
import { restOf, watch } from "../helpers/process/watcher.ts";

const recorded = new Set<string>();
/** True only while the use cases run, because other tests share the process. */
let isRecording = false;
const { prototype } = BetterSqlite3 as unknown as { prototype: BetterSqlite3.Database };
const { prepare } = prototype;
prototype.prepare = function (this: BetterSqlite3.Database, sql: string) {
  if (isRecording) recorded.add(flat(sql.replaceAll("+?", "?")));
  return prepare.call(this, sql);
} as typeof prepare;

let running: Promise<void> | null = null;

/** Each statement is on one line, as in the sources. The use cases run at the first call. */
export async function everyStatement(): Promise<string[]> {
  running ??= runAll();
  await running;
  return [...recorded].filter((sql) => /^(SELECT|INSERT|UPDATE|DELETE)\b/.test(sql));
}

/**
 * Runs the use cases on PostgreSQL, with statements for many rows even if there is one row. Returns
 * all statements in the form of `everyStatement`, and the texts of those for many rows.
 */
export async function everyStatementOnPostgres(): Promise<{ ran: string[]; ofRows: string[] }> {
  const ran = new Set<string>();
  const ofRows = new Set<string>();
  const { query } = Session.prototype;
  const ofRow = GroupTx.prototype.runAll;
  Session.prototype.query = function (this: Session, sql, params) {
    ran.add(flat(sql));
    return query.call(this, sql, params);
  };
  GroupTx.prototype.runAll = function (this: GroupTx, { one, all, columns }, rows) {
    ran.add(flat(one));
    ofRows.add(all);
    const objects = rows.map((row) =>
      Object.fromEntries(columns.map((column, at) => [column, row[at]])),
    );
    return this.run(all, JSON.stringify(objects));
  };
  try {
    await runUseCases(await onPostgres(() => openEverything()));
  } finally {
    Object.assign(Session.prototype, { query });
    Object.assign(GroupTx.prototype, { runAll: ofRow });
  }
  return { ran: [...ran], ofRows: [...ofRows] };
}

export function flat(sql: string): string {
  return sql.replace(/\s+/g, " ").trim();
}

async function runAll(): Promise<void> {
  isRecording = true;
  try {
    // A new database, because one that another test has used has compiled its statements.
    const scene = await openEverything({ DATA_DIR: temporaryFolder() });
    await runUseCases(scene);
    await runHost(scene);
  } finally {
    isRecording = false;
  }
}

function openEverything(env: Record<string, string> = {}): Promise<Scene> {
  return openScene({ CAPSULE_BUS_ENABLED: "true", ...env });
}

async function runUseCases(scene: Scene): Promise<void> {
  await runAgents(scene);
  await runCommands(scene);
  await runRollouts(scene);
  await runAllSchedules(scene);
  await runBus(scene);
  await runDeclarations(scene);
  await runStream(scene);
  await runAttention(scene);
  await runPeople(scene);
  await runApprovals(scene);
  await runLists(scene);
  await runSearch(scene);
  await runNodes(scene);
  await runJobs(scene);
  await runShared(scene);
}

async function runAgents(scene: Scene): Promise<void> {
  const { agent, as, asPrincipal, registerAgent } = scene;
  const { core } = scene.app;
  const { token } = await as("operator").call("registration-tokens.create", { body: {} });
  await asPrincipal({ kind: "anonymous" }).call("agent.register", {
    body: {
      registrationToken: token,
      agent: { code: "edge-2", mode: "sidecar", labels: { region: "eu" } },
    },
  });
  const params = { agentId: agent.agentId };
  await agent.client.call("agent.heartbeat", {
    body: {
      agent: { version: "2" },
      health: [{ serviceCode: collector.code, healthStatus: "DOWN" }],
    },
  });
  await agent.client.call("agent.offline", { body: {} });
  core.presence.agents.add(agent.agentId, core.now());
  await flushPresence(core);
  await agent.client.call("agent.report", { body: { services: [collector] as never } });
  await agent.client.call("agent.report", {
    body: { services: [collector] as never, features: ["plan"] },
  });
  const labelled = { ...collector, labels: { tier: "web" } };
  await agent.client.call("agent.report", { body: { services: [labelled] as never } });
  const again = await registerAgent("edge-1", [{ ...collector, version: "2" }]);
  const other = await registerAgent("edge-3", [collector]);
  await scene.report([], other);
  const asked = { agent: { code: "edge-3" }, services: [collector.code] };
  await asPrincipal({ kind: "anonymous" }, other.agentToken).call("agent.check", { body: asked });
  await scene.move(other);
  await scene.move(agent);
  await scene.report([collector], again);
  await again.client.call("agent.report", { body: { complete: true, services: [] } });
  await scene.report([collector], again);
  for (const change of ["disable", "enable", "revoke-token"] as const) {
    await as("operator").call(`agents.${change}`, { params });
  }
  scene.agent = await registerAgent("edge-1");
}

async function runCommands(scene: Scene): Promise<void> {
  const { as, execute, poll, result, cancel, serviceId, agent, clock } = scene;
  // What was delivered before the agent registered again is not delivered again.
  clock.advance(1);
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
  const running = await execute();
  await poll({ wait: 0 }, agent);
  await cancel(running);
  await poll({ wait: 0 }, agent);
  await result(running, { success: true }, agent).catch(() => undefined);
  await runOutput(scene);
}

/** Sends more output than is kept. */
async function runOutput({ as, execute, poll, agent }: Scene): Promise<void> {
  const params = { commandId: await execute() };
  await poll({ wait: 0 }, agent);
  const text = "x".repeat(commandOutput.maxChunkLength);
  for (let page = 0; page < commandOutput.firstPages + commandOutput.lastPages + 1; page += 15) {
    const chunks = Array.from({ length: 15 }, (_, n) => ({
      offset: (page + n) * text.length,
      stream: "stdout" as const,
      text,
    }));
    await agent.client.call("agent.output", { params, body: { chunks } });
  }
  const next = { offset: 0, stream: "stdout" as const, text: "x" };
  const { nextOffset: offset } = await agent.client.call("agent.output", {
    params,
    body: { chunks: [next] },
  });
  const last = { chunks: [{ ...next, offset }], end: false };
  await agent.client.call("agent.output", { params, body: last });
  await as("viewer").call("commands.output", { params });
}

async function runRollouts({ app, as, poll, result, report, clock, agent }: Scene): Promise<void> {
  const { core } = app;
  const operator = as("operator");
  await report([collector, { ...collector, code: "another" }], agent);
  const choice = { selector: "", services: [collector.code, "another"], agents: ["edge-1"] };
  const body = { ...choice, action: "rotate", status: ["HEALTHY" as const] };
  await operator.call("rollouts.preview", { body });
  await operator.call("rollouts.preview", { body: { action: "rotate", selector: "unknown=x" } });
  const gated = { ...body, waves: ["1"], between: 1, healthGate: true };
  const { id } = await operator.call("rollouts.create", { body: gated });
  const params = { rolloutId: id };
  while (await advanceRollout(core, id));
  for (const commandId of await poll({}, agent)) {
    await result(commandId, { success: true }, agent);
  }
  while (await advanceRollout(core, id));
  await report([collector, { ...collector, code: "another" }], agent);
  while (await advanceRollout(core, id));
  clock.advance(1000);
  await wakeRollouts(core);
  while (await advanceRollout(core, id));
  await operator.call("rollouts.pause", { params });
  await operator.call("rollouts.resume", { params });
  await operator.call("rollouts.cancel", { params, query: { commands: true } });
  while (await advanceRollout(core, id));
  await operator.call("rollouts.retry", { params, body: {} });
  await operator.call("rollouts.targets", {
    params,
    query: { state: ["FAILED", "NOT_RUN"], wave: 2 },
  });
  await operator.call("rollouts.targets", {
    params,
    query: { state: "FAILED", service: "another" },
  });
  await operator.call("rollouts.results", { params });
  clock.advance(1000);
  await pruneRollouts(core, clock.now());
}

async function runApprovals(scene: Scene): Promise<void> {
  const { app, as, clock, beat, agent } = scene;
  const { core } = app;
  await beat({}, agent);
  const { policyId, approvalId, digest, requester, approver } = await requested(scene);
  const owner = as("owner");
  const rule = { ...somePolicy, selector: "!nowhere", version: 1 };
  await owner.call("approval-policies.update", { params: { policyId }, body: rule });
  await approver.call("approvals.approve", { params: { approvalId }, body: { digest } });
  const body = { action: "rotate", selector: "" };
  const rollout = await requester.call("rollouts.create", { body });
  const params = { approvalId: rollout.approvalId ?? "" };
  const read = await approver.call("approvals.get", { params });
  await approver.call("approvals.approve", { params, body: { digest: read.digest } });
  const target = { kind: "action" as const, service: collector.code, action: "rotate" };
  const nightly = { name: "guarded", cron: "0 3 * * *", target };
  const guarded = await requester.call("schedules.create", { body: nightly });
  const scheduled = { approvalId: guarded.approvalId ?? "" };
  const shown = await approver.call("approvals.get", { params: scheduled });
  await approver.call("approvals.approve", { params: scheduled, body: { digest: shown.digest } });
  const local = scene.asPrincipal({ kind: "local", osUser: "root" });
  await local.call("rollouts.create", { body: { ...body, breakGlass: "Nobody else is here." } });
  const fleet = { kind: "rollout" as const, action: "rotate", selector: "" };
  await requester.call("schedules.create", { body: { ...nightly, name: "all", target: fleet } });
  await apply(owner, [
    { ...examples.ApprovalPolicy, approvals: 1, approvers: { users: ["asking"] } },
  ]);
  await owner.call("approval-policies.delete", { params: { policyId } });
  await expireApprovals(core);
  clock.advance(1000);
  await pruneApprovals(core, clock.now());
}

async function runAllSchedules(scene: Scene): Promise<void> {
  const { app, as, clock, beat, report, agent } = scene;
  const { core } = app;
  await report([collector], agent);
  const operator = as("operator");
  const target = { kind: "action" as const, service: collector.code, action: "rotate" };
  const rule = { name: "each minute", cron: "* * * * *", overlap: "wait" as const, target };
  const { id } = await operator.call("schedules.create", { body: rule });
  const params = { scheduleId: id };
  await operator.call("schedules.update", { params, body: { ...rule, name: "x", version: 1 } });
  const rollout = { kind: "rollout" as const, action: "rotate", selector: "" };
  const other = { name: "rollout", cron: "* * * * *", target: rollout };
  const { id: otherId } = await operator.call("schedules.create", { body: other });
  for (let minute = 0; minute < 3; minute++) {
    clock.advance(60_000);
    await beat({}, agent);
    await runSchedules(core);
  }
  // A clock that was ahead could have stored such a time.
  await core.db.write((tx) => setNextAt(tx, id, clock.now() + 1e9));
  core.statusClock.dueTimesCheckedAt = null;
  await runSchedules(core);
  await operator.call("schedules.runs", { params });
  await operator.call("schedules.runs", { params, query: { state: "RUNNING" } });
  await operator.call("schedules.runs", { params, query: { state: ["RUNNING", "WAITING"] } });
  await operator.call("schedules.runs", { params: { scheduleId: otherId } });
  await operator.call("schedules.delete", { params: { scheduleId: otherId } });
  clock.advance(1000);
  await pruneScheduleRuns(core, clock.now());
}

async function runBus({ as }: Scene): Promise<void> {
  const operator = as("operator");
  const target = { serviceCode: collector.code, action: "rotate" };
  const rule = { name: "rotate", match: { type: "log.full" }, target };
  const { id: routeId } = await operator.call("bus-routes.create", { body: rule });
  const params = { routeId };
  await operator.call("bus-routes.update", { params, body: { ...rule, name: "x", version: 1 } });
  const event = { type: "log.full", source: collector.code, causationid: "x" };
  await operator.call("bus-routes.test", { params, body: { eventId: "x" } }).catch(() => undefined);
  await operator.call("bus-routes.update", {
    params,
    body: { ...rule, state: "ENABLED", version: 2 },
  });
  await operator.call("bus-events.publish", { body: event });
  await operator.call("bus-routes.replay", { body: { routeId, from: at } });
  await operator.call("bus-routes.delete", { params });
}

/** Creates a user's own views, and declares shared ones. */
async function runDeclarations({ as, asPrincipal }: Scene): Promise<void> {
  const owner = as("owner");
  const account = {
    username: "viewing",
    password: "correct horse battery",
    role: "viewer",
  } as const;
  const { id: userId } = await owner.call("users.create", { body: account });
  const { username, role } = account;
  const user = asPrincipal({ kind: "user", userId, username, role, sessionId: "none" });
  const body = { name: "mine", noun: "agents" } as const;
  const { id: viewId } = await user.call("saved-views.create", { body });
  const params = { viewId };
  await user.call("saved-views.update", { params, body: { ...body, name: "x", version: 1 } });
  for (const shared of ["true", "false"] as const) {
    const query = { noun: ["agents", "services"] as const, shared, q: "x" };
    await user.call("saved-views.list", { query });
  }
  await owner.call("saved-views.list");
  await user.call("saved-views.delete", { params });
  await owner.call("users.delete", { params: { userId } });
  await preview(owner, [{ kind: "Settings", settings: { operatorLabels: ["zone"] } }]);
  await apply(owner, Object.values(examples));
  await apply(owner, [], { prune: true });
}

async function runAttention({ app, as, registerAgent }: Scene): Promise<void> {
  const operator = as("operator");
  const sick = ["sick-1", "sick-2"].map((code) => ({
    ...{ code, name: code, version: "1", labels: { zone: "b" } },
    health: { status: "DOWN", message: "no answer" },
  }));
  const { client, agentId } = await registerAgent("sick", sick);
  const { open } = await operator.call("attention.get");
  const { id: groupId } = open.groups.find(({ message }) => message === "no answer")!;
  await operator.call("attention.actions", { query: { groups: [groupId] } });
  await operator.call("attention.acknowledge", { body: { groupId } });
  const health = [{ serviceCode: "sick-1", healthStatus: "UP" }];
  await client.call("agent.heartbeat", { body: { health } });
  await endNotes(app.core);
  const found = await operator.call("services.list", { query: { agentId } });
  const serviceIds = found.map(({ id }) => id);
  await operator.call("attention.silence", { body: { serviceIds, seconds: 900 } });
  await operator.call("attention.clear", { body: { serviceIds } });
}

/** Watches the live stream, also with two credentials that are no longer valid. */
async function runStream({ app, as, agent, serviceId }: Scene): Promise<void> {
  const { core } = app;
  const operator = { role: "viewer", sessionId: "none", keyId: "none" } as const;
  for (const kind of ["user", "apiKey"]) {
    await watch(core, { principal: { ...operator, kind } as unknown as Principal });
  }
  const watcher = await watch(core);
  await as("owner").call("api-keys.create", { body: { name: "k", role: "viewer" } });
  await as("owner").call("agents.label", { params: agent, body: { labels: { env: "prod" } } });
  await as("owner").call("agents.label", { params: agent, body: { labels: { env: null } } });
  for (const labels of [{ a: "b" }, { a: null }]) {
    await as("owner").call("services.label", { params: { serviceId }, body: { labels } });
  }
  await watcher.until("service", () => true);
  watcher.leave();
  await restOf(core);
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
  await listOwnSessions(user);
  await endOwnSession(user, "none").catch(() => undefined);
  await logout(user);
  const { key, id: keyId } = await as("owner").call("api-keys.create", {
    body: { name: "k", role: "viewer" },
  });
  await core.credentials.apiKey(key);
  await flushPresence(core);
  await as("owner").call("api-keys.revoke", { params: { keyId } });
  await as("owner").call("api-keys.delete", { params: { keyId } });
  await readUnaccounted(core.db.read, 0);
  await changeUsers(as("owner"));
  await getFleetSeries(ctx, { agents: 1 });
  await as("viewer").call("system.health");
}

async function changeUsers(owner: ReturnType<Scene["as"]>): Promise<void> {
  const password = "a sentence of many characters";
  const wanted = { username: "eve", password, role: "owner" as const };
  const { id: userId } = await owner.call("users.create", { body: wanted });
  const params = { userId };
  await owner.call("users.update", { params, body: { displayName: "Eve", role: "viewer" } });
  await owner.call("users.set-password", { params, body: { password } });
  for (const workspaceName of ["Plant 7", null]) {
    await owner.call("settings.update", { body: { workspaceName } });
  }
  const { id: tokenId } = await owner.call("registration-tokens.create", { body: {} });
  await owner.call("registration-tokens.get", { params: { tokenId } });
  await owner.call("registration-tokens.revoke", { params: { tokenId } });
  await owner.call("registration-tokens.delete", { params: { tokenId } });
}

async function runJobs(scene: Scene): Promise<void> {
  const { app, clock, execute, elsewhere } = scene;
  const { core } = app;
  await execute();
  const [agentId = ""] = await listAgentIdsWithPending(core.db.read);
  const held = core.doorbell.register(agentKey(agentId), presentCaller);
  await elsewhere("INSERT INTO settings VALUES ('theirs', '1', 0)");
  await nextTurn();
  core.db.checkForeignChange();
  // PostgreSQL's notification can take a while.
  if ((await held.wait(60_000)) !== "rung") throw new Error("the foreign change was not noticed");
  held.close();
  clock.advance(10 * 60_000);
  await sweep(core);
  clock.jump(60_000);
  await sweep(core);
  await runRetention(scene);
  await app.noteStarted();
  await pruneAuditEvents(core, clock.now());
  await app.noteStopped();
}

/** Runs what only the nodes on PostgreSQL keep in the database. */
async function runShared({ app, clock }: Scene): Promise<void> {
  const { db, sessionSecret, fillRandom, newId } = app.core;
  const options = { db, sessionSecret: () => sessionSecret, fillRandom, newId };
  const secrets = new SealedSecrets(options);
  for (const commandId of ["taken", "late"]) {
    await db.write((tx) => secrets.put(tx, commandId, "a secret"));
  }
  await secrets.take("taken");
  await secrets.count();
  const failures = new LoginFailures(options);
  for (const key of ["reset", "late"]) await failures.fail([{ lock: "account", key }]);
  await failures.succeed([{ lock: "account", key: "reset" }]);
  clock.advance(60 * 60_000);
  await secrets.dropOld();
  await failures.dropOld();
}

/** Deletes old data, and cleans data from older versions. */
async function runRetention({ app, clock, agent, elsewhere, registerAgent }: Scene): Promise<void> {
  const { core } = app;
  await elsewhere(
    `UPDATE commands SET withheld = NULL, prepare_command_id = id;
     UPDATE command_results SET fingerprint = 'plain';`,
  );
  await dropOldSecrets(core);
  await registerAgent(agent.principal.agentCode);
  clock.advance(24 * 60 * 60_000);
  await pruneCredentials(core, clock.now());
  await pruneCommands(core, clock.now());
  await deleteSilentServices(core, clock.now());
  await deleteAgent(systemContext(core), agent.agentId);
  await deleteSilentAgents(core, clock.now());
}

/** Runs what commands of the host do with a database file. */
async function runHost({ file }: Scene): Promise<void> {
  const to = join(temporaryFolder(), "copy.db");
  await copyDatabase({ from: file, to, auditKeyFile: join(dirname(file), "audit.key") });
  schemaDifference(to);
}

const at = "2026-01-02T03:04:05.678Z";

/** Returns each value of each filter alone. */
function alone(values: Record<string, readonly (string | string[])[]>): object[] {
  return Object.entries(values).flatMap(([name, all]) => all.map((value) => ({ [name]: value })));
}

const selectors = {
  selector: ["a=b", "a in (b,c)", "a!=b", "a notin (b,c)", "a", "!a"],
};

const afterRow = (query: object) => ({ afterSeq: 1, ...query });

/** Returns every order of a noun's list. */
function bothWays(noun: NounName) {
  return { sort: nouns[noun].sorts.flatMap((field) => [field, `-${field}`]) };
}

/** Has each filter alone, with each value that changes the statement, and ranges. */
const filters = {
  "registration-tokens.list": alone({
    ...bothWays("registration-tokens"),
    status: ["ACTIVE", "EXPIRED", "USED"],
  }),
  "users.list": alone({ ...bothWays("users"), role: ["owner"], status: ["ACTIVE"], q: ["x"] }),
  "nodes.list": [],
  "api-keys.list": alone({
    ...bothWays("api-keys"),
    status: ["ACTIVE", "EXPIRED", "REVOKED"],
    userId: ["x"],
  }),
  "bus-routes.list": alone({ ...bothWays("bus-routes"), state: ["ENABLED"], q: ["x"] }),
  "bus-events.list": [
    ...alone({ type: ["x"], source: ["x"], agentId: ["x"], routeId: ["x"], from: [at] }),
    { routeId: "x", type: "x" },
    { routeId: "x", from: at },
    { from: at, to: at },
    { type: "x", source: "x" },
    { source: "x", from: at, to: at },
  ],
  "agents.list": [
    ...alone({
      ...bothWays("agents"),
      status: ["ONLINE"],
      mode: ["x"],
      label: ["a:b"],
      q: ["x"],
      ...selectors,
    }),
    { status: "ONLINE,OFFLINE", label: ["a:b", "c:d"] },
  ],
  "services.list": alone({
    ...bothWays("services"),
    status: ["STALE", "STALE,OFFLINE"],
    healthStatus: ["UP"],
    agentId: ["x"],
    action: ["x"],
    q: ["x"],
    ...selectors,
  }),
  "approvals.list": alone({
    ...bothWays("approvals"),
    state: ["APPROVED", "APPROVED,REJECTED"],
    kind: ["action", "action,rollout"],
    ...{ action: ["x"], subjectId: ["x"] },
  }),
  "approval-policies.list": alone({ ...bothWays("approval-policies"), q: ["x"] }),
  "rollouts.list": alone({
    ...bothWays("rollouts"),
    state: ["RUNNING", "RUNNING,PAUSED"],
    action: ["x"],
  }),
  "schedules.list": alone({
    ...bothWays("schedules"),
    state: ["ENABLED", "ENABLED,PAUSED"],
    ...{ action: ["x"], q: ["x"] },
  }),
  "commands.list": [
    ...alone({
      status: ["FAILED", "FAILED,PENDING", "FAILED,SUCCEEDED"],
      type: ["ACTION_PREPARE", "ACTION_PREPARE,ACTION_EXECUTE"],
      ...{ action: ["x"], agentId: ["x"], serviceId: ["x"], eventId: ["x"], routeId: ["x"] },
      rolloutId: ["x"],
      ...{ from: [at], to: [at], before: ["1.cmd_x"] },
      ...selectors,
    }),
    { from: at, to: at },
    { agentId: "x", status: "FAILED" },
    { agentId: "x", from: at, to: at },
    { status: "FAILED", before: "1.cmd_x" },
    { from: at, before: "1.cmd_x" },
  ],
  "audit-events.list": [
    ...alone({
      action: ["x", "x*", "command.*"],
      actorType: ["AGENT", "USER"],
      targetType: ["command", "agent"],
      result: ["SUCCESS", "DENIED"],
      ...{ actorId: ["x"], targetId: ["x"], from: [at], to: [at], before: ["1.1"] },
    }),
    { action: "command.*", from: at },
    { from: at, to: at },
    { targetId: "x", action: "command.*" },
    { action: "x", result: "DENIED", before: "1.1" },
    afterRow({}),
    ...alone({
      action: ["x", "command.*"],
      actorType: ["AGENT", "USER"],
      targetType: ["command"],
      result: ["SUCCESS", "DENIED"],
      ...{ actorId: ["x"], from: [at] },
    }).map(afterRow),
    afterRow({ from: at, to: at }),
    afterRow({ targetId: "x", action: "command.*", from: at }),
  ],
};

const keyedRoute = {
  name: "keyed",
  match: { type: "x.y" },
  target: { serviceCode: "x", action: "y" },
};

/** An export has no page positions. */
function isOfExport(query: object): boolean {
  return !("afterSeq" in query || "before" in query);
}

async function runLists(scene: Scene): Promise<void> {
  const { as, serviceId } = scene;
  const viewer = as("viewer");
  const owner = as("owner");
  for (const [name, queries] of Object.entries(filters)) {
    for (const query of [{}, ...queries]) {
      const list = (positioned: object) =>
        owner.page(name as keyof typeof filters, { query: positioned as never });
      await list(query);
      // An empty page after the first one does not show the total, so the rows are counted.
      if (isOfExport(query)) await list({ ...query, page: 2 });
    }
  }
  for (const query of filters["audit-events.list"].filter(isOfExport)) {
    for await (const _ of (await viewer.download("audit-events.export", { query })).chunks);
  }
  await viewer.call("audit-events.verify");
  // A history with more changes than a response lists counts them.
  for (let n = 0; n <= historyChangesShown; n++) {
    scene.clock.advance(1);
    const change = { id: serviceId, status: n % 2 ? "HEALTHY" : "UNKNOWN" } as const;
    await scene.database.write((tx) => beginPeriods(tx, [change]));
  }
  await viewer.call("services.history", { params: { serviceId } });
  await owner.call("bus-routes.create", { body: keyedRoute }, { idempotencyKey: "k" });
  await viewer.call("overview.get");
  await viewer.call("overview.health-map");
  await viewer.call("overview.commands");
  await owner.call("metrics.get");
}

async function runSearch({ as, database, serviceId, agent }: Scene): Promise<void> {
  for (const q of [serviceId, serviceId.slice(4), agent.agentId, "rotate log", "log"]) {
    await as("owner").call("search.find", { query: { q } });
  }
  // The use case calls this only in a large fleet.
  await findServicesWithAction(database.read, ["rotate"], ["log"], 1);
}

/** Only PostgreSQL's servers use the table, so this calls the store. */
async function runNodes({ database }: Scene): Promise<void> {
  await minimumVersion(database.read);
  await database.write(async (tx) => {
    const times = { startedAt: tx.now, seenAt: tx.now };
    await writeNode(tx, {
      id: "nod_1",
      host: "a",
      url: "http://a",
      version: "1",
      ...times,
      heldPolls: 0,
    });
    await deleteNode(tx, "nod_1");
    await deleteNodesBefore(tx, 0);
  });
  await countNodes(database.read, 0);
}
