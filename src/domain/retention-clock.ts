// The clock for permanent deletion by age. The wall clock may be wrong, and correcting it does not
// bring deleted data back. Therefore this clock is kept in the database, and follows the wall clock
// only while the two are close.

import { dayMs } from "../lib/duration.ts";

/**
 * If the wall clock is ahead, this clock stops for a day and then advances this many days per day.
 */
const gainPerDay = 7;
/**
 * After the service has run this long with the same wall clock, this clock trusts the wall clock.
 */
const believedAfterMs = (1 + 7) * dayMs;

export interface RetentionClock {
  /** Unix milliseconds. After the wall clock was set back, this time is ahead of it for a while. */
  at: number;
  /** How long the service has been running with a wall clock that is far from this clock. */
  doubtedMs: number;
}

export interface TimePassed {
  /** The wall clock's time, in Unix milliseconds. */
  wall: number;
  /** How long the service has been running since this clock was last moved. */
  ranMs: number;
  /** Whether the wall clock was set forward within the last day. */
  hasJumped: boolean;
}

export function moveRetentionClock(
  before: RetentionClock,
  { wall, ranMs, hasJumped }: TimePassed,
): RetentionClock {
  const aheadMs = wall - (before.at + ranMs);
  if (!hasJumped && Math.abs(aheadMs) <= dayMs) return { at: wall, doubtedMs: 0 };
  const doubtedMs = before.doubtedMs + ranMs;
  if (doubtedMs <= dayMs) return { at: before.at, doubtedMs };
  if (aheadMs < 0 || doubtedMs > believedAfterMs) return { at: wall, doubtedMs: 0 };
  const movingMs = Math.min(ranMs, doubtedMs - dayMs);
  return { at: Math.min(wall, before.at + movingMs * (1 + gainPerDay)), doubtedMs };
}

/**
 * Returns how far the wall clock is ahead, not counting the time for which this clock was stopped.
 */
export function heldBackMs({ at, doubtedMs }: RetentionClock, wall: number): number {
  return wall - (at + Math.min(doubtedMs, dayMs));
}
