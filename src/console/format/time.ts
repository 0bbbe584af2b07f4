// Formats times and durations as text, in the browser's time zone.

import { texts } from "../texts/index.ts";

const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

const relative = new Intl.RelativeTimeFormat(texts.locale, { numeric: "always", style: "short" });

/**
 * `2 min ago`, `in 3 hr`; `now` within a second. Past times are rounded down. Future times are
 * rounded to the nearest unit, so that `in 8 hr` does not become `in 7 hr` a moment later.
 */
export function relativeTime(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  for (const [index, [unit, size]] of units.entries()) {
    const smaller = units[index + 1]?.[1] ?? 1;
    const reached = seconds > 0 ? Math.round(seconds / smaller) * smaller : -seconds;
    const round = seconds > 0 ? Math.round : Math.trunc;
    if (reached >= size) return relative.format(round(seconds / size), unit);
  }
  return texts.time.now;
}

/**
 * `14:03:22` on the day of `now`, `27 Nov, 14:03:22` on another day of the same year, otherwise
 * with the year.
 */
export function shortExactTime(at: string, now: number): string {
  const [time, today] = [new Date(at), new Date(now)];
  if (time.toDateString() === today.toDateString()) return clockTime(at);
  return time.getFullYear() === today.getFullYear() ? dayAndTime(at) : dateAndTime(at);
}

/** `14:03:22` */
export const clockTime = timesAs({ timeStyle: "medium" });
const dayAndTime = timesAs({
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
/** `27 Nov 2026, 14:03:22` */
export const dateAndTime = timesAs({ dateStyle: "medium", timeStyle: "medium" });

/** The browser's time zone, such as `Europe/Berlin`. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export const exactTime = timesAs({ dateStyle: "medium", timeStyle: "long" });

/** `12:40` */
export const shortTime = timesAs({ timeStyle: "short" });

/** `Mon 3` */
export const shortDay = timesAs({ weekday: "short", day: "numeric" });

/** `Mon 3 Nov, 04:40` */
export const shortMoment = timesAs({
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

function timesAs(options: Intl.DateTimeFormatOptions): (at: string | number) => string {
  const { format } = new Intl.DateTimeFormat(texts.locale, options);
  return (at) => format(new Date(at));
}

const tenths = new Intl.NumberFormat(texts.locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** `3 ms`, `1.2 s`, `4 min 5 s`, `2 h 3 min`, `8 h`. */
export function duration(ms: number): string {
  // Rounding can lead to the next unit.
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (Math.round(ms / 100) < 100) return `${tenths.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const parts =
    seconds < 3_600
      ? [`${Math.floor(seconds / 60)} min`, `${seconds % 60} s`]
      : [`${Math.floor(seconds / 3_600)} h`, `${Math.floor((seconds % 3_600) / 60)} min`];
  return parts.filter((part) => !part.startsWith("0 ")).join(" ");
}
