// The clock for permanent deletion by age. If the wall clock is wrong, correcting it does not
// restore data that was deleted too early. This clock therefore follows the wall clock only while
// the two are close.

import { dayMs } from "../lib/duration.ts";

/**
 * While the wall clock is in doubt, this clock stops for a day and then gains this many days per
 * day.
 */
const gainPerDay = 7;
/** After servers have run this long with a doubtful wall clock, this clock trusts it. */
const believedAfterMs = (1 + 7) * dayMs;

/** Stored, so that all servers of a database share it, and a restart changes nothing. */
export interface RetentionClock {
  /**
   * In Unix milliseconds. After the wall clock was set back, this time is ahead of it for a while.
   */
  at: number;
  /** How long servers have run since the wall clock came into doubt; 0 if it is not in doubt. */
  doubtedMs: number;
  /** The wall clock's time when a server last moved this clock, in Unix milliseconds. */
  movedAt: number;
}

/** The facts about the wall clock that the process that moves this clock knows. */
interface WallClock {
  /** In Unix milliseconds. */
  now: number;
  /** How long the process has run without noticing that the wall clock was set, in milliseconds. */
  steadyMs: number;
  /**
   * How long the process has run without noticing that the wall clock was set forward, in
   * milliseconds.
   */
  notForwardMs: number;
}

export function moveRetentionClock(
  before: RetentionClock,
  { now, steadyMs, notForwardMs }: WallClock,
): RetentionClock {
  const moved = (at: number, doubtedMs: number) => ({ at, doubtedMs, movedAt: now });
  const passedMs = now - before.movedAt;
  const ranMs = Math.max(0, Math.min(passedMs, steadyMs));
  const aheadMs = now - (before.at + ranMs);
  const isFirstDay = before.doubtedMs > 0 && before.doubtedMs <= dayMs;
  const hasJumped = notForwardMs < passedMs;
  if (!hasJumped && !isFirstDay && Math.abs(aheadMs) <= dayMs) return moved(now, 0);
  const doubtedMs = before.doubtedMs + Math.max(1, ranMs);
  if (doubtedMs <= dayMs) return moved(before.at, doubtedMs);
  if (aheadMs < 0 || doubtedMs > believedAfterMs) return moved(now, 0);
  const movingMs = Math.min(ranMs, doubtedMs - dayMs);
  // Rounded down, because monotonic times have fractions, and stored times have none.
  const at = Math.floor(before.at + movingMs * (1 + gainPerDay));
  return moved(Math.min(now, at), doubtedMs);
}

/**
 * Whether the wall clock is more than a day from this clock, ahead or behind. Does not count the
 * day for which this clock is stopped.
 */
export function isFarFrom({ at, doubtedMs }: RetentionClock, wall: number): boolean {
  return Math.abs(wall - (at + Math.min(doubtedMs, dayMs))) > dayMs;
}
