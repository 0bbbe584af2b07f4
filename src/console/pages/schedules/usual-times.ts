// The times at which schedules usually run, as form fields, as cron expressions and as sentences.
// All other times exist only as cron expressions.

import { capitalized } from "../../../lib/capitalized.ts";
import { namedList } from "../../format/named-list.ts";
import { texts } from "../../texts/index.ts";

const words = texts.schedules.usual;

export const weekdays = ["1", "2", "3", "4", "5", "6", "0"] as const;
export type Weekday = (typeof weekdays)[number];

export const lastDay = "L";
export const monthDays = [...Array.from({ length: 31 }, (_, day) => String(day + 1)), lastDay];

export type UsualTimes =
  | { kind: "hourly"; minute: string }
  | { kind: "daily"; time: string }
  | { kind: "weekly"; time: string; days: readonly Weekday[] }
  | { kind: "monthly"; time: string; day: string };

export type UsualKind = UsualTimes["kind"];

/** Returns null if the expression does not represent usual times. */
export function readUsual(cron: string): UsualTimes | null {
  const [minute = "", hour = "", day = "", month, weekday = ""] = cron.trim().split(/\s+/);
  if (month !== "*" || !isNumber(minute)) return null;
  if (hour === "*") return day === "*" && weekday === "*" ? { kind: "hourly", minute } : null;
  if (!isNumber(hour)) return null;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (weekday === "*") {
    if (day === "*") return { kind: "daily", time };
    return monthDays.includes(day) ? { kind: "monthly", time, day } : null;
  }
  const days = day === "*" ? readWeekdays(weekday) : null;
  return days && { kind: "weekly", time, days };
}

export function cronOf(usual: UsualTimes): string {
  if (usual.kind === "hourly") return `${Number(usual.minute)} * * * *`;
  const [hour, minute] = usual.time.split(":").map(Number);
  const at = `${minute} ${hour}`;
  if (usual.kind === "daily") return `${at} * * *`;
  if (usual.kind === "monthly") return `${at} ${usual.day} * *`;
  return `${at} * * ${usual.days.join(",")}`;
}

/** Returns `Sundays at 03:00`. */
export function usualText(usual: UsualTimes): string {
  if (usual.kind === "hourly") return words.hourly({ minute: usual.minute.padStart(2, "0") });
  const { time } = usual;
  if (usual.kind === "daily") return words.daily({ time });
  if (usual.kind === "monthly") {
    const { day } = usual;
    return day === lastDay ? words.lastDay({ time }) : words.monthly({ day, time });
  }
  const days = weekdays.filter((each) => usual.days.includes(each));
  if (days.join("") === "12345") return words.workdays({ time });
  return capitalized(
    words.weekly({ days: namedList(days.map((each) => words.weekdays[each])), time }),
  );
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text);
}

const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Reads `1`, `mon,wed` and `1-5`. Sunday is 0 or 7. */
function readWeekdays(field: string): Weekday[] | null {
  const days = field.split(",").flatMap((item) => {
    const [from = NaN, to = from, ...more] = item.split("-").map(weekdayNumber);
    if (more.length > 0 || !(from <= to)) return [NaN];
    return Array.from({ length: to - from + 1 }, (_, index) => (from + index) % 7);
  });
  if (days.some(Number.isNaN)) return null;
  return weekdays.filter((day) => days.includes(Number(day)));
}

function weekdayNumber(text: string): number {
  const named = weekdayNames.indexOf(text.toLowerCase());
  return named >= 0 ? named : /^[0-7]$/.test(text) ? Number(text) : NaN;
}
