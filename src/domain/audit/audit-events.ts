// The audit trail: one row per event, chained by HMAC. The store writes the chain.

import type { JsonObject } from "../payload/json.ts";
import type { Principal } from "../principals.ts";
import { nounActions, nounTargetTypes } from "./nouns.ts";

export const actorTypes = ["USER", "API_KEY", "AGENT", "SYSTEM", "LOCAL"] as const;
export type ActorType = (typeof actorTypes)[number];

export const auditResults = ["SUCCESS", "FAILURE", "DENIED"] as const;
export type AuditResult = (typeof auditResults)[number];

export const exportFormats = ["json", "jsonl", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

const otherActions = [
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
export const auditActions = [...nounActions, ...otherActions] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditTargetTypes = [
  ...nounTargetTypes,
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
