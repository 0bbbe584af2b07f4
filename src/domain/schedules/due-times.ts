// Computes when a schedule is due. (docs/guides/schedules.md has the rules for clock changes.)

import { Cron } from "croner";
import { nearest } from "../../lib/nearest.ts";
import { cronProblem } from "./cron.ts";

/** Either `cron` or `everySeconds` is set. */
export interface Timing {
  cron?: string | undefined;
  /** Due at the multiples of this interval since 1970-01-01T00:00Z. */
  everySeconds?: number | undefined;
  /** An IANA name. `cron` is in the local time of this zone. */
  timezone: string;
  /** Unix milliseconds. No run is due after this time. */
  until?: number | undefined;
}

export function isTimezone(name: string): boolean {
  try {
    // Intl also accepts fixed offsets, which are not names.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** Returns the time zone with the most similar name, or null. */
export function timezoneLike(name: string): string | null {
  return name.length > 100 ? null : nearest(name, Intl.supportedValuesOf("timeZone"));
}

/** Returns what is wrong with a cron expression, or null. */
export function cronIssue(text: string): string | null {
  const problem = cronProblem(text);
  if (problem !== null) return problem;
  const never = cronOf(text, "UTC").nextRun(new Date(0)) === null;
  return never ? "never becomes due: no month has this day" : null;
}

/** Returns the first due time after `after`, or null. Times are Unix milliseconds. */
export function nextDue(timing: Timing, after: number): number | null {
  const due = timing.cron === undefined ? nextMultiple(timing, after) : nextOfCron(timing, after);
  return due !== null && due <= (timing.until ?? Infinity) ? due : null;
}

/** Returns the first `count` due times after `after`. */
export function nextDues(timing: Timing, after: number, count: number): number[] {
  const dues: number[] = [];
  for (let from = after; dues.length < count; ) {
    const due = nextDue(timing, from);
    if (due === null) break;
    dues.push(due);
    from = due;
  }
  return dues;
}

/** Counts the due times after `after` and up to `upTo`. Stops at `most`. */
export function countDues(timing: Timing, after: number, upTo: number, most: number): number {
  let count = 0;
  for (let due = nextDue(timing, after); due !== null && due <= upTo && count < most; ) {
    count++;
    due = nextDue(timing, due);
  }
  return count;
}

/** Returns the last due time that is not after `upTo`, if it is after `after`; otherwise null. */
export function lastDue(timing: Timing, after: number, upTo: number): number | null {
  const end = Math.min(upTo, timing.until ?? Infinity);
  // Croner's own backward search treats clock changes differently, so this searches forward.
  for (let span = 3_600_000; ; span *= 8) {
    const from = Math.max(after, end - span);
    const last = walk(timing, from, end);
    if (last !== null || from <= after) return last;
  }
}

/** Whether an expression names fixed minutes and hours, which a clock change can skip or repeat. */
export function isFixedTime(cron: string): boolean {
  const [minute = "", hour = ""] = cron.trim().split(/\s+/);
  return !minute.includes("*") && !hour.includes("*");
}

/** Whether the expression names the local time at `at`. */
export function matchesCron({ cron = "", timezone }: Timing, at: number): boolean {
  return cronOf(cron, timezone).match(new Date(at));
}

function walk(timing: Timing, after: number, end: number): number | null {
  let last: number | null = null;
  for (let due = nextDue(timing, after); due !== null && due <= end; due = nextDue(timing, due)) {
    last = due;
  }
  return last;
}

function nextMultiple({ everySeconds = 0 }: Timing, after: number): number {
  const every = everySeconds * 1000;
  return (Math.floor(after / every) + 1) * every;
}

function nextOfCron({ cron = "", timezone }: Timing, after: number): number | null {
  return cronOf(cron, timezone).nextRun(new Date(after))?.getTime() ?? null;
}

/** Kept because callers often need several due times of the same expression. */
let latest: { key: string; cron: Cron } | null = null;

/**
 * `no-wildcard`: an expression with a fixed minute and hour runs once when an hour is repeated.
 * With `*` in one of them, it also runs in the repeated hour.
 */
function cronOf(text: string, timezone: string): Cron {
  const key = `${timezone} ${text}`;
  if (latest?.key === key) return latest.cron;
  const options = { timezone, mode: "5-part", paused: true, fixedTimeRule: "no-wildcard" } as const;
  latest = { key, cron: new Cron(withoutSteps(text), options) };
  return latest.cron;
}

/** Croner treats a step like `*`. To count as fixed, `0-30/10` becomes `0,10,20,30`. */
function withoutSteps(text: string): string {
  const [minute = "", hour = "", ...days] = text.trim().split(/\s+/);
  return [expanded(minute), expanded(hour), ...days].join(" ");
}

function expanded(field: string): string {
  return field.replace(/(\d+)-(\d+)\/(\d+)/g, (_, from, to, step) => {
    const count = Math.floor((Number(to) - Number(from)) / Number(step)) + 1;
    return Array.from({ length: count }, (_, n) => Number(from) + n * Number(step)).join(",");
  });
}
