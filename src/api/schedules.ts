import { z } from "zod";
import { workLimits } from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  codedIds,
  deletedOf,
  pageQuery,
  searchQuery,
  someOf,
  sortQuery,
} from "./contract/schemas.ts";
import {
  bypass,
  changedSchedule,
  dueTime,
  newSchedule,
  pauseOfAll,
  runRequest,
  runState,
  savedSchedule,
  scheduleDetail,
  scheduleRun,
  scheduleState,
  scheduleSummary,
  timingPreview,
} from "./shapes/schedule-schemas.ts";

const one = {
  params: z.object({ scheduleId: codedIds.scheduleId }),
  errors: ["SCHEDULE_NOT_FOUND"],
} as const;
/** Saving a schedule of a rollout selects its services, to warn if the rollout could not run. */
const chooses = { workLimit: workLimits.choice, heavy: true } as const;
const saving = [
  "CONFIRMATION_REQUIRED",
  "PAYLOAD_NEEDS_SECRETS",
  "SCHEDULE_NAME_TAKEN",
  "APPROVAL_REQUIRED",
] as const;

export const schedules = defineRoutes({
  "schedules.list": {
    method: "GET",
    path: "/api/admin/schedules",
    access: "viewer",
    summary: "List schedules, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["name", "nextRunAt", "createdAt"]),
      state: someOf(scheduleState),
      action: z.string().max(100).optional().describe("Only schedules of this action."),
      q: searchQuery,
    }),
    reply: z.array(scheduleSummary),
    paginated: true,
  },
  "schedules.create": {
    method: "POST",
    path: "/api/admin/schedules",
    access: "operator",
    summary: "Create a schedule, which runs an action or a rollout at set times",
    body: newSchedule,
    ...chooses,
    status: 201,
    idempotent: true,
    reply: savedSchedule,
    errors: saving,
  },
  "schedules.preview": {
    method: "POST",
    changesNothing: true,
    path: "/api/admin/schedules/preview",
    access: "viewer",
    summary: "Show when a schedule with this timing would be due, without saving anything",
    body: timingPreview,
    reply: namedObject("SchedulePreview", {
      runs: z.array(dueTime).describe("The next due times, earliest first."),
    }),
  },
  "schedules.pause-state": {
    method: "GET",
    path: "/api/admin/schedules/pause",
    access: "viewer",
    summary: "Show whether all schedules are paused, since when, and why",
    reply: pauseOfAll,
  },
  "schedules.pause-all": {
    method: "POST",
    path: "/api/admin/schedules/pause",
    access: "operator",
    summary: "Pause all schedules: none of them runs until they are resumed together",
    description:
      "The states of the individual schedules do not change. Runs that are due in the " +
      "meantime are skipped.",
    body: namedObject("PauseSchedulesRequest", {
      reason: z
        .string()
        .max(500)
        .optional()
        .describe("Shown to everybody while all schedules are paused."),
    }),
    reply: pauseOfAll,
  },
  "schedules.resume-all": {
    method: "POST",
    path: "/api/admin/schedules/resume",
    access: "operator",
    summary: "End the pause of all schedules",
    reply: pauseOfAll,
  },
  "schedules.get": {
    ...one,
    method: "GET",
    path: "/api/admin/schedules/:scheduleId",
    access: "viewer",
    summary: "Get a schedule with its next due times and its warnings",
    ...chooses,
    reply: savedSchedule,
  },
  "schedules.update": {
    ...one,
    method: "PUT",
    path: "/api/admin/schedules/:scheduleId",
    access: "operator",
    summary: "Replace a schedule if `version` is still its current version",
    description:
      "Omitted fields are reset to their defaults. To keep a stored secret, send " +
      "`[REDACTED]` in its place. The caller becomes the owner of the schedule.",
    body: changedSchedule,
    ...chooses,
    reply: savedSchedule,
    errors: [...one.errors, ...saving, "VERSION_CONFLICT"],
  },
  "schedules.delete": {
    ...one,
    method: "DELETE",
    path: "/api/admin/schedules/:scheduleId",
    access: "operator",
    summary:
      "Delete a schedule and the history of its runs, but not the commands and rollouts that " +
      "it started",
    reply: named("DeletedSchedule", deletedOf("sch")),
  },
  "schedules.pause": {
    ...one,
    method: "POST",
    path: "/api/admin/schedules/:scheduleId/pause",
    access: "operator",
    summary: "Pause a schedule: it does not run until it is resumed",
    reply: scheduleDetail,
  },
  "schedules.resume": {
    ...one,
    method: "POST",
    path: "/api/admin/schedules/:scheduleId/resume",
    access: "operator",
    summary: "Resume a paused schedule",
    body: bypass,
    ...chooses,
    reply: scheduleDetail,
    errors: [...one.errors, "APPROVAL_REQUIRED"],
  },
  "schedules.run": {
    ...one,
    method: "POST",
    path: "/api/admin/schedules/:scheduleId/run",
    access: "operator",
    summary: "Run a schedule now, even if it is paused",
    description:
      "The response is the new run, which may already have FAILED. If the previous run has not " +
      "ended, the schedule's `overlap` decides whether the new run waits or is refused. A run " +
      "that waits still starts in the name of the caller.",
    body: runRequest,
    ...chooses,
    status: 201,
    idempotent: true,
    reply: scheduleRun,
    errors: [
      ...one.errors,
      ...(["SCHEDULE_RUNNING", "SCHEDULES_PAUSED", "APPROVAL_REQUIRED"] as const),
      "VERSION_CONFLICT",
    ],
  },
  "schedules.runs": {
    ...one,
    method: "GET",
    path: "/api/admin/schedules/:scheduleId/runs",
    access: "viewer",
    summary: "List the runs of a schedule, newest first",
    query: z.object({ ...pageQuery, state: someOf(runState) }),
    reply: z.array(scheduleRun),
    paginated: true,
  },
});
