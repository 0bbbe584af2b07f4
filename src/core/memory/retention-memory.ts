// What this process knows about the retention clock. Times are monotonic.

export class RetentionMemory {
  /** When the clock was last moved, or null. */
  movedAt: number | null = null;
  warnedAt = -Infinity;
  /** Whether clock-jumps.ts has looked for a clock jump that happened before this process started. */
  hasLookedBack = false;
}
