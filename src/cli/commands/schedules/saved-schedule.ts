import type { Body, Reply } from "../../../api/index.ts";
import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import { noteWarnings, printRow } from "../../nouns/view.ts";
import { type OutputOptions, section } from "../../output/output.ts";
import { valueSection } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";
import { dueTimesText } from "./due-times.ts";

export type Schedule = Reply<"schedules.pause"> & { warnings?: string[] };
export type SavedSchedule = Reply<"schedules.update">;
type Rule = Body<"schedules.create">;

/** Adds `confirmation` to the target, because the user has confirmed the action. */
export function bodyOf(rule: JsonObject, bypass: object): Rule {
  const { target } = rule;
  const confirmed = isJsonObject(target ?? null)
    ? { ...rule, target: { confirmation: true, ...(target as JsonObject) } }
    : rule;
  return { ...confirmed, ...bypass } as unknown as Rule;
}

/** Replies to `get` have warnings, except those of older servers. */
export function printSchedule(io: Io, options: OutputOptions, schedule: Schedule): void {
  const { nextRuns, timezone } = schedule;
  printWith(io, options, schedule, dueTimesText(nextRuns, timezone));
}

/** Leaves out the due times, which people saw before they saved the schedule. */
export function printSaved(io: Io, options: OutputOptions, saved: SavedSchedule): void {
  printWith(io, options, saved, "");
}

function printWith(io: Io, options: OutputOptions, schedule: Schedule, dueTimes: string): void {
  printRow(io, options, "schedules", schedule, () => [
    dueTimes,
    valueSection(io, "rules", rulesOf(schedule)),
    section("target", schedule.target),
  ]);
  noteWarnings(io, options, schedule.warnings);
}

/** Also describes the content of a request for approval. */
export function rulesOf({
  missed,
  overlap,
  until,
}: Pick<Schedule, "missed" | "overlap"> & { until?: string | null | undefined }): JsonObject {
  return {
    "missed runs": missed === "skip" ? "skipped" : "the latest one runs",
    "overlapping runs": overlap === "skip" ? "skipped" : "one waits for the previous one",
    ...(until ? { until } : {}),
  };
}
