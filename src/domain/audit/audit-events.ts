// The audit trail: one row per event, chained by HMAC. The store writes the chain.

import type { Principal } from "../access/principals.ts";
import type { JsonObject } from "../payload/json.ts";

export const actorTypes = ["USER", "API_KEY", "AGENT", "SYSTEM", "LOCAL"] as const;
type ActorType = (typeof actorTypes)[number];

export const auditResults = ["SUCCESS", "FAILURE", "DENIED"] as const;
type AuditResult = (typeof auditResults)[number];

export const exportFormats = ["json", "jsonl", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const auditActions = [
  "agent.registered",
  "agent.disabled",
  "agent.enabled",
  "agent.token.rotated",
  "agent.token.revoked",
  "agent.deleted",
  "agent.online",
  "agent.offline",
  "agent.stopped",
  "agent.duplicated",
  "agent.updated",
  "agent.labels.changed",
  "api_key.created",
  "api_key.revoked",
  "api_key.deleted",
  "approval.requested",
  "approval.approved",
  "approval.rejected",
  "approval.withdrawn",
  "approval.expired",
  "approval.outdated",
  "approval.failed",
  "approval.bypassed",
  "approval.refused",
  "bus.event.received",
  "bus.event.duplicate",
  "bus.event.rejected",
  "bus.route.created",
  "bus.route.updated",
  "bus.route.deleted",
  "bus.route.matched",
  "bus.route.dry_run",
  "bus.route.failed",
  "command.created",
  "command.dispatched",
  "command.redelivered",
  "command.completed",
  "command.failed",
  "command.cancelled",
  "command.expired",
  "command.retried",
  "command.plan.applied",
  "command.result.late",
  "command.pruned",
  "policy.created",
  "policy.updated",
  "policy.deleted",
  "registration_token.created",
  "registration_token.consumed",
  "registration_token.revoked",
  "registration_token.deleted",
  "registration_token.rejected",
  "rollout.created",
  "rollout.approved",
  "rollout.paused",
  "rollout.resumed",
  "rollout.cancelled",
  "rollout.succeeded",
  "rollout.failed",
  "saved_view.created",
  "saved_view.updated",
  "saved_view.deleted",
  "schedule.created",
  "schedule.updated",
  "schedule.deleted",
  "schedule.paused",
  "schedule.resumed",
  "schedule.run.requested",
  "schedule.run.started",
  "schedule.run.skipped",
  "schedule.run.failed",
  "schedules.paused",
  "schedules.resumed",
  "service.reported",
  "service.moved",
  "service.removed",
  "service.restored",
  "service.deleted",
  "service.claim.refused",
  "service.updated",
  "service.version.changed",
  "service.config.changed",
  "service.actions.changed",
  "service.health.changed",
  "service.acknowledged",
  "service.silenced",
  "service.note.cleared",
  "service.labels.changed",
  "user.created",
  "user.updated",
  "user.deleted",
  "user.password.changed",
  "user.sessions.revoked",
  "session.login.succeeded",
  "session.login.failed",
  "session.login.locked",
  "session.logout",
  "action.prepare.requested",
  "settings.updated",
  "maintenance.run",
  "maintenance.data_loss.accepted",
  "backup.created",
  "backup.restored",
  "database.moved",
  "database.reactivated",
  "audit.exported",
  "audit.pruned",
  "audit.damaged",
  "access.denied",
  "system.started",
  "system.stopped",
  "system.migrated",
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditTargetTypes = [
  "agent",
  "api_key",
  "approval",
  "bus_event",
  "bus_route",
  "command",
  "policy",
  "registration_token",
  "rollout",
  "saved_view",
  "schedule",
  "service",
  "user",
  "audit",
  "database",
  "route",
  "session",
  "settings",
  "system",
] as const;
export type AuditTargetType = (typeof auditTargetTypes)[number];

/** The target types of actions whose names do not start with that type. */
const otherTargets: Partial<Record<AuditAction, AuditTargetType>> = {
  "session.login.failed": "user",
  "session.login.locked": "user",
  "action.prepare.requested": "command",
  "maintenance.run": "system",
  "maintenance.data_loss.accepted": "system",
  "backup.created": "database",
  "backup.restored": "database",
  "access.denied": "route",
};

const targetTypes = new Map(
  auditActions.map((action) => {
    const isStart = (type: string) => action.replace(".", "_").startsWith(type.replace(".", "_"));
    return [action, otherTargets[action] ?? auditTargetTypes.find(isStart)] as const;
  }),
);

export function targetTypeOf(action: AuditAction): AuditTargetType {
  return targetTypes.get(action) as AuditTargetType;
}

export interface AuditActor {
  actorType: ActorType;
  actorId: string | null;
  actorName: string | null;
}

export interface AuditEntry {
  action: AuditAction;
  /** Required if it is not `targetTypeOf(action)`. */
  targetType?: AuditTargetType;
  targetId: string | null;
  result?: AuditResult;
  message?: string;
  metadata?: Record<string, unknown>;
}

/** A row, and the call that made the change. */
export interface AuditRow {
  call: {
    principal: Principal;
    requestId: string | null;
    ip: string | null;
    userAgent: string | null;
  };
  entry: AuditEntry;
}

export interface ChainLink {
  seq: number;
  hash: string;
}

/**
 * Returns whether the trail has lost a row, and perhaps has another row in its place. `first` is
 * the first row of the trail whose number is at least that of `row`. Its number is higher if the
 * row was pruned.
 */
export function hasLost(row: ChainLink, first: ChainLink | undefined): boolean {
  return !first || (first.seq === row.seq && first.hash !== row.hash);
}

/** `at` is in Unix milliseconds; `seq` has no gaps. */
export interface AuditEvent extends AuditActor {
  seq: number;
  id: string;
  at: number;
  action: string;
  targetType: string;
  targetId: string | null;
  result: AuditResult;
  message: string | null;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  metadata: JsonObject;
  /** HMAC over the previous row's hash and this row. */
  hash: string;
}
