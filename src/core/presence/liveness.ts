// A live agent keeps its code and its services, and can receive commands.

import { type AgentStanding, isSilent } from "../../domain/fleet/agents.ts";
import type { Core } from "../context.ts";

/** Returns whether the agent may call and has called within the offline threshold. */
export function isAlive(core: Core, agentId: string, standing: AgentStanding): boolean {
  const { status, hasActiveToken, lastHeartbeatAt } = standing;
  if (status === "DISABLED" || !hasActiveToken) return false;
  const stored = status === "ONLINE" ? lastHeartbeatAt : null;
  const last = Math.max(core.presence.agents.get(agentId) ?? -Infinity, stored ?? -Infinity);
  return !isSilent(last, core.statusClock.now(), core.settings.thresholds);
}
