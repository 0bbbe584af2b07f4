// The audit trail: who did what to what, with which outcome. One row per event, chained by HMAC.
// The chain itself is written in the store.

import type { JsonObject } from "../payload/json.ts";

export const actorTypes = ["USER", "API_KEY", "AGENT", "SYSTEM", "LOCAL"] as const;
export type ActorType = (typeof actorTypes)[number];

export const auditResults = ["SUCCESS", "FAILURE", "DENIED"] as const;
export type AuditResult = (typeof auditResults)[number];

export const exportFormats = ["json", "jsonl", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const auditActions = [
  "session.login.succeeded",
  "session.login.failed",
  "session.login.locked",
  "session.logout",
  "user.created",
  "user.updated",
  "user.deleted",
  "user.password.changed",
  "user.sessions.revoked",
  "api_key.created",
  "api_key.revoked",
  "api_key.deleted",
  "registration_token.created",
  "registration_token.consumed",
  "registration_token.revoked",
  "registration_token.deleted",
  "registration_token.rejected",
  "agent.registered",
  "agent.disabled",
  "agent.enabled",
  "agent.token.rotated",
  "agent.token.revoked",
  "agent.deleted",
  "agent.online",
  "agent.offline",
  "agent.stopped",
  "agent.updated",
  "service.reported",
  "service.moved",
  "service.deleted",
  "service.claim.refused",
  "service.version.changed",
  "service.config.changed",
  "service.actions.changed",
  "service.health.changed",
  "action.prepare.requested",
  "command.created",
  "command.dispatched",
  "command.redelivered",
  "command.completed",
  "command.failed",
  "command.cancelled",
  "command.expired",
  "command.retried",
  "command.result.late",
  "command.pruned",
  "bus.event.received",
  "bus.event.duplicate",
  "bus.event.rejected",
  "bus.route.created",
  "bus.route.updated",
  "bus.route.deleted",
  "bus.route.matched",
  "bus.route.dry_run",
  "bus.route.failed",
  "settings.updated",
  "maintenance.run",
  "backup.created",
  "backup.restored",
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
  "audit",
  "bus_event",
  "bus_route",
  "command",
  "database",
  "registration_token",
  "route",
  "service",
  "session",
  "settings",
  "system",
  "user",
] as const;
export type AuditTargetType = (typeof auditTargetTypes)[number];

export interface AuditActor {
  actorType: ActorType;
  actorId: string | null;
  actorName: string | null;
}

/** What a use case says happened; who and when are added from its context. */
export interface AuditEntry {
  action: AuditAction;
  targetType: AuditTargetType;
  targetId: string | null;
  result?: AuditResult;
  message?: string;
  metadata?: Record<string, unknown>;
}

/** A row's place in the chain. */
export interface ChainLink {
  seq: number;
  hash: string;
}

/** An audit event as it is stored. `at` is Unix milliseconds, `seq` has no gaps. */
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
  /** HMAC over the hash before and this row. */
  hash: string;
}
