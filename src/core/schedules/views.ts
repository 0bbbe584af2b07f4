// Converts schedules and their runs to the form of the API.

import type { z } from "zod";
import type { scheduleRun, scheduleSummary } from "../../api/shapes/schedule-schemas.ts";
import { declaredIn } from "../../domain/declarations.ts";
import { scheduleNextRuns } from "../../domain/limits.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { describeDue } from "../../domain/schedules/describe-due.ts";
import { nextDues, type Timing } from "../../domain/schedules/due-times.ts";
import type { Schedule, ScheduleRun } from "../../domain/schedules/schedules.ts";
import { isoTime, isoTimeOrNull, isoTimes } from "../../lib/iso-time.ts";
import type { Reader } from "../../store/database.ts";
import { findScheduleApprovals } from "../../store/tables/approvals/schedule-approvals.ts";
import { findRolloutPlans } from "../../store/tables/rollouts/rollouts.ts";
import { findLastRuns } from "../../store/tables/schedules/schedule-runs.ts";
import { approvalFields } from "../approvals/schedules.ts";
import { readingFrom } from "../lookups.ts";
import { leftOutCounts } from "../rollouts/views.ts";
import { asShown } from "./changes.ts";
import { isPaused, readPause } from "./pausing.ts";

type Summary = z.output<typeof scheduleSummary>;
export type RunView = z.output<typeof scheduleRun>;

export async function toScheduleSummaries(
  db: Reader,
  schedules: readonly Schedule[],
): Promise<Summary[]> {
  const allPaused = isPaused(await readPause(db));
  const ids = schedules.map(({ id }) => id);
  const lastRuns = await findLastRuns(db, ids);
  const runView = await runViewer(db, [...lastRuns.values()]);
  const requests = await findScheduleApprovals(db, ids);
  const reading = readingFrom(db);
  const shown = await Promise.all(schedules.map((schedule) => asShown(reading, schedule)));
  return shown.map((schedule) => {
    const { id, name, description, state, cron, everySeconds, timezone, until } = schedule;
    const { withheld, missed, overlap, owner, version } = schedule;
    const lastRun = lastRuns.get(id);
    return {
      id,
      name,
      description,
      state,
      cron,
      everySeconds,
      timezone,
      until: until === undefined ? undefined : isoTime(until),
      target: schedule.target as unknown as JsonObject,
      withheld,
      missed,
      overlap,
      allPaused,
      ...approvalFields(requests.get(id)),
      nextRunAt: isoTimeOrNull(schedule.nextAt),
      lastRun: lastRun ? runView(lastRun) : null,
      owner: { kind: owner.kind, userId: owner.id, name: owner.name },
      declaredIn: declaredIn(schedule),
      version,
      ...isoTimes(schedule, "createdAt", "updatedAt"),
    };
  });
}

export async function toScheduleDetail(db: Reader, schedule: Schedule) {
  const [summary] = await toScheduleSummaries(db, [schedule]);
  const { nextAt } = schedule;
  const count = scheduleNextRuns.default;
  const dues = nextAt === null ? [] : dueTimesFrom(schedule, nextAt - 1, count);
  return { ...(summary as Summary), nextRuns: dues };
}

/** The first `count` due times after `after`, in Unix milliseconds. */
export function dueTimesFrom(timing: Timing, after: number, count: number) {
  return nextDues(timing, after, count).map((due) => {
    const { at, ...described } = describeDue(timing, due);
    return { at: isoTime(at), ...described };
  });
}

export async function toRunViews(db: Reader, runs: readonly ScheduleRun[]): Promise<RunView[]> {
  return runs.map(await runViewer(db, runs));
}

/** Reads what the views of these runs need, and returns a function that converts one of them. */
async function runViewer(
  db: Reader,
  runs: readonly ScheduleRun[],
): Promise<(run: ScheduleRun) => RunView> {
  const plans = await findRolloutPlans(
    db,
    runs.flatMap(({ rolloutId }) => rolloutId ?? []),
  );
  return (run) => {
    const { trigger, state, errorCode, errorMessage, missedRuns, requestedBy } = run;
    const { commandId, rolloutId } = run;
    return {
      dueAt: isoTime(run.dueAt),
      trigger,
      state,
      errorCode,
      errorMessage,
      missedRuns,
      requestedBy,
      commandId,
      rolloutId,
      ...isoTimes(run, "startedAt", "endedAt"),
      leftOut: leftOutCounts(plans.get(rolloutId ?? "") ?? {}),
    };
  };
}
