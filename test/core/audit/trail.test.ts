// No change is stored without its audit row. The rows form a chain that any change to a row breaks.

import { describe, expect } from "vitest";
import { type RouteName, routes } from "../../../src/api/index.ts";
import { countRefusedLogin, login } from "../../../src/core/access/logins.ts";
import { createFirstOwner } from "../../../src/core/access/users.ts";
import { writeAuditSums } from "../../../src/core/audit/repeated-events.ts";
import { pruneAuditEvents } from "../../../src/core/audit/retention.ts";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { systemContext } from "../../../src/core/context.ts";
import { sweepSilentAgents } from "../../../src/core/fleet/status-sweep.ts";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import type { Role } from "../../../src/domain/access/principals.ts";
import type { AuditAction } from "../../../src/domain/audit/audit-events.ts";
import { auditGuide } from "../../../src/domain/audit/audit-guide.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { listAuditEvents } from "../../../src/store/audit/audit-events.ts";
import { chainHash, type NewAuditEvent } from "../../../src/store/audit/chain-hash.ts";
import { writeDataLoss } from "../../../src/store/tables/data-loss.ts";
import { writeSetting } from "../../../src/store/tables/settings.ts";
import { everyRow } from "../../helpers/stored.ts";
import { refuseWrites } from "../../helpers/wrapped-writes.ts";
import { withKey } from "../access/people.ts";
import { requested, somePolicy } from "../approvals/requested.ts";
import { planOf } from "../commands/planning.ts";
import { expectRefused } from "../refusals.ts";
import { registering } from "../registering.ts";
import { collector, openScene, type Scene, test } from "../scene.ts";

type Act = () => Promise<unknown>;

const password = "a sentence of many characters";
const someRoute = {
  name: "rotate",
  match: { type: "log.full" },
  target: { serviceCode: collector.code, action: "rotate" },
};

const someView = { name: "offline", noun: "agents", shared: true } as const;

const someEvent = { type: "log.full", source: collector.code, id: "1" };

/**
 * Read-only routes that are not GET because they accept a body, and `agent.output`, because a row
 * for each of its calls would fill the trail.
 */
const writeNothing: RouteName[] = [
  "agent.output",
  "agent.proof",
  "bus-routes.replay",
  "bus-routes.test",
  "bus-routes.test-draft",
  "declarations.preview",
  "plans.create",
  "rollouts.preview",
  "rollouts.preview-retry",
  "schedules.preview",
];

interface Change {
  /** The rows that the change writes, in order, each with its result unless that is SUCCESS. */
  leaves: string[];
  /** Returns the change, which the test makes twice: first without its audit row. */
  prepare: (scene: Scene, title: string) => Act | Promise<Act>;
}

function change(leaves: string | string[], prepare: Change["prepare"]): Change {
  return { leaves: [leaves].flat(), prepare };
}

type Input = { params?: object; body?: object };

/** Calls the route in the title with this role. */
function calling(
  role: Role,
  leaves: string | string[],
  inputOf: (scene: Scene) => Input | Promise<Input> = () => ({}),
): Change {
  return change(leaves, async (scene, title) => {
    const input = await inputOf(scene);
    return () => scene.as(role).call(title as RouteName, input as never);
  });
}

async function created({ as }: Scene, name: "registration-tokens" | "bus-routes"): Promise<string> {
  const body = name === "bus-routes" ? someRoute : {};
  return (await as("operator").call(`${name}.create`, { body } as never)).id;
}

async function createdKey({ as }: Scene): Promise<string> {
  const body = { name: "ci", role: "viewer" } as const;
  return (await as("owner").call("api-keys.create", { body })).id;
}

const newPassword = { password: "another sentence of many" };

