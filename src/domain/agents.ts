// Agents: programs next to managed services. Their stored states, and rules about them.

import type { Json } from "./payload/json.ts";

/** What the audit trail records of agents. */
export const audited = {
  targetType: "agent",
  actions: [
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
  ],
} as const;

export const agentStatuses = ["ONLINE", "OFFLINE", "DISABLED"] as const;
export type AgentStatus = (typeof agentStatuses)[number];

/** Usual modes are `embedded`, `sidecar` and `external`. */
export const agentModePattern = /^[a-z][a-z0-9_-]{0,31}$/;

/** Codes of agents and services. They need no quoting in a URL or a shell word. */
export const codePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

export const tokenStates = ["ACTIVE", "REVOKED", "NONE"] as const;
export type TokenState = (typeof tokenStates)[number];

/** Why an agent is not ONLINE. */
export const offlineReasons = ["DISABLED", "TOKEN_REVOKED", "STOPPED", "SILENT"] as const;
export type OfflineReason = (typeof offlineReasons)[number];

/** The facts that decide whether an agent's calls can be expected. */
export interface AgentStanding {
  status: AgentStatus;
  hasActiveToken: boolean;
  /** Unix milliseconds; null when the agent never called. */
  lastHeartbeatAt: number | null;
}

/** Returns the first reason that applies; null for an agent that is ONLINE. */
export function offlineReasonOf(
  agent: Pick<AgentStanding, "status" | "hasActiveToken"> & { hasStopped: boolean },
): OfflineReason | null {
  if (agent.status === "DISABLED") return "DISABLED";
  if (!agent.hasActiveToken) return "TOKEN_REVOKED";
  if (agent.status !== "OFFLINE") return null;
  return agent.hasStopped ? "STOPPED" : "SILENT";
}

/** How long an agent may be silent before it counts as offline. */
interface OfflineThreshold {
  offlineMs: number;
}

/** An agent whose last sign of life is older than this is silent. Also a parameter of SQL queries. */
export function silentBefore(now: number, { offlineMs }: OfflineThreshold): number {
  return now - offlineMs;
}

/** Whether an agent has not called for the offline threshold, or never. */
export function isSilent(
  lastHeartbeatAt: number | null,
  now: number,
  threshold: OfflineThreshold,
): boolean {
  return lastHeartbeatAt === null || lastHeartbeatAt < silentBefore(now, threshold);
}

/** Returns the status of an agent after it is enabled again. */
export function statusWhenEnabled(
  {
    hasActiveToken,
    lastHeartbeatAt,
    stoppedAt,
  }: Omit<AgentStanding, "status"> & { stoppedAt: number | null },
  now: number,
  threshold: OfflineThreshold,
): AgentStatus {
  const alive = !isSilent(lastHeartbeatAt, now, threshold);
  return hasActiveToken && alive && stoppedAt === null ? "ONLINE" : "OFFLINE";
}

/** The scope of a registration token: an agent's code, or the beginning of one followed by `*`. */
export const agentCodeScopePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,126}(?:[A-Za-z0-9._:-]|\*)?$/;

/** Whether a code equals `scope`, or begins with the text before its `*`. */
export function isCodeInScope(code: string, scope: string): boolean {
  return scope.endsWith("*") ? code.startsWith(scope.slice(0, -1)) : code === scope;
}

/** An agent as it is stored. Times are Unix milliseconds. */
export interface Agent {
  id: string;
  code: string;
  name: string | null;
  mode: string;
  runtime: Json;
  version: string | null;
  labels: Record<string, string>;
  status: AgentStatus;
  registeredAt: number;
  updatedAt: number;
  lastHeartbeatAt: number | null;
  disabledAt: number | null;
  /** When it reported that it goes offline; null after it has called again. */
  stoppedAt: number | null;
  tokenState: TokenState;
  hasActiveToken: boolean;
}
