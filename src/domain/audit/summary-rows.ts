// The audit events that are summarized when one actor repeats them: the first ones get their own
// rows, and further ones share a summary row per window.

import {
  failedLoginsAuditedPerMinute,
  maxAuditSumsInFull,
  maxServicesPerReport,
} from "../limits.ts";
import type { AuditAction } from "./audit-events.ts";

export interface SumRule {
  /** The plural name of the counted events: "37 more health changes within a minute". */
  noun: string;
  windowSeconds: number;
  /** How many rows an actor can use before events are summarized, and how many each window adds. */
  inFull: number;
  refill: number;
  /** How many rows an item gets. It gets more after a window without it. Unlimited if absent. */
  inFullEach?: number;
  /** The metadata key for counts by item, or the names of all items, which are then the keys. */
  items: string | readonly string[];
  /** Whether each item has its own summary rows, with the item as their target. */
  apart?: boolean;
}

const minute = { windowSeconds: 60 } as const;
const hourly = { windowSeconds: 3600, inFull: 1, refill: 1 } as const;
const byActor = { ...minute, inFull: maxAuditSumsInFull, refill: maxAuditSumsInFull } as const;
/** Allows the first changes of every service that an agent can report, then 60 a minute. */
const ofService = {
  ...minute,
  inFull: maxServicesPerReport,
  refill: 60,
  inFullEach: 4,
  items: "services",
} as const;

export const sumRules = {
  "session.login.failed": {
    ...minute,
    noun: "failed sign-ins",
    inFull: failedLoginsAuditedPerMinute,
    refill: failedLoginsAuditedPerMinute,
    items: ["failed", "refused"],
  },
  "session.login.succeeded": { ...byActor, noun: "sign-ins", items: "networks" },
  "session.logout": { ...byActor, noun: "sign-outs", items: "networks" },
  /** Used only when users end their own sessions. */
  "user.sessions.revoked": { ...byActor, noun: "revocations of sessions", items: "users" },
  "audit.exported": { ...byActor, noun: "exports", items: "formats" },
  /** Used only for users' own views. */
  "saved_view.created": { ...byActor, noun: "new views", items: "views" },
  "saved_view.updated": { ...byActor, noun: "changes of views", items: "views" },
  "saved_view.deleted": { ...byActor, noun: "deleted views", items: "views" },
  "access.denied": { ...byActor, noun: "refused calls", inFullEach: 1, items: "routes" },
  "command.result.late": { ...byActor, noun: "late results", inFullEach: 2, items: "commands" },
  "bus.event.duplicate": { ...byActor, noun: "repeated events", inFullEach: 1, items: "events" },
  /** Used for events over the rate limit, and for operators' events about unknown services. */
  "bus.event.rejected": { ...byActor, noun: "refused events", inFullEach: 1, items: "codes" },
  /** Counted by agent and service, as long as the agent keeps reporting the service. */
  "service.claim.refused": {
    ...hourly,
    noun: "refused reports",
    inFullEach: 1,
    items: "services",
    apart: true,
  },
  "approval.refused": {
    ...byActor,
    noun: "refused decisions",
    inFullEach: 2,
    items: "approvals",
  },
  /** Two programs that share a token keep replacing each other, as long as both run. */
  "agent.duplicated": {
    ...hourly,
    noun: "calls of a second program",
    inFullEach: 1,
    items: "agents",
  },
  "agent.updated": { ...byActor, noun: "changes", inFullEach: 4, items: "agents" },
  "service.removed": { ...ofService, noun: "removals" },
  "service.restored": { ...ofService, noun: "returns" },
  "service.health.changed": { ...ofService, noun: "health changes" },
  "service.updated": { ...ofService, noun: "changes" },
  "service.version.changed": { ...ofService, noun: "version changes" },
  "service.config.changed": { ...ofService, noun: "configuration changes" },
  "service.actions.changed": { ...ofService, noun: "action changes" },
} satisfies Partial<Record<AuditAction, SumRule>>;

export type SummedAction = keyof typeof sumRules;