/** The changes that each route makes, by route and variant. */
const byRoute: Record<string, Change> = {
  "registration-tokens.create": calling("operator", "registration_token.created"),
  "registration-tokens.revoke": calling("operator", "registration_token.revoked", async (scene) => {
    return { params: { tokenId: await created(scene, "registration-tokens") } };
  }),
  "registration-tokens.delete": calling("operator", "registration_token.deleted", async (scene) => {
    const params = { tokenId: await created(scene, "registration-tokens") };
    await scene.as("operator").call("registration-tokens.revoke", { params });
    return { params };
  }),
  "agent.register": change(["registration_token.consumed", "agent.registered"], (scene) =>
    invited(scene, "edge-2"),
  ),
  "agent.register, again": change(["registration_token.consumed", "agent.token.rotated"], (scene) =>
    invited(scene, "edge-1", { replace: true }),
  ),
  "agent.register, with labels": change(
    ["registration_token.consumed", "agent.registered", "agent.labels.changed"],
    async (scene) => {
      const body = { labels: { env: "prod" } };
      const { token } = await scene.as("owner").call("registration-tokens.create", { body });
      return () => registering(scene).register(token, { code: "edge-2" });
    },
  ),
  "agent.register, code taken": change("registration_token.rejected DENIED", async (scene) => {
    const register = await invited(scene, "edge-1");
    return () => expectRefused(register(), "AGENT_CODE_TAKEN");
  }),
  "agent.register, used token": change("registration_token.rejected DENIED", async (scene) => {
    const register = await invited(scene, "edge-2");
    await register();
    return () => expectRefused(register(), "REGISTRATION_TOKEN_USED");
  }),
  "agent.check, token for another agent": change(
    "registration_token.rejected DENIED",
    async ({ as, asPrincipal }) => {
      const body = { agentCode: "edge-7" };
      const { token } = await as("operator").call("registration-tokens.create", { body });
      const asked = { body: { registrationToken: token, agent: { code: "edge-8" } } };
      const check = () => asPrincipal({ kind: "anonymous" }).call("agent.check", asked);
      return () => expectRefused(check(), "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT");
    },
  ),
  "agent.heartbeat": change("service.health.changed", (scene) => () => {
    const health = [{ serviceCode: collector.code, healthStatus: "DOWN" }];
    return scene.beat({ health });
  }),
  "agent.report, new": change("service.reported", (scene) => () => {
    return scene.report([{ ...collector, code: "new-one" }]);
  }),
  "agent.report, changed": change("service.version.changed", (scene) => () => {
    return scene.report([{ ...collector, version: "2" }]);
  }),
  "agent.report, with other labels": change("service.updated", (scene) => () => {
    return scene.report([{ ...collector, labels: { env: "prod" } }]);
  }),
  "agent.report, with another configuration": change("service.config.changed", (scene) => () => {
    return scene.report([{ ...collector, configs: [{ key: "size", type: "number" }] }]);
  }),
  "agent.report, with other actions": change("service.actions.changed", (scene) => () => {
    return scene.report([{ ...collector, actions: [] }]);
  }),
  "agent.report, without the service": change("service.removed", ({ agent }) => () => {
    return agent.client.call("agent.report", { body: { complete: true, services: [] } });
  }),
  "agent.report, with the removed service": change(
    ["service.restored", "service.actions.changed"],
    async ({ agent, report }) => {
      await agent.client.call("agent.report", { body: { complete: true, services: [] } });
      return () => report([collector]);
    },
  ),
  "agent.report, by another program": change("agent.updated", (scene) => () => {
    const body = { features: ["plan"], services: [collector] };
    return scene.agent.client.call("agent.report", { body });
  }),
  "agent.report, of another agent's service": change(
    "service.claim.refused DENIED",
    async (scene) => {
      const other = await scene.registerAgent("edge-2");
      return () => scene.report([collector], other);
    },
  ),
  "agent.report, of a silent agent's service": change("service.moved", async (scene) => {
    scene.clock.advance(90_001);
    const other = await scene.registerAgent("edge-2");
    return () => scene.report([collector], other);
  }),
  "services.move": change("service.moved", async (scene) => {
    const other = await scene.registerAgent("edge-2");
    return () => scene.move(other);
  }),
  "attention.acknowledge": calling("operator", "service.acknowledged", async (scene) => {
    const health = [{ serviceCode: collector.code, healthStatus: "DOWN" }];
    await scene.agent.client.call("agent.heartbeat", { body: { health } });
    return { body: { serviceIds: [scene.serviceId], note: "on it" } };
  }),
  "attention.silence": calling("operator", "service.silenced", (scene) => {
    return { body: { serviceIds: [scene.serviceId], seconds: 900 } };
  }),
  "attention.clear": calling("operator", "service.note.cleared", async (scene) => {
    const serviceIds = [scene.serviceId];
    await scene.as("operator").call("attention.silence", { body: { serviceIds, seconds: 900 } });
    return { body: { serviceIds } };
  }),
  "agent.poll": change("command.dispatched", async (scene) => {
    await scene.execute();
    return () => scene.poll();
  }),
  "agent.poll, again": change("command.redelivered", async (scene) => {
    await scene.execute();
    await scene.poll();
    return () => scene.poll({ wait: 0, held: "" });
  }),
  "agent.result": change("command.completed", async (scene) => {
    const id = await scene.execute();
    await scene.poll();
    return () => scene.result(id, { success: true, output: { generatedKey: "x" } });
  }),
  "agent.result, failed": change("command.failed FAILURE", async (scene) => {
    const id = await scene.execute();
    await scene.poll();
    return () => scene.result(id, { success: false, error: { code: "BROKEN" } });
  }),
  "agent.result, late": change("command.result.late", async (scene) => {
    const id = await scene.execute();
    await scene.cancel(id);
    return () => expectRefused(scene.result(id), "COMMAND_ALREADY_COMPLETED");
  }),
  "auth.login": change("session.login.succeeded", async (scene) => {
    await createFirstOwner(scene.app.core, { username: "ada", password });
    return () => login(systemContext(scene.app.core), "ada", password);
  }),
  "auth.login, wrong": change("session.login.failed DENIED", ({ asPrincipal }) => () => {
    const body = { username: "ada", password: "wrong" };
    const call = asPrincipal({ kind: "anonymous" }).call("auth.login", { body });
    return expectRefused(call, "UNAUTHORIZED");
  }),
  "auth.logout": change("session.logout", async (scene) => {
    const { client } = await signedIn(scene);
    return () => client.call("auth.logout");
  }),
  "auth.password": change("user.password.changed", async (scene) => {
    const { client } = await signedIn(scene);
    const body = { currentPassword: password, newPassword: newPassword.password };
    return () => client.call("auth.password", { body });
  }),
  "auth.end-session": change("user.sessions.revoked", async (scene) => {
    const { client } = await signedIn(scene);
    const [session] = await client.call("auth.sessions");
    return () => client.call("auth.end-session", { params: { sessionId: session!.id } });
  }),
  "auth.end-other-sessions": change("user.sessions.revoked", async (scene) => {
    const { client } = await signedIn(scene);
    await login(systemContext(scene.app.core), "ada", password);
    return () => client.call("auth.end-other-sessions");
  }),
  "users.create": calling("owner", "user.created", () => {
    return { body: { username: "bob", password, role: "viewer" } };
  }),
  "users.update": calling("owner", "user.updated", async (scene) => {
    return { params: await signedIn(scene, "viewer"), body: { role: "operator" } };
  }),
  "users.delete": calling("owner", "user.deleted", async (scene) => {
    return { params: await signedIn(scene, "viewer") };
  }),
  "users.set-password": calling("owner", "user.password.changed", async (scene) => {
    return { params: await signedIn(scene, "viewer"), body: newPassword };
  }),
  "users.end-sessions": calling("owner", "user.sessions.revoked", async (scene) => {
    return { params: await signedIn(scene, "viewer") };
  }),
  "api-keys.create": calling("owner", "api_key.created", () => {
    return { body: { name: "ci", role: "viewer" } };
  }),
  "api-keys.revoke": calling("owner", "api_key.revoked", async (scene) => {
    return { params: { keyId: await createdKey(scene) } };
  }),
  "api-keys.delete": calling("owner", "api_key.deleted", async (scene) => {
    const params = { keyId: await createdKey(scene) };
    await scene.as("owner").call("api-keys.revoke", { params });
    return { params };
  }),
  "agent.offline": change("agent.stopped", ({ agent }) => () => {
    return agent.client.call("agent.offline", { body: {} });
  }),
  "agents.disable": calling("operator", "agent.disabled", ({ agent }) => ({ params: agent })),
  "agents.enable": calling("operator", "agent.enabled", async ({ change, agent }) => {
    await change("disable");
    return { params: agent };
  }),
  "agents.revoke-token": calling("operator", "agent.token.revoked", ({ agent }) => {
    return { params: agent };
  }),
  "agents.label": calling("owner", "agent.labels.changed", ({ agent }) => {
    return { params: agent, body: { labels: { env: "prod" } } };
  }),
  "services.label": calling("owner", "service.labels.changed", ({ serviceId }) => {
    return { params: { serviceId }, body: { labels: { env: "prod" } } };
  }),
  "agents.delete": change(["service.deleted", "agent.deleted"], ({ clock, as, agent }) => {
    clock.advance(1_000_000);
    return () => as("operator").call("agents.delete", { params: agent });
  }),
  "services.delete": calling("operator", "service.deleted", ({ clock, serviceId }) => {
    clock.advance(1_000_000);
    return { params: { serviceId } };
  }),
  "actions.prepare": change(
    ["action.prepare.requested", "command.dispatched", "command.completed"],
    (scene) => async () => {
      const answerOne = async () => {
        const [id] = await scene.poll({ wait: 20 });
        if (id) await scene.result(id);
      };
      const answering = answerOne();
      try {
        const params = { serviceId: scene.serviceId, actionName: "form" };
        await scene.as("operator").call("actions.prepare", { params });
      } finally {
        // This ends the poll above if it is still waiting.
        await scene.poll();
        await answering;
      }
    },
  ),
  "actions.execute": change("command.created", (scene) => () => scene.execute()),
  "actions.execute, needs approval": change("approval.requested", async (scene) => {
    const { requester } = await requested(scene);
    return () => requester.call("actions.execute", onService(scene));
  }),
  "actions.execute, without approval": change(
    ["command.created", "approval.bypassed"],
    async (scene) => {
      await requested(scene);
      const body = { breakGlass: "production is down" };
      return () => scene.as("owner").call("actions.execute", { ...onService(scene), body });
    },
  ),
  "plans.apply": change(["command.created", "command.plan.applied"], async (scene) => {
    const plan = await planOf(scene);
    return () => scene.as("operator").call("plans.apply", { body: { plan: { ...plan } } });
  }),
  "commands.cancel": calling("operator", "command.cancelled", async (scene) => {
    return { params: { commandId: await scene.execute() } };
  }),
  "commands.retry": change(["command.created", "command.retried"], async (scene) => {
    const commandId = await scene.execute();
    await scene.cancel(commandId);
    return () => scene.as("operator").call("commands.retry", { params: { commandId } });
  }),
  "rollouts.create": calling("operator", "rollout.created", () => ({ body: onRotate })),
  "rollouts.pause": calling("operator", "rollout.paused", rollout),
  "rollouts.resume": calling("operator", "rollout.resumed", async (scene) => {
    const input = await rollout(scene);
    await scene.as("operator").call("rollouts.pause", input);
    return input;
  }),
  "rollouts.cancel": calling("operator", "rollout.cancelled", rollout),
  "rollouts.retry": calling("operator", "rollout.created", async (scene) => {
    const input = await rollout(scene);
    await scene.as("operator").call("rollouts.cancel", input);
    return { ...input, body: { rest: true } };
  }),
  "approvals.approve": change(["command.created", "approval.approved"], async (scene) => {
    const { approver, approvalId, digest } = await requested(scene);
    const input = { params: { approvalId }, body: { digest } };
    return () => approver.call("approvals.approve", input);
  }),
  "approvals.approve, own request": change("approval.refused DENIED", async (scene) => {
    const { requester, approvalId, digest } = await requested(scene);
    const input = { params: { approvalId }, body: { digest } };
    return () => expectRefused(requester.call("approvals.approve", input), "OWN_REQUEST");
  }),
  "approvals.approve, changed action": change("approval.outdated FAILURE", async (scene) => {
    const { approver, approvalId, digest } = await requested(scene);
    await scene.report([{ ...collector, actions: [{ name: "rotate", timeoutSeconds: 61 }] }]);
    const input = { params: { approvalId }, body: { digest } };
    return () => approver.call("approvals.approve", input);
  }),
  "approvals.approve, of a rollout": change(
    ["rollout.approved", "approval.approved"],
    async (scene) => {
      const { requester, approver } = await requested(scene);
      const { approvalId } = await requester.call("rollouts.create", { body: onRotate });
      const params = { approvalId: approvalId ?? "" };
      const { digest } = await approver.call("approvals.get", { params });
      return () => approver.call("approvals.approve", { params, body: { digest } });
    },
  ),
  "approvals.reject": change("approval.rejected", async (scene) => {
    const { approver, approvalId } = await requested(scene);
    const input = { params: { approvalId }, body: { reason: "not now" } };
    return () => approver.call("approvals.reject", input);
  }),
  "approvals.withdraw": change("approval.withdrawn", async (scene) => {
    const { requester, approvalId } = await requested(scene);
    return () => requester.call("approvals.withdraw", { params: { approvalId } });
  }),
  "approval-policies.create": calling("owner", "policy.created", () => ({ body: somePolicy })),
  "approval-policies.update": calling("owner", "policy.updated", async (scene) => {
    const { policyId } = await requested(scene);
    return { params: { policyId }, body: { ...somePolicy, approvals: 2, version: 1 } };
  }),
  "approval-policies.delete": calling("owner", "policy.deleted", async (scene) => {
    const { policyId } = await requested(scene);
    return { params: { policyId } };
  }),
  "schedules.create": calling("operator", "schedule.created", () => ({ body: someSchedule })),
  "schedules.update": calling("operator", "schedule.updated", async (scene) => {
    return { ...(await schedule(scene)), body: { ...someSchedule, name: "another", version: 1 } };
  }),
  "schedules.delete": calling("operator", "schedule.deleted", schedule),
  "schedules.pause": calling("operator", "schedule.paused", schedule),
  "schedules.resume": calling("operator", "schedule.resumed", async (scene) => {
    const input = await schedule(scene);
    await scene.as("operator").call("schedules.pause", input);
    return { ...input, body: {} };
  }),
  "schedules.run": change(
    ["schedule.run.requested", "command.created", "schedule.run.started"],
    async (scene) => {
      const input = { ...(await schedule(scene)), body: {} };
      const operator = await withKey(scene, await scene.apiKey("operator"));
      return () => operator.call("schedules.run", input);
    },
  ),
  "schedules.pause-all": calling("operator", "schedules.paused", () => ({ body: {} })),
  "schedules.resume-all": calling("operator", "schedules.resumed", async ({ as }) => {
    await as("operator").call("schedules.pause-all", { body: {} });
    return {};
  }),
  "saved-views.create": calling("operator", "saved_view.created", () => ({ body: someView })),
  "saved-views.update": calling("operator", "saved_view.updated", async (scene) => {
    const { id: viewId } = await scene
      .as("operator")
      .call("saved-views.create", { body: someView });
    return { params: { viewId }, body: { ...someView, name: "another", version: 1 } };
  }),
  "saved-views.delete": calling("operator", "saved_view.deleted", async (scene) => {
    const { id: viewId } = await scene
      .as("operator")
      .call("saved-views.create", { body: someView });
    return { params: { viewId } };
  }),
  "declarations.apply": calling("operator", "saved_view.created", () => {
    const document = { kind: "SavedView" as const, name: "offline", noun: "agents" as const };
    return { body: { documents: [{ file: "a.yaml", digest: "0".repeat(64), document }] } };
  }),
  "bus-routes.create": calling("operator", "bus.route.created", () => ({ body: someRoute })),
  "bus-routes.update": calling("operator", "bus.route.updated", async (scene) => {
    const params = { routeId: await created(scene, "bus-routes") };
    return { params, body: { ...someRoute, name: "another", version: 1 } };
  }),
  "bus-routes.delete": calling("operator", "bus.route.deleted", async (scene) => {
    return { params: { routeId: await created(scene, "bus-routes") } };
  }),
  "agent.publish": change("bus.event.received", publishing),
  "agent.publish, again": change("bus.event.duplicate", async (scene) => {
    const publish = publishing(scene);
    await publish();
    return publish;
  }),
  "agent.publish, another's": change("bus.event.rejected DENIED", async (scene) => {
    const publish = publishing({ ...scene, agent: await scene.registerAgent("edge-2") });
    return () => expectRefused(publish(), "CAPSULE_SOURCE_FORBIDDEN");
  }),
  "bus-events.publish": change(
    [
      "bus.event.received",
      "command.created",
      "bus.route.matched",
      "bus.route.dry_run",
      "bus.route.failed FAILURE",
    ],
    async ({ as }) => {
      const gone = { serviceCode: "gone", action: "rotate" };
      for (const more of [{}, { state: "DRY_RUN" }, { target: gone }] as const) {
        const body = { ...someRoute, state: "ENABLED" as const, ...more };
        await as("operator").call("bus-routes.create", { body });
      }
      return () => as("operator").call("bus-events.publish", { body: someEvent });
    },
  ),
  "audit-events.export": change("audit.exported", (scene) => () => {
    return scene.as("viewer").download("audit-events.export");
  }),
  "settings.update": calling("owner", "settings.updated", () => {
    return { body: { workspaceName: "Plant 7" } };
  }),
  "maintenance.run": calling("operator", "maintenance.run"),
  "maintenance.accept-data-loss": change("maintenance.data_loss.accepted", async (scene) => {
    const loss = { since: 1, seq: 9, host: "a", acceptedAt: null, acceptedBy: null };
    await scene.database.write((tx) => writeDataLoss(tx, loss));
    return () => scene.as("owner").call("maintenance.accept-data-loss");
  }),
  "backup.create": change("backup.created", (scene) => async () => {
    const { chunks } = await scene.as("owner").download("backup.create");
    for await (const _chunk of chunks);
  }),
  "any route, denied": change("access.denied DENIED", ({ as, agent }) => () => {
    const disabling = as("viewer").call("agents.disable", { params: agent });
    return expectRefused(disabling, "FORBIDDEN");
  }),
};

