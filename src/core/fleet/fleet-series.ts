// What the Prometheus metrics say of single agents and services: as many as the setting allows, by code.

import type { AgentStatus } from "../../domain/agents.ts";
import { sumOf } from "../../domain/metrics.ts";
import type { EffectiveStatus } from "../../domain/services.ts";
import { countAgents, countServices } from "../../store/tables/metrics.ts";
import { listAgentStates, listServiceStates } from "../../store/tables/overview.ts";
import type { Ctx } from "../context.ts";

export interface FleetSeries {
  /** Times are Unix milliseconds. */
  agents: readonly { code: string; status: AgentStatus; lastHeartbeatAt: number | null }[];
  services: readonly { code: string; agentCode: string; status: EffectiveStatus }[];
  /** How many there are that have no series. */
  omitted: { agents: number; services: number };
}

/** As of the signs of life that are written down: call `getMetrics` before, which does that. */
export async function getFleetSeries({ core }: Ctx): Promise<FleetSeries> {
  const { read } = core.db;
  const { metricsMaxSeries: most, thresholds } = core.settings;
  const agents = await listAgentStates(read, most);
  const services = await listServiceStates(read, core.statusClock.now(), thresholds, most);
  return {
    agents,
    services,
    omitted: {
      agents: sumOf(await countAgents(read)) - agents.length,
      services: sumOf(await countServices(read)) - services.length,
    },
  };
}
