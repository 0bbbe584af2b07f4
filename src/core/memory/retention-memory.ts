// What this process remembers of the clock by which things are deleted (retention-clock.ts). Both times
// are on the monotonic clock.

export class RetentionMemory {
  /** When the clock was moved last; null before the first time. */
  movedAt: number | null = null;
  warnedAt = -Infinity;
  /** Whether it was looked for a jump of the wall clock before this process (deadlines.ts). */
  hasLookedBack = false;
}
