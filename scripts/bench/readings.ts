// What a kind of measurement returns: figures with percentiles, their targets, and how busy the
// processes were.

import Table from "cli-table3";
import type { Latencies } from "../../src/cli/commands/bench/stats/latencies.ts";

export type Unit = "µs" | "ms" | "KB" | "KiB" | "MB" | "MiB" | "per second" | "errors" | "×";

/** `figure` must be at most `limit`; with `atLeast`, it must be at least `limit`. */
export interface Target {
  figure: "p50" | "p99" | "max";
  limit: number;
  atLeast?: true;
}

export interface Reading {
  work: string;
  unit: Unit;
  min: number;
  p50: number;
  p99: number;
  max: number;
  samples: number;
  target: Target | null;
  /** Null if there is no target. */
  met: boolean | null;
}

/** The number of processors that each part of the measurement used on average; null if unknown. */
export type Shares = Record<string, number | null>;

export interface Measurement {
  name: string;
  /** What was measured, and anything that limits the figures. */
  notes: string[];
  readings: Reading[];
  processors: Shares;
}

export function readingOf(
  work: string,
  unit: Unit,
  values: readonly number[],
  target: Target | null,
): Reading {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
  const figures = { min: at(0), p50: at(0.5), p99: at(0.99), max: at(1), samples: sorted.length };
  return { work, unit, ...figures, ...verdictOf(figures, target) };
}

export function latencyReading(work: string, latencies: Latencies): Reading {
  const at = (share: number) => latencies.percentileMs(share) ?? Number.NaN;
  const figures = { min: at(0), p50: at(0.5), p99: at(0.99), max: at(1) };
  return { work, unit: "ms", ...figures, samples: latencies.count, target: null, met: null };
}

export function medianAtMost(limit: number | null): Target | null {
  return limit === null ? null : { figure: "p50", limit };
}

export function medianAtLeast(limit: number | null): Target | null {
  return limit === null ? null : { figure: "p50", limit, atLeast: true };
}

/** A measurement without samples does not meet its target. */
export function verdictOf(
  figures: Pick<Reading, "p50" | "p99" | "max" | "samples">,
  target: Target | null,
): Pick<Reading, "target" | "met"> {
  if (target === null) return { target, met: null };
  const value = figures[target.figure];
  const isGood = target.atLeast ? value >= target.limit : value <= target.limit;
  return { target, met: figures.samples > 0 && isGood };
}

export function formatMeasurement({ name, notes, readings, processors }: Measurement): string {
  const table = new Table({
    head: [name, "", "min", "p50", "p99", "max", "samples", "target"],
    colAligns: ["left", "left", ...Array(6).fill("right")],
    style: { head: [], border: [], compact: true },
  });
  for (const { work, unit, min, p50, p99, max, samples, target, met } of readings) {
    const numbers = [min, p50, p99, max].map(threeDigits);
    table.push([work, unit, ...numbers, samples, targetText(target, met)]);
  }
  const shares = Object.entries(processors).map(
    ([who, share]) => `${who} ${share === null ? "unknown" : share.toFixed(2)}`,
  );
  const busy = shares.length === 0 ? [] : [`Processors used: ${shares.join(", ")}.`];
  return [table.toString(), ...notes, ...busy].join("\n");
}

function threeDigits(value: number): string {
  if (value < 10) return value.toFixed(2);
  return value.toFixed(value < 100 ? 1 : 0);
}

function targetText(target: Target | null, met: boolean | null): string {
  if (target === null) return "";
  const sign = target.atLeast ? "≥" : "≤";
  return `${target.figure} ${sign} ${target.limit} ${met ? "met" : "missed"}`;
}