const byItself: Record<string, Change> = {
  "expired commands": change("command.expired FAILURE", async (scene) => {
    await scene.execute();
    scene.clock.advance(300_000);
    return () => expireCommands(scene.app.core);
  }),
  "silent agents": change("agent.offline", (scene) => {
    scene.clock.advance(90_001);
    return () => sweepSilentAgents(scene.app.core);
  }),
  "an agent that is back": change("agent.online", async (scene) => {
    scene.clock.advance(90_001);
    await sweepSilentAgents(scene.app.core);
    await scene.beat();
    return () => flushPresence(scene.app.core);
  }),
  "a second program with an agent's token": change("agent.duplicated FAILURE", async (scene) => {
    await scene.beat({ instance: "first" });
    await scene.beat({ instance: "clone" });
    return () => scene.beat({ instance: "first" });
  }),
  "events that were repeated too often to have a row each": change(
    "session.login.failed DENIED",
    ({ app }) => {
      countRefusedLogin(app.core);
      return () => writeAuditSums(app.core, true);
    },
  ),
  "pruned audit events": change("audit.pruned", async (scene) => {
    scene.clock.advance(1000);
    const before = scene.clock.now();
    await created(scene, "registration-tokens");
    return () => pruneAuditEvents(scene.app.core, before);
  }),
  "the first owner": change("user.created", ({ app }) => () => {
    return createFirstOwner(app.core, { password });
  }),
  "the service's start": change(
    ["system.migrated", "system.started"],
    async ({ app, database }) => {
      await database.write((tx) => writeSetting(tx, "migrated", 1));
      return () => app.noteStarted();
    },
  ),
};

