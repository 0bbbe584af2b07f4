// The Prometheus series of agents and services, up to `metricsMaxSeries` of each.

import { agentSeriesText, serviceSeriesText } from "../../store/tables/overview.ts";
import { bulkReader, type Ctx } from "../context.ts";

interface FleetSeries {
  /** Metric families in the Prometheus text format. */
  text: string;
  /** The number of agents and services without a series. */
  omitted: { agents: number; services: number };
}

/** `totals` counts all agents and services. */
export async function getFleetSeries(
  ctx: Ctx,
  totals: { agents: number; capsuleServices: number },
): Promise<FleetSeries> {
  const { core } = ctx;
  const read = bulkReader(ctx);
  const { metricsMaxSeries: most, thresholds } = core.settings;
  const agents = await agentSeriesText(read, most);
  const services = await serviceSeriesText(read, core.statusClock.now(), thresholds, most);
  return {
    text: `${services}\n\n${agents}`,
    omitted: {
      agents: Math.max(0, totals.agents - most),
      services: Math.max(0, totals.capsuleServices - most),
    },
  };
}
