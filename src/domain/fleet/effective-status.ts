// The status of a service, derived for each request. store/tables/fleet/service-statuses.ts has the
// same rules in SQL for filters, and a test compares them.
// (docs/decisions/0008-effective-status.md)

import { type AgentStatus, isSilent } from "./agents.ts";
import { type Cause, causeOfOffline } from "./attention.ts";
import type { EffectiveStatus } from "./services.ts";

export interface StatusThresholds {
  /** An agent's services are STALE if it has not called for this long. */
  offlineMs: number;
  /** An agent's services are OFFLINE if it has not called for this long. */
  suppressMs: number;
  /** A service is STALE if it has not been reported for this long. */
  serviceStaleMs: number;
}

export interface StatusFacts {
  agentStatus: AgentStatus;
  agentHasActiveToken: boolean;
  /** Whether the agent has reported that it was going offline, and has not called since. */
  agentHasStopped: boolean;
  /** Unix milliseconds; null if the agent has never called. */
  lastHeartbeatAt: number | null;
  lastReportedAt: number | null;
  healthStatus: string | null;
}

type HealthClass = "healthy" | "unhealthy" | "unknown";

const healthy = ["UP", "HEALTHY"];
const unhealthy = ["DEGRADED", "DOWN", "UNHEALTHY"];

/** Ignores letter case. */
export function classifyHealth(healthStatus: string | null): HealthClass {
  if (healthStatus === null) return "unknown";
  const word = healthStatus.toUpperCase();
  if (healthy.includes(word)) return "healthy";
  return unhealthy.includes(word) ? "unhealthy" : "unknown";
}

export function statusOfHealth(health: HealthClass): EffectiveStatus {
  if (health === "unknown") return "UNKNOWN";
  return health === "healthy" ? "HEALTHY" : "UNHEALTHY";
}

export function effectiveStatus(
  facts: StatusFacts,
  now: number,
  thresholds: StatusThresholds,
): EffectiveStatus {
  const { agentStatus, agentHasActiveToken, agentHasStopped } = facts;
  if (agentStatus === "DISABLED" || !agentHasActiveToken || agentHasStopped) return "OFFLINE";
  const { lastHeartbeatAt } = facts;
  if (lastHeartbeatAt === null || now - lastHeartbeatAt > thresholds.suppressMs) return "OFFLINE";
  if (isSilent(lastHeartbeatAt, now, thresholds)) return "STALE";
  return statusOfReport(facts, now, thresholds);
}

/** Returns the status of a service whose agent is not silent. */
export function statusOfReport(
  { lastReportedAt, healthStatus }: Pick<StatusFacts, "lastReportedAt" | "healthStatus">,
  now: number,
  { serviceStaleMs }: Pick<StatusThresholds, "serviceStaleMs">,
): EffectiveStatus {
  const reportAgeMs = lastReportedAt === null ? 0 : now - lastReportedAt;
  if (reportAgeMs > serviceStaleMs) return "STALE";
  return statusOfHealth(classifyHealth(healthStatus));
}

/** Why the status does not come from a current report of the agent. Null if it does. */
export function causeOfStatus(
  facts: StatusFacts & { movedAt: number | null },
  now: number,
  thresholds: StatusThresholds,
): Cause | null {
  const status = effectiveStatus(facts, now, thresholds);
  if (status === "OFFLINE") {
    const { agentStatus, agentHasActiveToken, agentHasStopped } = facts;
    return causeOfOffline({
      agentStatus,
      hasActiveToken: agentHasActiveToken,
      hasStopped: agentHasStopped,
    });
  }
  if (status === "STALE" && isSilent(facts.lastHeartbeatAt, now, thresholds)) return "AGENT_SILENT";
  if (facts.movedAt !== null) return "NOT_REPORTED_YET";
  return status === "STALE" ? "NOT_REPORTED" : null;
}
