// Describes due times in the schedule's time zone, and how clock changes affect them.

import { isFixedTime, matchesCron, type Timing } from "./due-times.ts";

interface DueTime {
  /** Unix milliseconds. */
  at: number;
  /** `2026-03-29T03:00`, with seconds if they are not zero. */
  localTime: string;
  /** `+02:00` */
  offset: string;
  note: string | null;
}

const minuteMs = 60_000;
/** No clock has gone back by more than this since 2000. */
const largestChangeMs = 3 * 60 * minuteMs;

export function describeDue(timing: Timing, at: number): DueTime {
  const zone = new Zone(timing.timezone);
  const offset = zone.offsetAt(at);
  return {
    at,
    localTime: localText(at + offset),
    offset: offsetText(offset),
    note: noteOf(timing, zone, at),
  };
}

function noteOf(timing: Timing, zone: Zone, at: number): string | null {
  if (timing.cron === undefined || !isFixedTime(timing.cron)) return null;
  const offset = zone.offsetAt(at);
  const before = zone.offsetAt(at - 1);
  if (before < offset && !matchesCron(timing, at)) {
    const [from, to] = [clockText(at + before), clockText(at + offset)];
    return `The clock goes forward from ${from} to ${to}, so a time in between is due at ${to}.`;
  }
  const after = zone.offsetAt(at + largestChangeMs);
  const again = at + offset - after;
  if (after >= offset || zone.offsetAt(again) !== after) return null;
  return `The clock goes back, so ${clockText(at + offset)} occurs twice. Only the first one is due.`;
}

class Zone {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    const parts = { year: "numeric", month: "numeric", day: "numeric" } as const;
    const clock = { hour: "numeric", minute: "numeric", second: "numeric" } as const;
    const calendar = { calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" } as const;
    this.#format = new Intl.DateTimeFormat("en-US", { timeZone, ...parts, ...clock, ...calendar });
  }

  /** Returns the offset from UTC in milliseconds. `at` is in Unix milliseconds. */
  offsetAt(at: number): number {
    const parts = this.#format.formatToParts(at).map(({ type, value }) => [type, Number(value)]);
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts);
    const local = Date.UTC(year, month - 1, day, hour, minute, second);
    return local - Math.floor(at / 1000) * 1000;
  }
}

function localText(local: number): string {
  return new Date(local).toISOString().slice(0, local % minuteMs === 0 ? 16 : 19);
}

function clockText(local: number): string {
  return new Date(local).toISOString().slice(11, 16);
}

function offsetText(offset: number): string {
  const sign = offset < 0 ? "-" : "+";
  return sign + clockText(Math.abs(offset));
}