/** Returns the session's client, and the user's id as a parameter. */
async function signedIn(scene: Scene, role: Role = "owner") {
  const { core } = scene.app;
  const body = { username: "ada", password, role };
  const { id: userId } = await scene.as("owner").call("users.create", { body });
  await login(systemContext(core), "ada", password);
  const row = await core.db.read.get<{ id: string }>("SELECT id FROM sessions");
  const user = { kind: "user", userId, username: "ada", role, sessionId: row!.id } as const;
  return { client: scene.asPrincipal(user), userId };
}

const onService = ({ serviceId }: Scene) => {
  return { params: { serviceId, actionName: "rotate" }, body: {} };
};

const onRotate = { action: "rotate", selector: "" };

const someSchedule = {
  name: "nightly",
  cron: "0 3 * * *",
  target: { kind: "action" as const, service: collector.code, action: "rotate" },
};

async function schedule({ as }: Scene) {
  const { id } = await as("operator").call("schedules.create", { body: someSchedule });
  return { params: { scheduleId: id } };
}

async function rollout({ as }: Scene) {
  const { id } = await as("operator").call("rollouts.create", { body: onRotate });
  return { params: { rolloutId: id } };
}

function publishing({ agent }: Scene) {
  const { agentId, client } = agent;
  return () => client.call("agent.publish", { params: { agentId }, body: someEvent });
}

