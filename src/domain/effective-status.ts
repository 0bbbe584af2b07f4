// What a service's state is right now, from what its agent last said and when.
// Recomputed for every request; the first match wins. store/tables/services.ts has the same table in SQL
// for filters; a test compares them. (docs/decisions/0008-effective-status.md)

import type { AgentStatus } from "./agents.ts";
import type { EffectiveStatus } from "./services.ts";

/** All in milliseconds. */
export interface StatusThresholds {
  /** Without a sign of life for this long, an agent's services are STALE. */
  offlineMs: number;
  /** Without a sign of life for this long, they are OFFLINE. */
  suppressMs: number;
  /** Without a report for this long, a service is STALE. */
  serviceStaleMs: number;
}

export interface StatusFacts {
  agentStatus: AgentStatus;
  agentHasActiveToken: boolean;
  /** It has said that it stops, and not called since. */
  agentHasStopped: boolean;
  /** Unix milliseconds; null when the agent never called. */
  lastHeartbeatAt: number | null;
  lastReportedAt: number | null;
  healthStatus: string | null;
}

export type HealthClass = "healthy" | "unhealthy" | "unknown";

const healthy = ["UP", "HEALTHY"];
const unhealthy = ["DEGRADED", "DOWN", "UNHEALTHY"];

/** The meaning of a reported health word; letter case does not matter. */
export function classifyHealth(healthStatus: string | null): HealthClass {
  if (healthStatus === null) return "unknown";
  const word = healthStatus.toUpperCase();
  if (healthy.includes(word)) return "healthy";
  return unhealthy.includes(word) ? "unhealthy" : "unknown";
}

/** The status that health alone gives: rows 5 and 6 of the table. */
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
  const silentMs = facts.lastHeartbeatAt === null ? Infinity : now - facts.lastHeartbeatAt;
  if (silentMs > thresholds.suppressMs) return "OFFLINE";
  if (silentMs > thresholds.offlineMs) return "STALE";
  const reportAgeMs = facts.lastReportedAt === null ? 0 : now - facts.lastReportedAt;
  if (reportAgeMs > thresholds.serviceStaleMs) return "STALE";
  return statusOfHealth(classifyHealth(facts.healthStatus));
}
