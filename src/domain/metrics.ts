// Summaries of durations and counts.

import { durationMs } from "./commands/commands.ts";

/** A command that was delivered and has ended. Times are Unix milliseconds. */
export interface Run {
  startedAt: number;
  completedAt: number;
}

export type DurationSummary = ReturnType<typeof summarizeDurations>;

export type CountsByStatus<S extends string> = Partial<Record<S, number>>;

export function withZeros<Name extends string>(
  names: readonly Name[],
  counts: Partial<Record<Name, number>>,
): Record<Name, number> {
  const all = names.map((name) => [name, counts[name] ?? 0]);
  return Object.fromEntries(all) as Record<Name, number>;
}

export function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * Each percentile is one of the durations (nearest rank), never interpolated. All results are in
 * whole milliseconds, and null if there are no samples.
 */
export function summarizeDurations(durationsMs: readonly number[]) {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const sampleSize = sorted.length;
  const sum = sorted.reduce((total, duration) => total + duration, 0);
  return {
    sampleSize,
    p50Ms: nearestRank(sorted, 50),
    p95Ms: nearestRank(sorted, 95),
    maxMs: sorted.at(-1) ?? null,
    meanMs: sampleSize === 0 ? null : Math.round(sum / sampleSize),
  };
}

export function summarizeRuns(runs: readonly Run[]): DurationSummary {
  return summarizeDurations(
    runs.map(({ startedAt, completedAt }) => durationMs(startedAt, completedAt) ?? 0),
  );
}

/**
 * Returns the smallest value that is at least as large as `percent` % of all values; null if there
 * are none.
 */
function nearestRank(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null;
}
