// The Prometheus series of agents and services, up to `metricsMaxSeries` of each.

import type { AgentStatus } from "../../domain/agents.ts";
import { sumOf } from "../../domain/metrics.ts";
import type { EffectiveStatus } from "../../domain/services.ts";
import { countAgents, countServices } from "../../store/tables/metrics.ts";
import { listAgentStates, listServiceStates } from "../../store/tables/overview.ts";
import { type Ctx, readAside } from "../context.ts";

export interface FleetSeries {
  /** Times are Unix milliseconds. */
  agents: readonly { code: string; status: AgentStatus; lastHeartbeatAt: number | null }[];
  services: readonly { code: string; agentCode: string; status: EffectiveStatus }[];
  /** The number of agents and services without a series. */
  omitted: { agents: number; services: number };
}

/** Call `getMetrics` first, because it flushes the agents' last calls. */
export async function getFleetSeries(ctx: Ctx): Promise<FleetSeries> {
  const { core } = ctx;
  const read = readAside(ctx);
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
