// What this process knows about the retention clock and what it deletes. Times are monotonic.

export class RetentionMemory {
  /** When the clock was last moved, or null. */
  movedAt: number | null = null;
  warnedAt = -Infinity;
  /** Whether the last run has deleted as much as one run may, so that more is probably due. */
  isBehind = false;
  /** Whether clock-jumps.ts has looked for a clock jump that happened before this process started. */
  hasLookedBack = false;
}
