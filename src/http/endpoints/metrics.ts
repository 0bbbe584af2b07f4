import { Readable } from "node:stream";
import { type metrics, prometheusType } from "../../api/metrics.ts";
import { getFleetSeries } from "../../core/fleet/fleet-series.ts";
import type { HandlersOf } from "../../core/handlers.ts";
import { getDiagnostics } from "../../core/system/diagnostics.ts";
import { getMetrics } from "../../core/system/metrics.ts";
import { health } from "../../core/system/system.ts";
import { healthStatus, omittedSeries, serviceFamilies } from "../metrics/families.ts";
import { prometheusText } from "../metrics/prometheus.ts";

export const handlers: HandlersOf<typeof metrics> = {
  "metrics.get": (ctx) => getMetrics(ctx),
  "metrics.prometheus": async (ctx) => {
    const counted = await getMetrics(ctx);
    const { text, omitted } = await getFleetSeries(ctx, counted.totals);
    const families = [
      healthStatus((await health(ctx)).status),
      ...serviceFamilies(counted, await getDiagnostics(ctx), ctx.core.requestTimes),
      omittedSeries(omitted),
    ];
    const chunks = Readable.from([await prometheusText(families), "\n", text, "\n"]);
    return { contentType: prometheusType, chunks };
  },
};
