// Writes Prometheus text. prom-client's collectors are not used, because they cannot be stopped and
// some inspect every open socket.

import type { Metric } from "prom-client";

export interface Sample {
  /** The name, if it differs from the family's: `…_bucket`, `…_sum`, `…_count`. */
  metricName?: string;
  labels: Record<string, string | number>;
  value: number;
}

export interface Family {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram" | "summary";
  values: Sample[];
}

/** Returns version 0.0.4 of the text format. */
export async function prometheusText(families: Family[]): Promise<string> {
  // The library is loaded on demand, because most programs that load this file are never scraped.
  const { Registry } = await import("prom-client");
  const registry = new Registry();
  for (const family of families) {
    const metric = { ...family, get: async () => family };
    registry.registerMetric(metric as unknown as Metric<string>);
  }
  return registry.metrics();
}

export function gauge(name: string, help: string, values: number | Sample[]): Family {
  const samples = typeof values === "number" ? [{ labels: {}, value: values }] : values;
  return { name, help, type: "gauge", values: samples };
}

export function counter(name: string, help: string, values: number | Sample[]): Family {
  return { ...gauge(name, help, values), type: "counter" };
}

/** Returns a sample for each key. The key becomes the value of the label. */
export function samplesBy(label: string, counts: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(counts).map(([key, value]) => ({ labels: { [label]: key }, value }));
}
