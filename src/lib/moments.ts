// Parses points in time: a time, how long ago, or `today`.

import { parseDurationSeconds } from "./duration.ts";

const form = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Returns ISO 8601 in UTC; null if the text is not a time. */
export function parseTime(text: string): string | null {
  const match = form.exec(text);
  if (!match || !isDay(text.slice(0, 10))) return null;
  // A time without an offset is in UTC, like all printed times.
  const withOffset = match[1] || !/[T ]/i.test(text) ? text : `${text}Z`;
  const at = Date.parse(withOffset.replace(" ", "T"));
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** `Date.parse` takes 31 February for 3 March. */
function isDay(date: string): boolean {
  const at = Date.parse(date);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}

/** Returns null for a number such as `24`, because its unit is unclear. */
export function parseSpanSeconds(text: string): number | null {
  return /^\d+$/.test(text) && Number(text) !== 0 ? null : parseDurationSeconds(text);
}

/**
 * Parses a time, `24h` (before `now`), or `today` (local midnight). Returns ISO 8601 in UTC; null
 * if the text is none of them.
 */
export function parsePastMoment(text: string, now: number): string | null {
  if (text === "today") return new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString();
  const time = parseTime(text);
  if (time !== null) return time;
  const seconds = parseSpanSeconds(text);
  const at = seconds === null ? Number.NaN : now - seconds * 1000;
  return at >= 0 ? new Date(at).toISOString() : null;
}

const year9999 = Date.UTC(9999, 0);

/** Whether `parsePastMoment` accepts the text, unless it reaches back to before 1970. */
export function isPastMoment(text: string): boolean {
  return parsePastMoment(text, year9999) !== null;
}
