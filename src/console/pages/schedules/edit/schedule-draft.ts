// The draft of a schedule in the editor, and the request that it becomes.

import type { JsonObject } from "../../../../domain/payload/json.ts";
import type { Input } from "../../../client/call.ts";
import { fromLocal, toLocal } from "../../../format/local-time.ts";
import type { Timing } from "../due-times.tsx";
import type { Schedule } from "../schedule.ts";
import {
  cronOf,
  readUsual,
  type UsualKind,
  type UsualTimes,
  type Weekday,
  weekdays,
} from "../usual-times.ts";

export type ScheduleRequest = Input<"schedules.create">["body"];
export type Target = ScheduleRequest["target"];
export type RolloutTarget = Extract<Target, { kind: "rollout" }>;
export type ActionTarget = Extract<Target, { kind: "action" }>;

/** `every` is an interval. `cron` is a cron expression, for times that no other choice covers. */
export type Repeats = UsualKind | "every" | "cron";

const unitSeconds = { minutes: 60, hours: 3_600, days: 86_400 } as const;
export type Unit = keyof typeof unitSeconds;

export interface ScheduleDraft {
  name: string;
  description: string;
  repeats: Repeats;
  /** The cron expression that is stored or that the user typed. */
  cron: string;
  /** The fields of the usual times. */
  minute: string;
  time: string;
  days: readonly Weekday[];
  day: string;
  every: string;
  unit: Unit;
  timezone: string;
  /** In the browser's time zone, as in a date and time field. */
  until: string;
  /** The stored end. Its field lacks milliseconds, and is ambiguous if an hour occurs twice. */
  storedUntil: string;
  kind: Target["kind"];
  confirmation: boolean;
  missed: "skip" | "once";
  overlap: "skip" | "wait";
  state: "ENABLED" | "PAUSED";
}

export function emptyDraft(timezone: string): ScheduleDraft {
  return {
    name: "",
    description: "",
    repeats: "daily",
    cron: "",
    minute: "0",
    time: "03:00",
    days: ["0"],
    day: "1",
    every: "1",
    unit: "hours",
    timezone,
    until: "",
    storedUntil: "",
    kind: "action",
    confirmation: false,
    missed: "skip",
    overlap: "skip",
    state: "ENABLED",
  };
}

export function draftOf(schedule: Schedule): ScheduleDraft {
  const { name, description = "", cron, everySeconds, timezone, until, target } = schedule;
  const { missed, overlap, state } = schedule;
  const unit = unitOf(everySeconds ?? unitSeconds.hours);
  const { kind: repeats = "cron", ...usual } = cron === undefined ? {} : (readUsual(cron) ?? {});
  return {
    ...emptyDraft(timezone),
    ...usual,
    name,
    description,
    missed,
    overlap,
    state,
    repeats: cron === undefined ? "every" : repeats,
    cron: cron ?? "",
    every: String((everySeconds ?? unitSeconds.hours) / unitSeconds[unit]),
    unit,
    until: toLocal(until ?? ""),
    storedUntil: until ?? "",
    kind: (target as Target).kind,
    confirmation: target.confirmation === true,
  };
}

/** The largest unit that divides the interval. */
function unitOf(seconds: number): Unit {
  const units = Object.keys(unitSeconds) as Unit[];
  return units.findLast((unit) => seconds % unitSeconds[unit] === 0) ?? "minutes";
}

/** Returns null while the timing is incomplete. */
export function timingOf(draft: ScheduleDraft): Timing | null {
  const { repeats, every, unit, timezone, until, storedUntil } = draft;
  const end = until === toLocal(storedUntil) ? storedUntil : fromLocal(until);
  const common = {
    timezone: timezone.trim() || "UTC",
    ...(end === "" ? {} : { until: end }),
  };
  if (repeats !== "every") {
    const cron = cronIn(draft);
    return cron === "" ? null : { ...common, cron };
  }
  const seconds = Math.round(Number(every) * unitSeconds[unit]);
  return every.trim() === "" || !Number.isFinite(seconds) || seconds <= 0
    ? null
    : { ...common, everySeconds: seconds };
}

/** Returns the fields as a cron expression, or an empty text while they are incomplete. */
export function cronIn(draft: ScheduleDraft): string {
  const written = draft.cron.trim();
  if (draft.repeats === "cron" || draft.repeats === "every") return written;
  const usual = usualIn(draft);
  if (usual === null) return "";
  // Keep the existing expression if it means the same times.
  const isSame = JSON.stringify(readUsual(written)) === JSON.stringify(usual);
  return isSame ? written : cronOf(usual);
}

function usualIn({ repeats, minute, time, days, day }: ScheduleDraft): UsualTimes | null {
  if (repeats === "hourly") {
    const isMinute = /^\d{1,2}$/.test(minute.trim()) && Number(minute) < 60;
    return isMinute ? { kind: repeats, minute: minute.trim() } : null;
  }
  if (time === "") return null;
  if (repeats === "daily") return { kind: repeats, time };
  if (repeats === "monthly") return { kind: repeats, time, day };
  if (repeats !== "weekly" || days.length === 0) return null;
  return { kind: repeats, time, days: weekdays.filter((each) => days.includes(each)) };
}

/** `timing` is the result of `timingOf(draft)`. */
export function requestOf(draft: ScheduleDraft, timing: Timing, target: Target): ScheduleRequest {
  const { name, description, missed, overlap, state, confirmation } = draft;
  return {
    name: name.trim(),
    ...(description.trim() === "" ? {} : { description: description.trim() }),
    state,
    ...timing,
    missed,
    overlap,
    target: { ...target, confirmation },
  } as ScheduleRequest;
}

export function actionTarget(
  chosen: { service: string; action: string; reason: string },
  payload: JsonObject,
): ActionTarget {
  const { service, action, reason } = chosen;
  return {
    kind: "action",
    service: service.trim(),
    action: action.trim(),
    payload,
    ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  };
}
