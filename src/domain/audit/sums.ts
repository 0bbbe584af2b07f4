// Which audit events are summed when one actor repeats them, and from when on. What an actor does for the
// first time has a row of its own; a storm of it has one row for each window of time, with the counts.

import { failedLoginsToldPerMinute, maxAuditSumsInFull, maxServicesPerReport } from "../limits.ts";
import type { AuditAction } from "./audit-events.ts";

export interface SumRule {
  /** What is counted, in the plural: "37 more health changes within a minute". */
  noun: string;
  windowSeconds: number;
  /** How many rows in full an actor has at most, and how many of them each window gives back. */
  inFull: number;
  refill: number;
  /** How many of them one item has, until it was quiet for a window. Without: as many as there are. */
  inFullEach?: number;
  /** Where the sum's metadata has the counts by item; a list names all items, each with its own key. */
  items: string | readonly string[];
  /** Each item has sums of its own, so that it is the target of their rows. */
  apart?: boolean;
}

const minute = { windowSeconds: 60 } as const;
const byActor = { ...minute, inFull: maxAuditSumsInFull, refill: maxAuditSumsInFull } as const;
/** The first changes of every service that an agent may report, and a minute's worth from then on. */
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
  /** Of one's own sessions. */
  "user.sessions.revoked": { ...byActor, noun: "ends of sessions", items: "users" },
  "audit.exported": { ...byActor, noun: "exports", items: "formats" },
  "access.denied": { ...byActor, noun: "refused calls", inFullEach: 1, items: "routes" },
  "command.result.late": { ...byActor, noun: "late results", inFullEach: 2, items: "commands" },
  "bus.event.duplicate": { ...byActor, noun: "repeated events", inFullEach: 1, items: "events" },
  /**
   * Of events that are too many, and of an operator's that name no service. An agent's other refusals have a row
   * each: they count against its rate.
   */
  "bus.event.rejected": { ...byActor, noun: "refused events", inFullEach: 1, items: "codes" },
  /** By agent and service, for as long as the agent goes on reporting it. */
  "service.claim.refused": {
    noun: "refused reports",
    windowSeconds: 3600,
    inFull: 1,
    refill: 1,
    inFullEach: 1,
    items: "services",
    apart: true,
  },
  /** What an agent says of itself. */
  "agent.updated": { ...byActor, noun: "changes", inFullEach: 4, items: "agents" },
  "service.health.changed": { ...ofService, noun: "health changes" },
  "service.version.changed": { ...ofService, noun: "changes of version" },
  "service.config.changed": { ...ofService, noun: "changes of configuration" },
  "service.actions.changed": { ...ofService, noun: "changes of actions" },
} satisfies Partial<Record<AuditAction, SumRule>>;

export type SummedAction = keyof typeof sumRules;
