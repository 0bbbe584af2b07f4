// Agents: programs next to managed services. Their stored states and what follows from them.

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

/** `[a-z][a-z0-9_-]{0,31}`; `embedded`, `sidecar` and `external` are the usual ones. */
export const agentModePattern = /^[a-z][a-z0-9_-]{0,31}$/;

/** Codes of agents and services: what fits into a URL and a shell word without quoting. */
export const codePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

export const tokenStates = ["ACTIVE", "REVOKED", "NONE"] as const;
export type TokenState = (typeof tokenStates)[number];

/** Why an agent is not ONLINE. */
export const offlineReasons = ["DISABLED", "TOKEN_REVOKED", "STOPPED", "SILENT"] as const;
export type OfflineReason = (typeof offlineReasons)[number];

/** What decides whether calls of an agent can be expected. */
export interface AgentStanding {
  status: AgentStatus;
  hasActiveToken: boolean;
  /** Unix milliseconds; null when the agent never called. */
  lastHeartbeatAt: number | null;
}

/** The first that holds; null for an agent that is ONLINE. */
export function offlineReasonOf(
  agent: Pick<AgentStanding, "status" | "hasActiveToken"> & { hasStopped: boolean },
): OfflineReason | null {
  if (agent.status === "DISABLED") return "DISABLED";
  if (!agent.hasActiveToken) return "TOKEN_REVOKED";
  if (agent.status !== "OFFLINE") return null;
  return agent.hasStopped ? "STOPPED" : "SILENT";
}

/** The status an agent has after it is enabled again. */
export function statusWhenEnabled(
  {
    hasActiveToken,
    lastHeartbeatAt,
    stoppedAt,
  }: Omit<AgentStanding, "status"> & { stoppedAt: number | null },
  now: number,
  offlineThresholdMs: number,
): AgentStatus {
  const alive = lastHeartbeatAt !== null && now - lastHeartbeatAt <= offlineThresholdMs;
  return hasActiveToken && alive && stoppedAt === null ? "ONLINE" : "OFFLINE";
}

/** What a registration token may name: an agent's code, or the beginning of one and a `*`. */
export const agentCodeScopePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,126}(?:[A-Za-z0-9._:-]|\*)?$/;

/** Whether a code is `scope`, or begins with what stands before its `*`. */
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
  /** When it said that it stops; null once it has called again. */
  stoppedAt: number | null;
  tokenState: TokenState;
  hasActiveToken: boolean;
}
