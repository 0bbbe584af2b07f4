// When each audit event is written, and what its metadata contains. `npm run generate` writes
// docs/reference/audit-actions.md from it.

import type { AuditAction } from "./audit-events.ts";

interface AuditGuide {
  /** Continues the words "is written when". */
  when: string;
  /**
   * The possible keys, in their order. `<…>` matches several keys. Rows that summarize repeated
   * events have other keys (docs/guides/audit.md "Repeated events").
   */
  metadata: readonly string[];
}

const approval = [
  "kind",
  "title",
  "action",
  "serviceCode",
  "subjectId",
  "requestedBy",
  "requesterId",
];
const request = [...approval, "policies"];
const route = ["name", "eventId", "serviceCode", "action"];
const routeRule = ["name", "state", "match", "target", "payload"];
const policyRule = [
  ...["name", "description", "order", "dangerLevel", "action", "selector"],
  ...["approvals", "approvers", "expiresAfterSeconds"],
];
const scheduleRule = [
  ...["name", "description", "state", "cron", "everySeconds", "timezone", "until"],
  ...["missed", "overlap", "target"],
];
const command = ["action", "serviceCode"];
const created = [
  ...command,
  ...["agentId", "eventId", "routeId", "rolloutId", "scheduleId", "approvalId"],
];
const note = ["code", "services", "codes", "groupId", "problem"];
const rollout = ["name", "action"];
const view = ["name", "shared", "noun", "query"];