async function invited(scene: Scene, code: string, invitation = {}) {
  const { invite, register } = registering(scene);
  const token = await invite(invitation);
  return () => register(token, { code });
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

describe("without its audit row, nothing changes", () => {
  test.for(Object.entries({ ...byRoute, ...byItself }))(
    "%s",
    async ([title, { leaves, prepare }], { skip }) => {
      const scene = await openScene({ CAPSULE_BUS_ENABLED: "true" });
      const isCluster = scene.database.engine === "postgresql";
      skip(isCluster && title === "backup.create", "PostgreSQL is backed up with its own tools");
      const act = await prepare(scene, title);
      if (title !== "an agent that is back") await flushPresence(scene.app.core);
      const before = await content(scene);
      const allowAudit = refuseWrites(scene.database, "INTO audit_events");
      await expect(act()).rejects.toMatchObject({});
      expect(await content(scene)).toEqual(before);
      allowAudit();
      const already = (await trail(scene)).at(-1)?.seq ?? 0;
      await act();
      const rows = (await trail(scene)).filter(({ seq }) => seq > already);
      expect(rows.map(rowOf)).toEqual(leaves);
      expect(rows.flatMap(unknownMetadataOf)).toEqual([]);
    },
  );
});

/** Returns the metadata keys that the reference does not list. */
function unknownMetadataOf({ action, metadata }: { action: string; metadata: JsonObject }) {
  const { metadata: known } = auditGuide[action as AuditAction];
  const isOpen = metadata.summed !== undefined || known.some((key) => key.startsWith("<"));
  const unknown = Object.keys(metadata).filter((key) => !isOpen && !known.includes(key));
  return unknown.map((key) => `${action}: ${key}`);
}

/** Returns the action, and the result unless it is SUCCESS. */
function rowOf({ action, result }: { action: string; result: string }): string {
  return result === "SUCCESS" ? action : `${action} ${result}`;
}

/**
 * Returns all rows except counters, and except failed sign-ins, which count even if their audit row
 * cannot be written.
 */
async function content(scene: Scene): Promise<Record<string, object[]>> {
  const { counters: _, login_failures: __, settings = [], ...others } = await everyRow(scene);
  // The retention clock advances even if nothing changes.
  const isSetting = (row: object) => !("key" in row) || row.key !== "retentionClock";
  return { ...others, settings: settings.filter(isSetting) };
}

test("rows have no gaps, and their hashes form a chain", async ({ scene }) => {
  const id = await scene.execute({ reason: "because \u{1f600} \ud800 half" });
  await scene.poll();
  await scene.result(id, { success: false, message: "half a pair: \udc00" });
  const events = await trail(scene);
  expect(events.length).toBeGreaterThan(5);
  expect(events.map(({ seq }) => seq)).toEqual(numbersTo(events.length));
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
  "DELETE FROM audit_events WHERE seq = 1",
])("the table refuses: %s", async (sql, { scene }) => {
  const before = await trail(scene);
  await expect(scene.elsewhere(sql)).rejects.toThrow(/audit events are/);
  expect(await trail(scene)).toEqual(before);
});

test("rows before a checkpoint can be deleted", async ({ scene }) => {
  const { length } = await trail(scene);
  await scene.elsewhere(
    "INSERT INTO audit_checkpoints (seq, hash, at, signature) VALUES (2, 'x', 0, 'x')",
  );
  await scene.elsewhere("DELETE FROM audit_events WHERE seq <= 2");
  const deleting = scene.elsewhere("DELETE FROM audit_events WHERE seq = 3");
  await expect(deleting).rejects.toThrow(/below a checkpoint/);
  expect((await trail(scene)).map(({ seq }) => seq)).toEqual(numbersTo(length).slice(2));
});

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

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
