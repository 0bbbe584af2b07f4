// Binds the routes of api/metrics.ts to their use cases.

import { type metrics, prometheusType } from "../../api/metrics.ts";
import { getFleetSeries } from "../../core/fleet/fleet-series.ts";
import { getDiagnostics } from "../../core/system/diagnostics.ts";
import { getMetrics } from "../../core/system/metrics.ts";
import type { HandlersOf } from "../dispatch.ts";
import { prometheusFamilies, prometheusText } from "../metrics/prometheus.ts";
import { fleetFamilies } from "../metrics/prometheus-fleet.ts";
import type { RequestTimes } from "../metrics/request-times.ts";

export function metricsHandlers(requestTimes: RequestTimes): HandlersOf<typeof metrics> {
  return {
    "metrics.get": (ctx) => getMetrics(ctx),
    "metrics.prometheus": async (ctx) => {
      const counted = await getMetrics(ctx);
      const families = [
        ...prometheusFamilies(counted, await getDiagnostics(ctx), requestTimes),
        ...fleetFamilies(await getFleetSeries(ctx)),
      ];
      return { contentType: prometheusType, chunks: inOne(await prometheusText(families)) };
    },
  };
}

async function* inOne(text: string): AsyncIterable<string> {
  yield text;
}
