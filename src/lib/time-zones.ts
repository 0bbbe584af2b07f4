// Local times in the zones of the IANA database. A wall time is what a clock in the zone shows, as the
// Unix milliseconds at which a clock in UTC shows the same.

import { dayMs } from "./duration.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
  }
  return format;
}

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

export function wallTimeOf(zone: string, instant: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
}

/** Returns how far the zone's clock is ahead of UTC, in milliseconds. */
export function offsetOf(zone: string, instant: number): number {
  return wallTimeOf(zone, instant) - instant;
}

/** Returns the first instant after `from`, and not after `to`, at which the offset is no longer that of `from`. */
export function changeOfOffset(zone: string, from: number, to: number): number {
  const before = offsetOf(zone, from);
  let [same, other] = [from, to];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetOf(zone, middle) === before) same = middle;
    else other = middle;
  }
  return other;
}

/**
 * Returns when the zone's clock shows a wall time: the first time if it does so twice, and if it skips
 * the wall time, the instant at which it does.
 */
export function firstInstantOf(zone: string, wallTime: number): number {
  const [early, late] = [wallTime - dayMs, wallTime + dayMs];
  const offsets = [offsetOf(zone, early), offsetOf(zone, late)];
  const instants = offsets
    .map((offset) => wallTime - offset)
    .filter((instant) => wallTimeOf(zone, instant) === wallTime);
  if (instants.length > 0) return Math.min(...instants);
  const [before = 0, after = 0] = offsets;
  return changeOfOffset(zone, wallTime - Math.max(before, after) - 1, wallTime - Math.min(before, after));
}
