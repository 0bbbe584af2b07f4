// What a kind of measurement returns: figures with percentiles, their targets, and how busy the
// processes were.

import type { HorizontalTableRow } from "cli-table3";
import { tableOf } from "./table.ts";

export type Unit = "µs" | "ms" | "KB" | "KiB" | "MB" | "MiB" | "per second" | "errors";

/** `figure` must be at most `limit`; with `atLeast`, it must be at least `limit`. */
export interface Target {
  figure: "p50" | "p99" | "max";
  limit: number;
  atLeast?: true;
}

export interface Reading {
  work: string;
  unit: Unit;
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
  const figures = { p50: at(0.5), p99: at(0.99), max: at(1), samples: sorted.length };
  return { work, unit, ...figures, ...verdictOf(figures, target) };
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
  const head = [name, "", "p50", "p99", "max", "samples", "target"];
  const rows = readings.map(({ work, unit, p50, p99, max, samples, target, met }) => {
    const numbers = [p50, p99, max].map((value) => value.toFixed(value < 100 ? 1 : 0));
    return [work, unit, ...numbers, samples, targetText(target, met)] as HorizontalTableRow;
  });
  const shares = Object.entries(processors).map(
    ([who, share]) => `${who} ${share === null ? "unknown" : share.toFixed(2)}`,
  );
  const busy = shares.length === 0 ? [] : [`Processors used: ${shares.join(", ")}.`];
  return [tableOf(head, rows, 2), ...notes, ...busy].join("\n");
}

function targetText(target: Target | null, met: boolean | null): string {
  if (target === null) return "";
  const sign = target.atLeast ? "≥" : "≤";
  return `${target.figure} ${sign} ${target.limit} ${met ? "met" : "missed"}`;
}
