// The clock for permanent deletion by age. The wall clock may be wrong, and correcting it does not
// restore deleted data, so this clock follows it only while the two are close.

import { dayMs } from "../lib/duration.ts";

/** If the wall clock is ahead, this clock stops for a day and then gains this many days per day. */
const gainPerDay = 7;
/** If the service runs this long with the same wall clock, this clock trusts it. */
const believedAfterMs = (1 + 7) * dayMs;

export interface RetentionClock {
  /**
   * In Unix milliseconds. After the wall clock was set back, this time is ahead of it for a while.
   */
  at: number;
  /** How long the service has run with a wall clock that is far from this clock. */
  doubtedMs: number;
}

export interface TimePassed {
  /** In Unix milliseconds. */
  wall: number;
  /** How long the service has run since this clock was last moved. */
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
  // Monotonic times have fractions, and this one is compared with stored times.
  const at = Math.floor(before.at + movingMs * (1 + gainPerDay));
  return { at: Math.min(wall, at), doubtedMs };
}

/** Does not count the time for which this clock was stopped. */
export function heldBackMs({ at, doubtedMs }: RetentionClock, wall: number): number {
  return wall - (at + Math.min(doubtedMs, dayMs));
}
