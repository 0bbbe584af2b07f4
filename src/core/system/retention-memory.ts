// What this process knows about the retention clock and what it deletes, and what it has checked after
// clock jumps. Times are monotonic.

export class RetentionMemory {
  /** When the clock was last moved, or null. */
  movedAt: number | null = null;
  warnedAt = -Infinity;
  /** Whether the last run has deleted as much as one run may, so that more is probably due. */
  isBehind = false;
  /** Whether clock-jumps.ts has looked for a clock jump that happened before this process started. */
  hasLookedBack = false;
  /** The status clock's number of disturbances when the due times of schedules were last checked. */
  dueTimesCheckedAt: number | null = null;
  /** Whether schedules wait because the wall clock is in doubt. */
  doSchedulesWait = false;
}
