// The time by which things are deleted for good. The wall clock may be wrong, at a start as well as
// under a running service, and what is deleted does not come back when somebody sets it right. So this
// clock is kept in the database, and agrees with the wall clock only while the two are close.

import { dayMs } from "../lib/duration.ts";

/** Beside a wall clock that is ahead it stands still for a day, then gains so many days a day. */
const gainPerDay = 7;
/** After so long beside the same wall clock it believes it. */
const believedAfterMs = (1 + 7) * dayMs;

export interface RetentionClock {
  /** Unix milliseconds. Ahead of the wall clock for a while when that was set back. */
  at: number;
  /** For how long a service has been running beside a wall clock that is far from it. */
  doubtedMs: number;
}

export interface TimePassed {
  /** What the wall clock shows now. */
  wall: number;
  /** For how long the service has been running since this clock was moved. */
  ranMs: number;
  /** The wall clock was set forward within a day. */
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

/** How far the wall clock is ahead, but for the time in which this clock has stood still beside it. */
export function heldBackMs({ at, doubtedMs }: RetentionClock, wall: number): number {
  return wall - (at + Math.min(doubtedMs, dayMs));
}
