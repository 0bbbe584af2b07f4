// Decides what a schedule does when it is due. The decision depends only on the arguments, so every
// node comes to the same one.

import { maxMissedRuns, scheduleLateMs } from "../limits.ts";
import { countDues, lastDue, nextDue, nextDues, type Timing } from "./due-times.ts";
import type { Schedule, SchedulePause, SkipReason } from "./schedules.ts";

interface DueRun {
  dueAt: number;
  /** How many earlier due times this run replaces. */
  missedRuns: number;
}

interface Firing {
  /** Due times that are recorded but not run. */
  skipped: (DueRun & { reason: SkipReason })[];
  runs: DueRun[];
  nextAt: number | null;
}

type Due = Timing & Pick<Schedule, "missed"> & { nextAt: number };

/**
 * `now` is in Unix milliseconds, and not before `nextAt`. `pause` is the last time that all
 * schedules were paused; null if they never were.
 */
export function firingOf(due: Due, now: number, pause: SchedulePause | null): Firing {
  const firing: Firing = { skipped: [], runs: [], nextAt: nextDue(due, now) };
  const before = due.nextAt - 1;
  // Due times after `paused` and up to `resumed` fall into the pause; earlier ones precede it.
  const resumed = pause === null ? before : Math.max(before, Math.min(pause.until ?? now, now));
  const paused = pause === null ? before : Math.min(resumed, Math.max(before, pause.since - 1));
  const skipped = togetherUpTo(due, paused, resumed);
  if (skipped) firing.skipped.push({ ...skipped, reason: "PAUSED" });
  const lateUpTo = now - scheduleLateMs - 1;
  const late = asOne(
    togetherUpTo(due, before, Math.min(paused, lateUpTo)),
    togetherUpTo(due, resumed, lateUpTo),
  );
  for (const dueAt of nextDues(due, Math.max(before, lateUpTo), mostOnTime)) {
    if (dueAt > now || (dueAt > paused && dueAt <= resumed)) continue;
    firing.runs.push({ dueAt, missedRuns: 0 });
  }
  if (late === null) return firing;
  const [first] = firing.runs;
  if (due.missed === "skip") firing.skipped.push({ ...late, reason: "MISSED" });
  else if (first) first.missedRuns = Math.min(late.missedRuns + 1, maxMissedRuns);
  else firing.runs.push(late);
  return firing;
}

/** A schedule can be due at most this often within 60 seconds, both ends included. */
const mostOnTime = 2;

function togetherUpTo(timing: Timing, after: number, upTo: number): DueRun | null {
  const dueAt = upTo > after ? lastDue(timing, after, upTo) : null;
  if (dueAt === null) return null;
  return { dueAt, missedRuns: countDues(timing, after, dueAt - 1, maxMissedRuns) };
}

function asOne(earlier: DueRun | null, later: DueRun | null): DueRun | null {
  if (earlier === null || later === null) return earlier ?? later;
  const missedRuns = Math.min(earlier.missedRuns + 1 + later.missedRuns, maxMissedRuns);
  return { ...later, missedRuns };
}
