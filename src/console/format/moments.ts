// Times in a time zone other than the browser's.

import { texts } from "../texts/index.ts";

const { format } = new Intl.DateTimeFormat(texts.locale, {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** `Sun, 29 Mar 2026, 01:00` in UTC */
export function utcMoment(at: string): string {
  return format(new Date(at));
}

const day = new Intl.DateTimeFormat(texts.locale, {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** `Sun, 29 Mar` in UTC */
export function utcDay(at: string): string {
  return day.format(new Date(at));
}

/** Formats a local time such as `2026-03-29T03:00` without converting it. */
export function zonedMoment(local: string): string {
  return format(new Date(`${local}Z`));
}
