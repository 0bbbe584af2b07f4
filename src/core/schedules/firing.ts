// The job that runs schedules. Everything is in the database, so the next call continues after a
// crash, or at another node. Each due time has at most one run, because the due time is a part of
// the run's key.

import { firingOf } from "../../domain/schedules/firing.ts";
import type { Schedule, SchedulePause } from "../../domain/schedules/schedules.ts";
import type { Tx } from "../../store/database.ts";
import {
  type EndedRun,
  endScheduleRun,
  findScheduleRun,
  listEndedRuns,
  listRunsToStart,
  type RunKey,
} from "../../store/tables/schedules/schedule-runs.ts";
import {
  findSchedule,
  listDueSchedules,
  setNextAt,
} from "../../store/tables/schedules/schedules.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import { correctDueTimes, isClockInDoubt } from "./clock-jumps.ts";
import { isHeld, readPause } from "./pausing.ts";
import { startRollout } from "./rollout-start.ts";
import { beginRun, failRun, recordSkipped, startRun } from "./runs.ts";

/** If more runs are due, the next call follows in a second. */
const atOnce = 100;

/** Starts the runs that are due, and ends the runs whose command or rollout has ended. */
export async function runSchedules(core: Core): Promise<void> {
  const { read } = core.db;
  const ctx = systemContext(core);
  for (const ended of await listEndedRuns(read, atOnce)) {
    await attempt(core, ended, () => endRun(ctx, ended));
  }
  if (!(await isHeld(read))) {
    for (const key of await listRunsToStart(read, "WAITING", atOnce)) {
      await attempt(core, key, () => startWaiting(ctx, key));
    }
    if (!(await isClockInDoubt(core))) {
      await correctDueTimes(core);
      const pause = await readPause(read);
      for (const schedule of await listDueSchedules(read, core.now(), atOnce)) {
        await attempt(core, { scheduleId: schedule.id }, () => fire(ctx, schedule, pause));
      }
    }
    for (const key of await listRunsToStart(read, "STARTING", atOnce)) {
      await attempt(core, key, () => startRollout(ctx, key));
    }
  }
}

/** One schedule that cannot be run does not stop the others, and its run can be started later. */
export async function attempt(
  core: Core,
  { scheduleId }: Pick<RunKey, "scheduleId">,
  work: () => Promise<void>,
): Promise<void> {
  if (core.stopping.aborted) return;
  try {
    await work();
  } catch (err) {
    if (core.storage.recordFailure(core, err)) return;
    core.log.error({ err, scheduleId }, "a schedule could not be run; it will be tried again");
  }
}

const noStarter = { requestedBy: null, starter: null };

async function fire(ctx: Ctx, seen: Schedule, pause: SchedulePause | null): Promise<void> {
  const { core } = ctx;
  const { nextAt } = seen;
  if (nextAt === null) return;
  const firing = firingOf({ ...seen, nextAt }, core.now(), pause);
  await core.db.write(async (tx) => {
    const schedule = await findSchedule(tx, seen.id);
    if (schedule?.version !== seen.version || schedule.nextAt !== nextAt) return;
    if (await isHeld(tx)) return;
    for (const skipped of firing.skipped) await recordSkipped(ctx, tx, schedule, skipped);
    for (const run of firing.runs) {
      await beginRun(ctx, tx, schedule, { ...run, trigger: "time", ...noStarter });
    }
    await setNextAt(tx, schedule.id, firing.nextAt);
  });
}

async function startWaiting(ctx: Ctx, key: RunKey): Promise<void> {
  const { db } = ctx.core;
  await db.write(async (tx) => {
    const schedule = await findSchedule(tx, key.scheduleId);
    const waiting = await findScheduleRun(tx, key);
    if (schedule === null || waiting?.state !== "WAITING") return;
    if (await isHeld(tx)) return;
    await startRun(ctx, tx, schedule, waiting);
  });
}

async function endRun(ctx: Ctx, ended: EndedRun): Promise<void> {
  await ctx.core.db.write(async (tx) => {
    const schedule = await findSchedule(tx, ended.scheduleId);
    if (schedule) await recordEnd(ctx, tx, schedule, ended);
  });
}

async function recordEnd(ctx: Ctx, tx: Tx, schedule: Schedule, ended: EndedRun): Promise<void> {
  const { status, endedAt } = ended;
  const what = ended.commandId === null ? "rollout" : "command";
  if (status === "SUCCEEDED") {
    const success = { errorCode: null, errorMessage: null, endedAt: endedAt ?? tx.now };
    await endScheduleRun(tx, ended, "RUNNING", { state: "SUCCEEDED", ...success });
    return;
  }
  const how = status === null ? "deleted" : status === "CANCELLED" ? "cancelled" : "failed";
  const code = ended.errorCode ?? `${what}_${how}`.toUpperCase();
  const message =
    ended.errorMessage ?? `The ${what} ${how === "failed" ? "failed" : `was ${how}`}.`;
  await failRun(ctx, tx, schedule, ended, "RUNNING", { code, message }, endedAt ?? tx.now);
}
