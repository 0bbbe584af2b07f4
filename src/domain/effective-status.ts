// The state of a service at this moment, derived for each request; the first match wins.
// store/tables/services.ts has the same table in SQL for filters, and a test compares them.
// (docs/decisions/0008-effective-status.md)

import { type AgentStatus, isSilent } from "./agents.ts";
import type { EffectiveStatus } from "./services.ts";

/** All in milliseconds. */
export interface StatusThresholds {
  /** After this long without a sign of life, an agent's services are STALE. */
  offlineMs: number;
  /** After this long without a sign of life, they are OFFLINE. */
  suppressMs: number;
  /** After this long without a report, a service is STALE. */
  serviceStaleMs: number;
}

export interface StatusFacts {
  agentStatus: AgentStatus;
  agentHasActiveToken: boolean;
  /** It reported that it goes offline, and has not called since. */
  agentHasStopped: boolean;
  /** Unix milliseconds; null if the agent never called. */
  lastHeartbeatAt: number | null;
  lastReportedAt: number | null;
  healthStatus: string | null;
}

export type HealthClass = "healthy" | "unhealthy" | "unknown";

const healthy = ["UP", "HEALTHY"];
const unhealthy = ["DEGRADED", "DOWN", "UNHEALTHY"];

/** Classifies a reported health word, ignoring letter case. */
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
  const { lastHeartbeatAt } = facts;
  if (lastHeartbeatAt === null || now - lastHeartbeatAt > thresholds.suppressMs) return "OFFLINE";
  if (isSilent(lastHeartbeatAt, now, thresholds)) return "STALE";
  const reportAgeMs = facts.lastReportedAt === null ? 0 : now - facts.lastReportedAt;
  if (reportAgeMs > thresholds.serviceStaleMs) return "STALE";
  return statusOfHealth(classifyHealth(facts.healthStatus));
}
