// When schedules are due: at the times of a cron expression in a zone, or at an interval.
//
// A clock that is set forward skips local times, and one that is set back shows some of them twice. A
// local time that is skipped is due when the clock skips it, and one that occurs twice is due the first
// time. But an expression for every hour goes by the time that passes: it has no due time for skipped
// local times, and two for those that occur twice. (docs/schedules.md#changes-of-the-clock)

import { Cron } from "croner";
import { hourMs, minuteMs } from "../lib/duration.ts";
import { changeOfOffset, firstInstantOf, offsetOf, wallTimeOf } from "../lib/time-zones.ts";

export type Timing =
  /** Five fields, or a name such as `@daily`. */
  | { cron: string; timezone: string }
  /** Times in Unix milliseconds; the first due time is one interval after `beginsAt`. */
  | { everyMs: number; beginsAt: number };

/** Clocks are set back by no more than this. */
const longestRepeatMs = 3 * hourMs;

/** Returns the first due time after `after`, in Unix milliseconds, or null if there is none. */
export function dueAfter(timing: Timing, after: number): number | null {
  if ("everyMs" in timing) {
    const { everyMs, beginsAt } = timing;
    return beginsAt + Math.max(1, Math.floor((after - beginsAt) / everyMs) + 1) * everyMs;
  }
  const { timezone } = timing;
  const cron = patternOf(timing.cron);
  return cron.getPattern() !== undefined && isForEveryHour(timing.cron)
    ? byElapsedTime(cron, timezone, after)
    : byLocalTime(cron, timezone, after);
}

/** Returns the last due time at or before `now` that is after `after`, or null if there is none. */
export function lastDueBetween(timing: Timing, after: number, now: number): number | null {
  let due = dueAfter(timing, after);
  if (due === null || due > now) return null;
  // The due time after `low` is in the range, and that after `high` is not.
  let [low, high] = [due, now];
  while (high - low > minuteMs) {
    const middle = Math.floor((low + high) / 2);
    const next = dueAfter(timing, middle);
    if (next !== null && next <= now) [low, due] = [next, next];
    else high = middle;
  }
  for (let next = dueAfter(timing, low); next !== null && next <= now; next = dueAfter(timing, next)) {
    due = next;
  }
  return due;
}

/** Returns why the text is no cron expression, as part of a sentence, or null. */
export function problemOfCron(text: string): string | null {
  try {
    const cron = new Cron(text, options);
    if (cron.nextRun(new Date(0)) === null) return "never becomes due";
    return null;
  } catch (error) {
    return (error as Error).message.replace(/^CronPattern: /, "");
  }
}

const options = { timezone: "UTC", mode: "5-part", paused: true } as const;

/** The pattern is compared with wall times, as if they were times in UTC. */
const patterns = new Map<string, Cron>();
const mostPatterns = 1000;

function patternOf(text: string): Cron {
  let cron = patterns.get(text);
  if (!cron) {
    cron = new Cron(text, options);
    if (patterns.size >= mostPatterns) patterns.clear();
    patterns.set(text, cron);
  }
  return cron;
}

function isForEveryHour(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  if (fields.length === 1) return text.trim().toLowerCase() === "@hourly";
  return /^(?:\*|\*\/1|0-23)$/.test(fields[1] ?? "");
}

function nextWallTime(cron: Cron, after: number): number | null {
  return cron.nextRun(new Date(after))?.getTime() ?? null;
}

function byLocalTime(cron: Cron, zone: string, after: number): number | null {
  // A local time that was shown before the clock was set back is behind the present one.
  let wallTime = nextWallTime(cron, wallTimeOf(zone, after) - longestRepeatMs);
  while (wallTime !== null) {
    const due = firstInstantOf(zone, wallTime);
    if (due > after) return due;
    wallTime = nextWallTime(cron, wallTime);
  }
  return null;
}

function byElapsedTime(cron: Cron, zone: string, after: number): number | null {
  let from = after;
  for (;;) {
    const offset = offsetOf(zone, from);
    const wallTime = nextWallTime(cron, from + offset);
    if (wallTime === null) return null;
    const due = wallTime - offset;
    if (offsetOf(zone, due) === offset && !hasChange(zone, from, due, offset)) return due;
    const change = changeOfOffset(zone, from, firstOtherOffset(zone, from, due, offset));
    if (isDueAt(cron, zone, change)) return change;
    from = change;
  }
}

/** Whether the offset changes, and changes back, between the two. */
function hasChange(zone: string, from: number, to: number, offset: number): boolean {
  return firstOtherOffset(zone, from, to, offset) !== to;
}

const longestStepMs = 7 * 24 * hourMs;

/** Looks weekly, because no zone changes its offset more often. Returns `to` if there is no other. */
function firstOtherOffset(zone: string, from: number, to: number, offset: number): number {
  for (let at = from + longestStepMs; at < to; at += longestStepMs) {
    if (offsetOf(zone, at) !== offset) return at;
  }
  return to;
}

function isDueAt(cron: Cron, zone: string, instant: number): boolean {
  const wallTime = wallTimeOf(zone, instant);
  return nextWallTime(cron, wallTime - 1) === wallTime;
}
