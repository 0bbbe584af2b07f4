// How long a service had each status in each half hour and on each day.

import { dayMs, hourMs } from "../../lib/duration.ts";
import { type EffectiveStatus, effectiveStatuses } from "./services.ts";

export const historyDays = { default: 30, max: 90 } as const;
/** How many of the newest changes a history lists. */
export const historyChangesShown = 100;
export const recentMs = dayMs;

const halfHourMs = hourMs / 2;

/** Parts of equal length. The last one contains the present. Times are Unix milliseconds. */
export interface Parts {
  from: number;
  partMs: number;
  count: number;
}

/** Parts begin at full half hours, so the first one begins between 23.5 and 24 hours ago. */
export function halfHoursUntil(now: number): Parts {
  return partsUntil(now, halfHourMs, dayMs / halfHourMs);
}

/** The days are days in UTC, and today is one of them. */
export function daysUntil(now: number, count: number): Parts {
  return partsUntil(now, dayMs, count);
}

function partsUntil(now: number, partMs: number, count: number): Parts {
  return { from: (Math.floor(now / partMs) + 1 - count) * partMs, partMs, count };
}

/**
 * Periods of one status that begin in the part `first` and end in the part `last`. If these are the
 * same part, this can be the sum of several periods.
 */
export interface PeriodSum {
  first: number;
  last: number;
  status: EffectiveStatus;
  ms: number;
  beganAt: number;
  endedAt: number;
}

export interface HistoryPart {
  from: number;
  /** The end of the part, but not after the current time. */
  to: number;
  ms: Record<EffectiveStatus, number>;
  /** The time about which nothing is recorded. */
  unrecordedMs: number;
}

/** Divides the time that has passed until `now` among the statuses, for each part. */
export function historyParts(
  { from, partMs, count }: Parts,
  sums: readonly PeriodSum[],
  now: number,
): HistoryPart[] {
  const parts = Array.from({ length: count }, (_, index): HistoryPart => {
    const begin = from + index * partMs;
    const to = Math.min(now, begin + partMs);
    return { from: begin, to, ms: noTime(), unrecordedMs: to - begin };
  });
  for (const { first, last, status, ms, beganAt, endedAt } of sums) {
    for (let index = first; index <= last; index++) {
      const part = parts[index];
      if (!part) continue;
      const within = Math.min(endedAt, part.to) - Math.max(beganAt, part.from);
      // After the clock was set back, periods can overlap.
      const counted = Math.max(0, Math.min(first === last ? ms : within, part.unrecordedMs));
      part.ms[status] += counted;
      part.unrecordedMs -= counted;
    }
  }
  return parts;
}

/**
 * The share of the time with a known status in which the service was HEALTHY, or null if there is
 * no such time. UNKNOWN is not a known status.
 */
export function uptimeOf(parts: readonly Pick<HistoryPart, "ms">[]): number | null {
  const total = (statuses: readonly EffectiveStatus[]) =>
    parts.reduce((sum, { ms }) => statuses.reduce((all, each) => all + ms[each], sum), 0);
  const known = total(effectiveStatuses.filter((status) => status !== "UNKNOWN"));
  return known === 0 ? null : total(["HEALTHY"]) / known;
}

function noTime(): Record<EffectiveStatus, number> {
  return { HEALTHY: 0, UNHEALTHY: 0, STALE: 0, OFFLINE: 0, UNKNOWN: 0 };
}
