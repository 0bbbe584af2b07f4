// Summaries of durations and counts.

export function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * Each percentile is one of the durations (nearest rank), never interpolated. All results are in
 * whole milliseconds, and null if there are no samples.
 */
export function summariseDurations(durationsMs: readonly number[]) {
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

/** Returns the smallest value that is not below `percent` of all values; null if there are none. */
function nearestRank(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null;
}
