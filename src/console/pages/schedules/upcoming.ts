// When schedules are due in the next 24 hours, for the timeline.

import { nextDue } from "../../../domain/schedules/due-times.ts";
import type { ScheduleSummary } from "./schedule.ts";

export const spanMs = 24 * 3_600_000;
/** Runs that are closer together than this look like one on the timeline. */
const closeMs = 10 * 60_000;

/** One run, or several that follow each other closely, as Unix milliseconds. */
export interface Stretch {
  from: number;
  to: number;
}

export interface Upcoming {
  schedule: ScheduleSummary;
  stretches: readonly Stretch[];
}

/** Leaves out schedules that are not due within `spanMs`. Sorts the others by their first run. */
export function upcomingOf(schedules: readonly ScheduleSummary[], from: number): Upcoming[] {
  return schedules
    .map((schedule) => ({ schedule, stretches: stretchesOf(schedule, from) }))
    .filter(({ stretches }) => stretches.length > 0)
    .toSorted((a, b) => startOf(a) - startOf(b));
}

export function startOf({ stretches }: Upcoming): number {
  return stretches[0]?.from ?? Infinity;
}

/** Computes at most one run per `closeMs / 2`, so that a schedule for every minute is not slow. */
function stretchesOf(schedule: ScheduleSummary, start: number): Stretch[] {
  const { cron, everySeconds, timezone, until } = schedule;
  const timing = { cron, everySeconds, timezone, until: until ? Date.parse(until) : undefined };
  const stretches: Stretch[] = [];
  let due = nextDue(timing, start);
  while (due !== null && due <= start + spanMs) {
    const last = stretches.at(-1);
    if (last && due - last.to <= closeMs) last.to = due;
    else stretches.push({ from: due, to: due });
    due = nextDue(timing, due + closeMs / 2);
  }
  return stretches;
}