export const auditGuide: Readonly<Record<AuditAction, AuditGuide>> = {
  "agent.registered": {
    when: "an agent registers under a new code",
    metadata: ["code", "mode", "registrationTokenId"],
  },
  "agent.disabled": { when: "an operator disables an agent", metadata: ["code"] },
  "agent.enabled": { when: "an operator enables an agent again", metadata: ["code"] },
  "agent.token.rotated": {
    when: "an agent registers again under its code, which revokes its earlier token",
    metadata: ["code", "mode", "registrationTokenId"],
  },
  "agent.token.revoked": { when: "an operator revokes an agent's token", metadata: ["code"] },
  "agent.deleted": {
    when: "an operator, or the retention of silent agents, deletes an agent",
    metadata: ["code", "mode"],
  },
  "agent.online": { when: "an OFFLINE agent calls again", metadata: ["code"] },
  "agent.offline": {
    when: "the maintenance sweep finds that an agent has been silent for longer than the threshold",
    metadata: ["code"],
  },
  "agent.stopped": { when: "an agent reports that it is stopping", metadata: ["code"] },
  "agent.duplicated": {
    when: "two programs use the token of an agent at the same time",
    metadata: ["code"],
  },
  "agent.updated": {
    when: "an agent reports a different name, version or runtime, or different labels or features",
    metadata: ["code", "changed"],
  },
  "agent.labels.changed": {
    when: "labels are assigned to an agent, or removed from it",
    metadata: ["code", "changes"],
  },
  "api_key.created": {
    when: "an API key is created",
    metadata: ["name", "role", "expiresAt", "forUser"],
  },
  "api_key.revoked": {
    when: "somebody revokes an API key, or its user is disabled, demoted or deleted",
    metadata: ["name", "role", "because", "userId"],
  },
  "api_key.deleted": {
    when: "an API key that no longer works is deleted",
    metadata: ["name", "role", "status"],
  },
  "approval.requested": {
    when: "somebody requests something that needs approval; the message is the reason given",
    metadata: [...request, "digest"],
  },
  "approval.approved": {
    when: "somebody approves a request; each approver has a row",
    metadata: [...request, "digest", "unmet", "commandId"],
  },
  "approval.rejected": { when: "somebody rejects a request", metadata: request },
  "approval.withdrawn": {
    when: "somebody withdraws a request, or cancels what was requested",
    metadata: request,
  },
  "approval.expired": {
    when: "a request expires before it is decided",
    metadata: request,
  },
  "approval.outdated": {
    when: "a request ends because what would run has changed since the request was made",
    metadata: request,
  },
  "approval.failed": {
    when: "a request has all its approvals, but the requester may no longer run actions",
    metadata: request,
  },
  "approval.bypassed": {
    when: "an owner runs something without the approval that a policy requires; the message is the reason",
    metadata: [...request, "commandId"],
  },
  "approval.refused": {
    when: "somebody without permission tries to decide on a request, or to bypass approval",
    metadata: [...approval, "code", "tried"],
  },
  "bus.event.received": {
    when: "the event bus accepts an event",
    metadata: ["type", "source", "causationid", "sourceEventId", "depth"],
  },
  "bus.event.duplicate": {
    when: "an event arrives again",
    metadata: ["type", "source", "causationid", "sourceEventId"],
  },
  "bus.event.rejected": {
    when: "the event bus refuses an event; `code` is the error",
    metadata: ["type", "source", "causationid", "sourceEventId", "code"],
  },
  "bus.route.created": { when: "a route is created", metadata: [...routeRule, "declared"] },
  "bus.route.updated": {
    when: "a route is changed",
    metadata: ["name", "version", "changes", "declared"],
  },
  "bus.route.deleted": {
    when: "a route is deleted",
    metadata: [...routeRule, "version", "declared"],
  },
  "bus.route.matched": {
    when: "an event matches a route, and the route creates a command",
    metadata: [...route, "commandId"],
  },
  "bus.route.dry_run": {
    when: "an event matches a route in the state DRY_RUN; the route creates no command",
    metadata: route,
  },
  "bus.route.failed": {
    when: "an event matches a route, but no command can be created; the message says why",
    metadata: route,
  },
  "command.created": {
    when: "somebody, a route, a rollout or a schedule creates a command that runs an action",
    metadata: created,
  },
  "command.dispatched": {
    when: "a poll delivers a command to its agent",
    metadata: [...command, "deliveries"],
  },
  "command.redelivered": {
    when: "a command is delivered again because the agent does not have it",
    metadata: [...command, "deliveries"],
  },
  "command.completed": {
    when: "an agent reports the success of a command",
    metadata: ["type", ...command],
  },
  "command.failed": {
    when: "an agent reports the failure of a command, or can no longer run it as requested",
    metadata: ["type", ...command, "from", "errorCode"],
  },
  "command.cancelled": {
    when: "an operator cancels a command, or a rollout with its open commands",
    metadata: [...command, "from"],
  },
  "command.expired": {
    when: "an agent does not fetch a command in time, or does not send its result in time",
    metadata: [...command, "from", "errorCode"],
  },
  "command.retried": {
    when: "a command is retried; the target is the original command",
    metadata: [...command, "retriedAs"],
  },
  "command.plan.applied": {
    when: "a plan is applied; the target is the command that it creates",
    metadata: [...command, "planId", "createdBy", "createdAt"],
  },
  "command.result.late": {
    when: "a result arrives after its command has ended in another way",
    metadata: ["status", "success", "cancelOutcome"],
  },
  "command.pruned": {
    when: "a maintenance sweep deletes commands that ended before the time in `before`",
    metadata: ["before"],
  },
  "policy.created": {
    when: "an approval policy is created",
    metadata: [...policyRule, "declared"],
  },
  "policy.updated": {
    when: "an approval policy is changed",
    metadata: ["name", "version", "changes", "declared"],
  },
  "policy.deleted": {
    when: "an approval policy is deleted",
    metadata: [...policyRule, "declared"],
  },
  "registration_token.created": {
    when: "a registration token is created",
    metadata: ["name", "expiresAt", "agentCode", "replace", "labels"],
  },
  "registration_token.consumed": {
    when: "an agent registers with the token",
    metadata: ["name", "agentId", "agentCode"],
  },
  "registration_token.revoked": {
    when: "a registration token is revoked; `from` is its earlier status",
    metadata: ["name", "from"],
  },
  "registration_token.deleted": {
    when: "a registration token that no longer works is deleted",
    metadata: ["name", "status"],
  },
  "registration_token.rejected": {
    when: "an agent tries to register with a token that cannot be used; `reason` says why",
    metadata: ["reason", "agentCode"],
  },
  "rollout.created": {
    when: "a rollout is created; the message is the reason given",
    metadata: [...rollout, "targets", "waves", "leftOut", "retryOf", "scheduleId"],
  },
  "rollout.approved": {
    when: "a rollout that waited for approval is approved",
    metadata: [...rollout, "approvalId"],
  },
  "rollout.paused": {
    when: "somebody or one of the rollout's own rules pauses the rollout",
    metadata: [...rollout, "reason", "serviceCode", "policies"],
  },
  "rollout.resumed": { when: "a paused rollout is resumed", metadata: rollout },
  "rollout.cancelled": {
    when: "a rollout is cancelled, with or without its open commands, or is not approved",
    metadata: [...rollout, "commands", "reason"],
  },
  "rollout.succeeded": {
    when: "a rollout ends with no more failures than it allows",
    metadata: [...rollout, "failed", "notRun", "reason"],
  },
  "rollout.failed": {
    when: "a rollout ends because too many services are FAILED or NOT_RUN, or because its deadline has passed",
    metadata: [...rollout, "failed", "notRun", "reason"],
  },
  "saved_view.created": {
    when: "a view is saved; the name and content are omitted if the view is not shared",
    metadata: [...view, "declared"],
  },
  "saved_view.updated": {
    when: "a saved view is changed",
    metadata: ["name", "version", "changes", "declared"],
  },
  "saved_view.deleted": { when: "a saved view is deleted", metadata: [...view, "declared"] },
  "schedule.created": { when: "a schedule is created", metadata: [...scheduleRule, "declared"] },
  "schedule.updated": {
    when: "a schedule is changed",
    metadata: ["name", "version", "changes", "declared"],
  },
  "schedule.deleted": {
    when: "a schedule is deleted",
    metadata: [...scheduleRule, "version", "declared"],
  },
  "schedule.paused": { when: "a schedule is paused", metadata: ["name"] },
  "schedule.resumed": { when: "a paused schedule is resumed", metadata: ["name"] },
  "schedule.run.requested": {
    when: "somebody asks for a run of a schedule; the run may have to wait",
    metadata: ["name", "dueAt"],
  },
  "schedule.run.started": {
    when: "a run of a schedule starts",
    metadata: ["name", "dueAt", "commandId", "rolloutId"],
  },
  "schedule.run.skipped": {
    when: "a run of a schedule is skipped, because it was missed or would overlap the previous run, or because schedules are paused",
    metadata: ["name", "dueAt", "reason", "missedRuns"],
  },
  "schedule.run.failed": {
    when: "a run of a schedule cannot be started",
    metadata: ["name", "dueAt", "errorCode", "errorMessage"],
  },
  "schedules.paused": {
    when: "all schedules are paused; the message is the reason",
    metadata: [],
  },
  "schedules.resumed": {
    when: "the pause of all schedules ends; `since` is when it began",
    metadata: ["since"],
  },
  "service.reported": {
    when: "an agent reports a service for the first time",
    metadata: ["code", "version"],
  },
  "service.moved": {
    when: "a service moves to another agent; `reason` is present if no operator moved it",
    metadata: ["code", "from", "to", "fromAgentId", "toAgentId", "reason"],
  },
  "service.removed": {
    when: "an agent reports that it no longer manages a service; the service's data is kept",
    metadata: ["code"],
  },
  "service.restored": {
    when: "an agent reports a removed service again",
    metadata: ["code"],
  },
  "service.deleted": {
    when: "an operator deletes a service or its agent, or the retention of silent services deletes a service",
    metadata: ["code", "agentId", "agentCode"],
  },
  "service.claim.refused": {
    when: "the server refuses a service in a report, because another agent owns the service or the reporting agent has too many services",
    metadata: ["code", "reason", "agentCode", "limit"],
  },
  "service.updated": {
    when: "an agent reports a different name, description, runtime, manifest or labels of a service",
    metadata: ["code", "changed"],
  },
  "service.version.changed": {
    when: "an agent reports a different version of a service",
    metadata: ["code", "from", "to"],
  },
  "service.config.changed": {
    when: "an agent reports a different configuration of a service; `keys` contains the keys of the changed configs, never their values",
    metadata: ["code", "keys"],
  },
  "service.actions.changed": {
    when: "an agent reports different actions of a service",
    metadata: ["code"],
  },
  "service.health.changed": {
    when: "an agent reports a different health status of a service",
    metadata: ["code", "from", "to"],
  },
  "service.acknowledged": {
    when: "somebody acknowledges the problems of one or more services",
    metadata: [...note, "note"],
  },
  "service.silenced": {
    when: "somebody silences one or more services",
    metadata: [...note, "note", "until"],
  },
  "service.note.cleared": {
    when: "somebody ends the acknowledgement or silence of one or more services",
    metadata: note,
  },
  "service.labels.changed": {
    when: "labels are assigned to a service, or removed from it",
    metadata: ["code", "changes"],
  },
  "user.created": {
    when: "a user is created; `firstStart` marks the owner of a new server",
    metadata: ["username", "displayName", "role", "firstStart"],
  },
  "user.updated": {
    when: "a user's name, display name, role or status is changed",
    metadata: ["username", "changes", "sessionsEnded", "apiKeysRevoked"],
  },
  "user.deleted": {
    when: "a user is deleted",
    metadata: ["username", "role", "sessionsEnded", "apiKeysRevoked"],
  },
  "user.password.changed": {
    when: "a user changes their password, or an owner sets a user's password",
    metadata: ["username", "sessionsEnded"],
  },
  "user.sessions.revoked": {
    when: "a user ends their own sessions, or an owner ends a user's sessions",
    metadata: ["username", "ended", "sessionId"],
  },
  "session.login.succeeded": { when: "a user signs in", metadata: [] },
  "session.login.failed": {
    when: "a sign-in fails; an unknown username is not recorded, because it may be a password typed into the wrong field",
    metadata: ["username"],
  },
  "session.login.locked": {
    when: "failed sign-ins lock an account or a network",
    metadata: ["username", "locked"],
  },
  "session.logout": { when: "a user signs out", metadata: [] },
  "action.prepare.requested": {
    when: "somebody prepares an action (fetches its form from the agent); the target is the prepare command",
    metadata: created,
  },
  "settings.updated": {
    when: "settings are changed, or an owner confirms that the server's clock is right",
    metadata: ["<setting>", "retentionClock", "declared"],
  },
  "maintenance.run": {
    when: "somebody runs the maintenance sweep; automatic sweeps have no row",
    metadata: ["<count>"],
  },
  "maintenance.data_loss.accepted": {
    when: "an owner accepts the loss of confirmed changes",
    metadata: ["lostRow", "since", "host", "replaced"],
  },
  "backup.created": {
    when: "a backup is made",
    metadata: ["sizeBytes", "sha256", "auditHead", "auditProblem", "durationMs"],
  },
  "backup.restored": {
    when: "a server starts on a restored backup for the first time",
    metadata: [
      ...["restoredAt", "sizeBytes", "sha256", "auditHead", "replacedHead", "earlierRestores"],
      "migrations",
    ],
  },
  "database.moved": {
    when: "all data is moved from another database to this one",
    metadata: [
      ...[
        "moveId",
        "from",
        "to",
        "rows",
        "tables",
        "replacedTexts",
        "auditVerified",
        "auditProblem",
      ],
    ],
  },
  "database.reactivated": {
    when: "a database whose data was moved away is used again",
    metadata: ["moveId", "to", "movedAt"],
  },
  "audit.exported": { when: "somebody exports the audit trail", metadata: ["format", "filters"] },
  "audit.pruned": {
    when: "a maintenance sweep deletes rows that are older than the retention period",
    metadata: ["fromSeq", "upToSeq", "before"],
  },
  "audit.damaged": {
    when: "the server, a verification or a backup finds that rows were changed or are gone",
    metadata: ["lost"],
  },
  "access.denied": {
    when: "the caller's role does not permit a call; the target is the route",
    metadata: ["needed", "role", "kind"],
  },
  "system.started": { when: "a server starts", metadata: ["version"] },
  "system.stopped": { when: "a server stops", metadata: [] },
  "system.migrated": {
    when: "a server or `platform migrate` migrates the database to its own version",
    metadata: ["migrations"],
  },
};
