// Services that need attention because of a problem, and operators' notes about them.

import type { EffectiveStatus } from "./services.ts";

/** From the most urgent to the least. Services whose status is UNKNOWN have no problem. */
export const problems = ["UNHEALTHY", "FLAPPING", "STALE", "OFFLINE"] as const;
export type Problem = (typeof problems)[number];

/**
 * Why a service has its problem. HEALTH: the agent reported it. CHANGES: the health changes often.
 * NOT_REPORTED: the agent calls the server, but has not reported the service. NOT_REPORTED_YET: the
 * service was moved to the agent, which has not reported it since. The others are about the agent.
 */
export const causes = [
  "HEALTH",
  "CHANGES",
  "NOT_REPORTED",
  "NOT_REPORTED_YET",
  "AGENT_SILENT",
  "AGENT_STOPPED",
  "AGENT_WITHOUT_TOKEN",
  "AGENT_DISABLED",
] as const;
export type Cause = (typeof causes)[number];

export const noteKinds = ["ACKNOWLEDGED", "SILENCED"] as const;
export type NoteKind = (typeof noteKinds)[number];

/** 15 minutes, 1 hour, 8 hours and 24 hours. */
export const silenceSeconds = [900, 3600, 28_800, 86_400] as const;

/**
 * A service is flapping if its health has changed this often within this time. `kept` limits how
 * many changes are stored.
 */
export const flapping = { changes: 5, windowMs: 15 * 60_000, kept: 20 } as const;

export interface ChangeTimes {
  /** Unix milliseconds, oldest first. */
  times: number[];
  flappingUntil: number | null;
}

/**
 * Adds a change. Times that no longer matter, or that are in the future because the clock was set
 * back, are dropped.
 */
export function withChange(times: readonly number[], at: number): ChangeTimes {
  const recent = times.filter((time) => time > at - flapping.windowMs && time <= at);
  const kept = [...recent, at].slice(-flapping.kept);
  const decisive = kept.at(-flapping.changes);
  return {
    times: kept,
    flappingUntil: decisive === undefined ? null : decisive + flapping.windowMs,
  };
}

/** The facts that determine which problem a service has. Times are Unix milliseconds. */
export interface ProblemFacts {
  status: EffectiveStatus;
  healthChangedAt: number | null;
  createdAt: number;
  lastReportedAt: number;
  removedAt: number | null;
  movedAt: number | null;
  /** Whether the agent has not called for so long that its services are STALE. */
  isSilent: boolean;
  agentStatus: string;
  hasActiveToken: boolean;
  lastHeartbeatAt: number | null;
  registeredAt: number;
  stoppedAt: number | null;
  disabledAt: number | null;
  tokenRevokedAt: number | null;
  /**
   * When the health of a flapping service changed, oldest first; null if the service is not
   * flapping.
   */
  changes: readonly number[] | null;
}

interface ServiceProblem {
  problem: Problem;
  cause: Cause;
  /** Unix milliseconds. */
  since: number;
}

/** Returns null for a service without a problem, or one that its agent no longer manages. */
export function problemOf(facts: ProblemFacts): ServiceProblem | null {
  const { status, changes } = facts;
  if (facts.removedAt !== null) return null;
  const heard = facts.lastHeartbeatAt ?? facts.registeredAt;
  if (status === "OFFLINE") return { problem: status, ...whyOffline(facts, heard) };
  if (status === "STALE" && facts.isSilent) {
    return { problem: status, cause: "AGENT_SILENT", since: heard };
  }
  if (facts.movedAt !== null) {
    return { problem: "STALE", cause: "NOT_REPORTED_YET", since: facts.movedAt };
  }
  if (status === "STALE") {
    return { problem: status, cause: "NOT_REPORTED", since: facts.lastReportedAt };
  }
  if (changes !== null) {
    return { problem: "FLAPPING", cause: "CHANGES", since: changes[0] ?? facts.createdAt };
  }
  if (status !== "UNHEALTHY") return null;
  return { problem: status, cause: "HEALTH", since: facts.healthChangedAt ?? facts.createdAt };
}

function whyOffline(facts: ProblemFacts, heard: number): Omit<ServiceProblem, "problem"> {
  const { agentStatus, hasActiveToken, stoppedAt } = facts;
  const cause = causeOfOffline({ agentStatus, hasActiveToken, hasStopped: stoppedAt !== null });
  const times: { readonly [Reason in Cause]?: number | null } = {
    AGENT_DISABLED: facts.disabledAt,
    AGENT_WITHOUT_TOKEN: facts.tokenRevokedAt,
    AGENT_STOPPED: stoppedAt,
  };
  return { cause, since: times[cause] ?? heard };
}

/** Why a service is OFFLINE. */
export function causeOfOffline(agent: {
  agentStatus: string;
  hasActiveToken: boolean;
  hasStopped: boolean;
}): Cause {
  if (agent.agentStatus === "DISABLED") return "AGENT_DISABLED";
  if (!agent.hasActiveToken) return "AGENT_WITHOUT_TOKEN";
  return agent.hasStopped ? "AGENT_STOPPED" : "AGENT_SILENT";
}

/** What an operator has said about a service. Times are Unix milliseconds. */
export interface ServiceNote {
  kind: NoteKind;
  note: string | null;
  by: string | null;
  at: number;
  /** The acknowledged problem; null for a silence. */
  problem: Problem | null;
  since: number | null;
  /** The end of a silence; null for an acknowledgement. */
  until: number | null;
}

/**
 * A silence holds until its end. An acknowledgement holds while the service has the same problem,
 * with the same beginning. The beginning of flapping moves, so an acknowledgement of flapping holds
 * until the flapping ends.
 */
export function holds(note: ServiceNote, found: ServiceProblem | null, now: number): boolean {
  if (note.until !== null) return note.until > now;
  if (found === null || note.problem !== found.problem) return false;
  return found.problem === "FLAPPING" || note.since === found.since;
}
