// The bodies and replies of schedules.

import { z } from "zod";
import { maxMissedRuns, scheduleEverySeconds, scheduleNextRuns } from "../../domain/limits.ts";
import { cronIssue, isTimezone, timezoneLike } from "../../domain/schedules/due-times.ts";
import {
  missedRules,
  overlapRules,
  runStates,
  runTriggers,
  scheduleStates,
} from "../../domain/schedules/schedules.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import {
  code,
  count,
  exactlyOne,
  idOf,
  jsonObject,
  moment,
  oneLineName,
  orAbsent,
  timestamp,
} from "../contract/schemas.ts";
import { breakGlass } from "./approval-schemas.ts";
import { declaredIn } from "./declared-in.ts";
import { choiceMissing, choosesServices, leftOut, rolloutFields } from "./rollout-schemas.ts";

export const scheduleState = named(
  "ScheduleState",
  z.enum(scheduleStates).describe("A PAUSED schedule does not run at its due times."),
);
const missed = named("ScheduleMissedRule", z.enum(missedRules));
const overlap = named("ScheduleOverlapRule", z.enum(overlapRules));
export const runState = named(
  "ScheduleRunState",
  z
    .enum(runStates)
    .describe(
      "WAITING: the run waits until the previous run has ended. STARTING: the run is creating its rollout. SKIPPED: the run did not happen.",
    ),
);
const runTrigger = named("ScheduleRunTrigger", z.enum(runTriggers));

const timing = {
  cron: orAbsent(
    z
      .string()
      .trim()
      .max(200)
      .superRefine((text, context) => {
        const issue = cronIssue(text);
        if (issue !== null) context.addIssue(issue);
      }),
  ).describe(
    "Five fields: minute, hour, day, month and weekday. Set either `cron` or `everySeconds`.",
  ),
  everySeconds: orAbsent(
    z.int().min(scheduleEverySeconds.min).max(scheduleEverySeconds.max),
  ).describe(
    "The interval between due times. The due times are multiples of this interval since " +
      "1970-01-01T00:00Z.",
  ),
  timezone: z
    .string()
    .max(100)
    .refine(isTimezone, {
      error: ({ input }) =>
        `must be the name of a time zone, such as ${timezoneLike(String(input)) ?? "Europe/Berlin"}`,
    })
    .default("UTC")
    .describe("The time zone of `cron`, such as Europe/Berlin."),
  until: orAbsent(moment).describe("No run is due after this time."),
};

const oneTiming = exactlyOne("cron", "everySeconds");

const actionTarget = namedObject("ScheduledActionInput", {
  kind: z.literal("action"),
  service: code.describe("The code of the service."),
  action: z.string().min(1).max(100).describe("The action to run."),
  payload: jsonObject.default({}).describe("The input of the action."),
  confirmation: z
    .boolean()
    .default(false)
    .describe("Confirms the action, if it requires confirmation."),
  reason: z
    .string()
    .max(500)
    .optional()
    .describe("Stored with the command and in the audit trail."),
});

const rolloutTarget = named(
  "ScheduledRolloutInput",
  z.object({ kind: z.literal("rollout"), ...rolloutFields }).refine(choosesServices, choiceMissing),
);

const target = z
  .discriminatedUnion("kind", [actionTarget, rolloutTarget])
  .describe(
    "What runs: an action of one service, or a rollout, whose services are chosen when it runs.",
  );

const rule = {
  name: oneLineName.describe("A name that no other schedule has."),
  description: orAbsent(z.string().max(2000)).describe("What the schedule is for."),
  state: scheduleState.default("ENABLED"),
  ...timing,
  target,
  missed: missed
    .default("skip")
    .describe(
      "What happens to runs that were due while no server was running: `skip` skips them, and " +
        "`once` starts one run for all of them.",
    ),
  overlap: overlap
    .default("skip")
    .describe(
      "What happens if a run is due before the previous run has ended: `skip` skips the new run, and " +
        "`wait` delays it until then.",
    ),
};

export const newSchedule = named(
  "ScheduleInput",
  z.object({ ...rule, breakGlass }).refine(...oneTiming),
);

export const changedSchedule = named(
  "UpdateScheduleRequest",
  z
    .object({
      ...rule,
      breakGlass,
      version: z.int().min(1).describe("The version of the schedule that this request replaces."),
    })
    .refine(...oneTiming),
);

export const scheduleDeclaration = z
  .object({ kind: z.literal("Schedule"), ...rule })
  .refine(...oneTiming);

export const bypass = namedObject("ScheduleBypass", { breakGlass });

export const runRequest = namedObject("RunScheduleRequest", {
  breakGlass,
  version: z
    .int()
    .min(1)
    .optional()
    .describe("The version of the schedule to run. If the schedule has changed, nothing runs."),
});

export const timingPreview = named(
  "PreviewScheduleRequest",
  z
    .object({
      ...timing,
      count: z
        .int()
        .min(1)
        .max(scheduleNextRuns.max)
        .default(scheduleNextRuns.default)
        .describe("How many due times to return."),
    })
    .refine(...oneTiming),
);

