// The Prometheus series of agents and services, up to `metricsMaxSeries` of each.

import { sumOf } from "../../domain/metrics.ts";
import {
  agentSeriesText,
  countEffectiveStatuses,
  serviceSeriesText,
} from "../../store/tables/overview.ts";
import { bulkReader, type Ctx } from "../context.ts";

interface FleetSeries {
  /** Metric families in the Prometheus text format. */
  text: string;
  /** The number of agents and services without a series. Removed services do not count. */
  omitted: { agents: number; services: number };
}

/** `totals` counts all agents. */
export async function getFleetSeries(ctx: Ctx, totals: { agents: number }): Promise<FleetSeries> {
  const { core } = ctx;
  const read = bulkReader(ctx);
  const { metricsMaxSeries: most, thresholds } = core.settings;
  const now = core.statusClock.now();
  const agents = await agentSeriesText(read, most);
  const services = await serviceSeriesText(read, now, thresholds, most);
  const counts = await countEffectiveStatuses(read, now, thresholds);
  return {
    text: `${services}\n\n${agents}`,
    omitted: {
      agents: Math.max(0, totals.agents - most),
      services: Math.max(0, sumOf(counts) - most),
    },
  };
}
