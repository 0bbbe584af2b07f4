// Spans of time that end now, as values of the filter `from`. URLs and saved views contain the span
// and not its start, so that they keep showing the latest rows.

export const timeSpans = ["1h", "today", "24h", "7d"] as const;

export function isTimeSpan(from: string): from is (typeof timeSpans)[number] {
  return (timeSpans as readonly string[]).includes(from);
}
