// Decides whether an agent is alive. A live agent keeps its code and services, and can receive
// commands. Calls that are still only in memory count as well.

import { type AgentStanding, isSilent } from "../../domain/agents.ts";
import type { Core } from "../context.ts";

/** Returns whether the agent is allowed to call and has called within the offline threshold. */
export function isAlive(core: Core, agentId: string, standing: AgentStanding): boolean {
  const { status, hasActiveToken, lastHeartbeatAt } = standing;
  if (status === "DISABLED" || !hasActiveToken) return false;
  const stored = status === "ONLINE" ? lastHeartbeatAt : null;
  const last = Math.max(core.presence.agents.get(agentId) ?? -Infinity, stored ?? -Infinity);
  return !isSilent(last, core.statusClock.now(), core.settings.thresholds);
}