export const dueTime = namedObject("ScheduleDueTime", {
  at: timestamp.describe("The due time in UTC."),
  localTime: z
    .string()
    .describe("The due time in the schedule's time zone, such as `2026-03-29T03:00`."),
  offset: z.string().describe("The offset of the local time from UTC, such as `+02:00`."),
  note: z
    .string()
    .nullable()
    .describe("How a clock change affects this due time. Null if it does not."),
});

export const scheduleRun = namedObject("ScheduleRun", {
  dueAt: timestamp.describe("When the run was due."),
  trigger: runTrigger.describe("What started the run: its due time, or an operator."),
  state: runState,
  errorCode: z.string().nullable().describe("Why the run FAILED or was SKIPPED, as a code."),
  errorMessage: z.string().nullable().describe("The same reason in words."),
  missedRuns: count.describe(
    `How many earlier due times this run replaces. ${maxMissedRuns} means ${maxMissedRuns} ` +
      "or more.",
  ),
  requestedBy: z.string().nullable().describe("The operator who started the run, if any."),
  commandId: idOf("cmd").nullable().describe("The command that the run created, if any."),
  rolloutId: idOf("rol").nullable().describe("The rollout that the run created, if any."),
  startedAt: timestamp.nullable().describe("Null if the run has not started."),
  endedAt: timestamp.nullable().describe("Null if the run has not ended."),
  leftOut: leftOut.describe(
    "The chosen services on which the run's rollout does not run, such as those whose agent was " +
      "offline. Null if the run has no rollout, or if an older version created the rollout.",
  ),
});

const owner = namedObject("ScheduleOwner", {
  kind: named("ScheduleOwnerKind", z.enum(["user", "local"])).describe(
    "Whether a user or somebody with `--db` saved the schedule last.",
  ),
  userId: z.string().nullable().describe("The id of the user. Null if `kind` is `local`."),
  name: z
    .string()
    .describe(
      "The user's name when the schedule was last saved. If `kind` is `local`, the name of the " +
        "caller.",
    ),
});

export const scheduleSummary = namedObject("Schedule", {
  id: idOf("sch"),
  name: z
    .string()
    .describe("A name that no other schedule has. Calls accept it in place of the id."),
  description: z
    .string()
    .optional()
    .describe("What the schedule is for. Absent if it has no description."),
  state: scheduleState,
  cron: z.string().optional().describe("Five fields: minute, hour, day, month and weekday."),
  everySeconds: z.int().optional().describe("The interval between due times."),
  timezone: z.string().describe("The time zone of `cron`."),
  until: timestamp.optional().describe("No run is due after this time."),
  target: jsonObject.describe(
    "What runs, in the same form as in the request, with `[REDACTED]` in place of each secret.",
  ),
  withheld: z.array(z.string()).describe("JSON Pointers to the secrets in the target."),
  missed: missed.describe(
    "What happens to missed runs: `skip` skips them, and `once` starts one run for all of them.",
  ),
  overlap: overlap.describe(
    "What happens to a run if the previous one has not ended: `skip` skips it, and `wait` delays it.",
  ),
  allPaused: z
    .boolean()
    .describe("Whether all schedules are paused. If so, this schedule does not run."),
  approvalId: idOf("apr")
    .nullable()
    .describe("The request for approval of the schedule's current content, if there is one."),
  approvalState: named("ScheduleApprovalState", z.enum(["AWAITING_APPROVAL", "NOT_APPROVED"]))
    .nullable()
    .describe("Why the schedule does not run yet. Null if it needs no approval or is approved."),
  nextRunAt: timestamp.nullable().describe("When the next run is due."),
  lastRun: scheduleRun.nullable().describe("The newest run. Null before the first one."),
  owner: owner.describe(
    "The owner of the schedule, whose role decides whether the schedule may run.",
  ),
  declaredIn,
  version: z.int().describe("Increases with every change. Send it with an update."),
  createdAt: timestamp,
  updatedAt: timestamp.describe(
    "When the schedule was last changed, paused or resumed. Runs do not count.",
  ),
});

export const scheduleDetail = named(
  "ScheduleDetail",
  scheduleSummary.extend({ nextRuns: z.array(dueTime).describe("The next due times.") }),
);

export const savedSchedule = named(
  "SavedSchedule",
  scheduleDetail.extend({
    warnings: z
      .array(z.string())
      .describe(
        "Reasons why a run would currently fail, and the labels in the selector that agents " +
          "can report. Agents can use such a label to change which services a run selects.",
      ),
  }),
);

export const pauseOfAll = namedObject("SchedulesPause", {
  paused: z.boolean().describe("Whether all schedules are paused."),
  since: timestamp.nullable().describe("When all schedules were paused. Null if they are not."),
  by: z.string().nullable().describe("Who paused all schedules."),
  reason: z.string().nullable().describe("The reason that this user gave."),
});
