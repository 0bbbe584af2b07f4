// The handlers of api/metrics.ts: the numbers, and their text for Prometheus.

import { type metrics, prometheusType } from "../../api/metrics.ts";
import { getFleetSeries } from "../../core/fleet/fleet-series.ts";
import type { HandlersOf } from "../../core/handlers.ts";
import { getDiagnostics } from "../../core/system/diagnostics.ts";
import { getMetrics } from "../../core/system/metrics.ts";
import { prometheusFamilies, prometheusText } from "../metrics/prometheus.ts";
import { fleetFamilies } from "../metrics/prometheus-fleet.ts";

export const handlers: HandlersOf<typeof metrics> = {
  "metrics.get": (ctx) => getMetrics(ctx),
  "metrics.prometheus": async (ctx) => {
    const counted = await getMetrics(ctx);
    const families = [
      ...prometheusFamilies(counted, await getDiagnostics(ctx), ctx.core.requestTimes),
      ...fleetFamilies(await getFleetSeries(ctx)),
    ];
    return { contentType: prometheusType, chunks: inOne(await prometheusText(families)) };
  },
};

async function* inOne(text: string): AsyncIterable<string> {
  yield text;
}
