// Agents (programs that run next to managed services), and the rules for them.

import type { Json } from "../payload/json.ts";
import type { AgentLabels } from "./labels.ts";

export const agentStatuses = ["ONLINE", "OFFLINE", "DISABLED"] as const;
export type AgentStatus = (typeof agentStatuses)[number];

/** Usual modes are `embedded`, `sidecar` and `external`. */
export const agentModePattern = /^[a-z][a-z0-9_-]{0,31}$/;

/**
 * What an agent's program can do beyond the first version of the protocol. `plan`: it compares the
 * service's state with the expected one immediately before it runs a command.
 */
export const agentFeatures = ["plan"] as const;
export type AgentFeature = (typeof agentFeatures)[number];

/** Agents may be newer than this program, so other names are ignored. */
export function knownFeatures(named: readonly string[]): AgentFeature[] {
  return agentFeatures.filter((feature) => named.includes(feature));
}

/** The form of agent and service codes, which need no quoting in a URL or a shell command. */
export const codePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/**
 * Whether a new code would have the form of an id, so that a command that accepts both could find
 * the wrong object. Existing codes of this form stay valid.
 */
export function looksLikeId(code: string): boolean {
  return /^[a-z]{3}_[0-9A-Z]{26}$/.test(code);
}

export const codeLikeId =
  "must not have the form of an id (such as agt_01M8… or svc_01M8…): choose a name";

export const tokenStates = ["ACTIVE", "REVOKED", "NONE"] as const;
export type TokenState = (typeof tokenStates)[number];

/** Why an agent is not ONLINE. */
export const offlineReasons = ["DISABLED", "TOKEN_REVOKED", "STOPPED", "SILENT"] as const;
export type OfflineReason = (typeof offlineReasons)[number];

/** These facts decide whether the server can expect calls from an agent. */
export interface AgentStanding {
  status: AgentStatus;
  hasActiveToken: boolean;
  /** Unix milliseconds; null if the agent has never called. */
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

interface OfflineThreshold {
  offlineMs: number;
}

/** Agents whose last call was before this time are silent. SQL queries use it, too. */
export function silentBefore(now: number, { offlineMs }: OfflineThreshold): number {
  return now - offlineMs;
}

export function isSilent(
  lastHeartbeatAt: number | null,
  now: number,
  threshold: OfflineThreshold,
): boolean {
  return lastHeartbeatAt === null || lastHeartbeatAt < silentBefore(now, threshold);
}

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

/** An agent's code, or a prefix followed by `*`. */
export const agentCodeScopePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,126}(?:[A-Za-z0-9._:-]|\*)?$/;

export function isCodeInScope(code: string, scope: string): boolean {
  return scope.endsWith("*") ? code.startsWith(scope.slice(0, -1)) : code === scope;
}

/** An agent as the database stores it. Times are Unix milliseconds. */
export interface Agent extends AgentLabels {
  id: string;
  code: string;
  name: string | null;
  mode: string;
  runtime: Json;
  version: string | null;
  features: AgentFeature[];
  status: AgentStatus;
  registeredAt: number;
  updatedAt: number;
  lastHeartbeatAt: number | null;
  disabledAt: number | null;
  /** When the agent reported that it was going offline; null once it has called again. */
  stoppedAt: number | null;
  /** The agent's clock minus the server's at the last heartbeat with a time; null if unknown. */
  clockSkewMs: number | null;
  tokenState: TokenState;
  hasActiveToken: boolean;
}
