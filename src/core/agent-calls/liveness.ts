// Whether an agent is there: what it has (its code, its services) then belongs to it, and commands
// reach it. Memory is asked as well, because it knows of calls that are not in the database yet.

import { type AgentStanding, isSilent } from "../../domain/agents.ts";
import type { Core } from "../context.ts";

/**
 * Whether the agent may call and has called within the offline threshold. One that is OFFLINE in its
 * row is there again with its next call.
 */
export function isAlive(core: Core, agentId: string, standing: AgentStanding): boolean {
  const { status, hasActiveToken, lastHeartbeatAt } = standing;
  if (status === "DISABLED" || !hasActiveToken) return false;
  const stored = status === "ONLINE" ? lastHeartbeatAt : null;
  const last = Math.max(core.presence.agents.get(agentId) ?? -Infinity, stored ?? -Infinity);
  return !isSilent(last, core.statusClock.now(), core.settings.thresholds);
}
