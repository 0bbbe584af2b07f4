// Parses points in time: a time, how long ago, how long from now, or `today`.

import { parseDurationSeconds } from "../../lib/duration.ts";
import { usageError } from "../exit.ts";

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
function secondsOf(text: string): number | null {
  return /^\d+$/.test(text) && Number(text) !== 0 ? null : parseDurationSeconds(text);
}

/**
 * Parses the value of `--from` or `--to`: a time, `24h` (before `now`), or `today` (local
 * midnight).
 */
export function pastMoment(flag: string, text: string, now: number): string {
  if (text === "today") return new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString();
  const time = parseTime(text);
  if (time !== null) return time;
  const seconds = secondsOf(text);
  const at = seconds === null ? Number.NaN : now - seconds * 1000;
  if (at >= 0) return new Date(at).toISOString();
  throw usageError(
    `${flag} must be a time such as 2026-01-31T08:00:00Z, or how long ago, such as 24h, not ${text}.`,
  );
}

type Expiry = { expiresInSeconds: number } | { expiresAt: string } | Record<string, never>;

export function expiryOf(text: string | undefined): Expiry {
  if (text === undefined) return {};
  if (text === "never") return { expiresInSeconds: 0 };
  const expiresAt = parseTime(text);
  if (expiresAt !== null) return { expiresAt };
  const seconds = secondsOf(text);
  if (seconds) return { expiresInSeconds: seconds };
  throw usageError(
    "--expires must be a duration such as 24h, a time such as 2026-12-31T08:00:00Z, or never, " +
      `not ${text}.`,
  );
}
