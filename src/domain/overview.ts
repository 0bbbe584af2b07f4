// Commands over time, as the overview shows them.

import { type CommandStatus, durationMs } from "./commands/commands.ts";
import { summarizeDurations } from "./metrics.ts";

export const overviewHours = [1, 6, 24, 168] as const;
export type OverviewHours = (typeof overviewHours)[number];

/** These lengths give 60, 72, 72 and 56 buckets: enough to see a trend. */
const bucketSecondsOf: Record<OverviewHours, number> = { 1: 60, 6: 300, 24: 1200, 168: 10_800 };

interface Window {
  /** The beginning of the first bucket, inclusive, in Unix milliseconds. */
  from: number;
  /** The current time, inclusive. The last bucket is incomplete. */
  to: number;
  bucketSeconds: number;
}

/** The buckets begin at multiples of their length. */
export function windowOf(hours: OverviewHours, now: number): Window {
  const bucketSeconds = bucketSecondsOf[hours];
  const bucketMs = bucketSeconds * 1000;
  const end = (Math.floor(now / bucketMs) + 1) * bucketMs;
  return { from: end - hours * 3_600_000, to: now, bucketSeconds };
}

/** Times are Unix milliseconds. */
export interface EndedCommand {
  status: CommandStatus;
  startedAt: number | null;
  completedAt: number;
}

interface Bucket {
  /** The beginning of the bucket, in Unix milliseconds. */
  at: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  /** The durations of commands that ran and SUCCEEDED or FAILED; null if there are none. */
  p50Ms: number | null;
  p95Ms: number | null;
}

/** Returns every bucket of the window, oldest first, including empty ones. */
export function bucketsOf(window: Window, ended: readonly EndedCommand[]): Bucket[] {
  const bucketMs = window.bucketSeconds * 1000;
  const count = Math.floor((window.to - window.from) / bucketMs) + 1;
  const contents = Array.from({ length: count }, (): EndedCommand[] => []);
  for (const command of ended) {
    contents[Math.floor((command.completedAt - window.from) / bucketMs)]?.push(command);
  }
  return contents.map((commands, index) => bucketOf(window.from + index * bucketMs, commands));
}

function bucketOf(at: number, commands: readonly EndedCommand[]): Bucket {
  const counts = { SUCCEEDED: 0, FAILED: 0, CANCELLED: 0, PENDING: 0, RUNNING: 0 };
  const durations: number[] = [];
  for (const { status, startedAt, completedAt } of commands) {
    counts[status]++;
    const ran = durationMs(startedAt, completedAt);
    if (ran !== null && status !== "CANCELLED") durations.push(ran);
  }
  const { p50Ms, p95Ms } = summarizeDurations(durations);
  const { SUCCEEDED: succeeded, FAILED: failed, CANCELLED: cancelled } = counts;
  return { at, succeeded, failed, cancelled, p50Ms, p95Ms };
}
