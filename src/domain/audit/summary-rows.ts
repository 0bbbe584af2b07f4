// The audit events that are summarized when one actor repeats them. The first ones have rows of
// their own; further ones share a summary row per window, with counts.

import { failedLoginsToldPerMinute, maxAuditSumsInFull, maxServicesPerReport } from "../limits.ts";
import type { AuditAction } from "./audit-events.ts";

export interface SumRule {
  /** The counted events, in the plural: "37 more health changes within a minute". */
  noun: string;
  windowSeconds: number;
  /** How many rows of its own an actor can have at once, and how many each window adds to that. */
  inFull: number;
  refill: number;
  /** How many of these one item can have, until a window without any. Unlimited if absent. */
  inFullEach?: number;
  /** The metadata key of the counts by item. A list names all items, each with its own key. */
  items: string | readonly string[];
  /** Whether each item has its own summary rows, and is their target. */
  apart?: boolean;
}

const minute = { windowSeconds: 60 } as const;
const byActor = { ...minute, inFull: maxAuditSumsInFull, refill: maxAuditSumsInFull } as const;
/** The first changes of every service that an agent can report, then 60 a minute. */
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
    inFull: failedLoginsToldPerMinute,
    refill: failedLoginsToldPerMinute,
    items: ["failed", "refused"],
  },
  "session.login.succeeded": { ...byActor, noun: "sign-ins", items: "networks" },
  "session.logout": { ...byActor, noun: "sign-outs", items: "networks" },
  /** Only for the user's own sessions. */
  "user.sessions.revoked": { ...byActor, noun: "revocations of sessions", items: "users" },
  "audit.exported": { ...byActor, noun: "exports", items: "formats" },
  "access.denied": { ...byActor, noun: "refused calls", inFullEach: 1, items: "routes" },
  "command.result.late": { ...byActor, noun: "late results", inFullEach: 2, items: "commands" },
  "bus.event.duplicate": { ...byActor, noun: "repeated events", inFullEach: 1, items: "events" },
  /**
   * Only rate limit refusals, and events from operators that name no service. Other refusals of an
   * agent have a row each, because they count against its rate.
   */
  "bus.event.rejected": { ...byActor, noun: "refused events", inFullEach: 1, items: "codes" },
  /** By agent and service, as long as the agent keeps reporting the service. */
  "service.claim.refused": {
    noun: "refused reports",
    windowSeconds: 3600,
    inFull: 1,
    refill: 1,
    inFullEach: 1,
    items: "services",
    apart: true,
  },
  /** What an agent reports about itself. */
  "agent.updated": { ...byActor, noun: "changes", inFullEach: 4, items: "agents" },
  "service.health.changed": { ...ofService, noun: "health changes" },
  "service.version.changed": { ...ofService, noun: "version changes" },
  "service.config.changed": { ...ofService, noun: "configuration changes" },
  "service.actions.changed": { ...ofService, noun: "action changes" },
} satisfies Partial<Record<AuditAction, SumRule>>;

export type SummedAction = keyof typeof sumRules;
