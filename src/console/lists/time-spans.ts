// Spans of time that end now, as values of the filter `from`. URLs and saved views contain the span
// and not its start, so that they keep showing the latest rows.

export const timeSpans = ["1h", "today", "24h", "7d"] as const;

export function isTimeSpan(from: string): from is (typeof timeSpans)[number] {
  return (timeSpans as readonly string[]).includes(from);
}

const hourMs = 3_600_000;
const lengths: Readonly<Record<string, number>> = { "1h": 1, "24h": 24, "7d": 7 * 24 };

/**
 * Returns the start of the span as ISO 8601 in UTC, or `from` itself if it is not a span. `today`
 * begins at local midnight.
 */
export function startOf(from: string, now: number): string {
  if (from === "today") return new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString();
  const hours = Object.hasOwn(lengths, from) ? lengths[from] : undefined;
  return hours === undefined ? from : new Date(now - hours * hourMs).toISOString();
}
