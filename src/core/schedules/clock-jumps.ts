// What schedules do when the wall clock is wrong or has been set.
// (docs/decisions/0018-time-and-randomness.md)

import { isFarFrom } from "../../domain/retention-clock.ts";
import { nextDue } from "../../domain/schedules/due-times.ts";
import type { Schedule } from "../../domain/schedules/schedules.ts";
import { isoTimeOrNull } from "../../lib/iso-time.ts";
import { findRetentionClock } from "../../store/tables/clock.ts";
import { deleteSkippedAfter, lastTimedDue } from "../../store/tables/schedules/schedule-runs.ts";
import {
  findSchedule,
  listAllSchedules,
  setNextAt,
} from "../../store/tables/schedules/schedules.ts";
import type { Core } from "../context.ts";

/**
 * How long schedules wait after a clock jump, because a wrong clock is often corrected within
 * moments. Shorter than `scheduleLateMs`, so that runs that become due meanwhile are not missed.
 */
const settleMs = 30_000;
/**
 * How long schedules wait while the clock differs by more than a day from the times in the
 * database.
 */
const doubtMs = 600_000;

/**
 * Whether the wall clock may be wrong, so that nothing is due yet. The doubt ends by itself,
 * because after a long time without a server, even a correct clock differs from the times in the
 * database.
 */
export async function isClockInDoubt({ db, now, statusClock }: Core): Promise<boolean> {
  const steadyMs = statusClock.steadyForMs();
  if (steadyMs < settleMs) return true;
  const clock = await findRetentionClock(db.read);
  if (clock === null || !isFarFrom(clock, now())) return false;
  return Math.min(clock.doubtedMs, steadyMs) < doubtMs;
}

/**
 * After a clock jump, and at the start, corrects schedules that wait for too late a time because
 * the clock was ahead. Runs that they have missed meanwhile are then due.
 */
export async function correctDueTimes(core: Core): Promise<void> {
  const { db, statusClock } = core;
  const { disturbances } = statusClock;
  if (statusClock.dueTimesCheckedAt === disturbances) return;
  for (const seen of await listAllSchedules(db.read)) {
    if (isLate(seen, core.now())) await correct(core, seen);
  }
  statusClock.dueTimesCheckedAt = disturbances;
}

/** Whether a due time comes before the one that the schedule waits for. */
function isLate(schedule: Schedule, now: number): boolean {
  if (schedule.state !== "ENABLED") return false;
  const due = nextDue(schedule, now);
  return due !== null && (schedule.nextAt === null || schedule.nextAt > due);
}

async function correct({ db, log }: Core, seen: Schedule): Promise<void> {
  const { id: scheduleId } = seen;
  const nextAt = await db.write(async (tx) => {
    const schedule = await findSchedule(tx, scheduleId);
    if (schedule?.version !== seen.version || !isLate(schedule, tx.now)) return null;
    // These runs were recorded as missed while the clock was ahead. Their times are yet to come.
    await deleteSkippedAfter(tx, scheduleId, tx.now);
    const last = await lastTimedDue(tx, scheduleId, tx.now);
    const known = [schedule.updatedAt, last ?? 0].filter((at) => at <= tx.now);
    const next = nextDue(schedule, known.length === 2 ? Math.max(...known) : tx.now);
    await setNextAt(tx, scheduleId, next);
    return next;
  });
  if (nextAt === null) return;
  const times = { from: isoTimeOrNull(seen.nextAt), to: isoTimeOrNull(nextAt) };
  log.warn({ scheduleId, ...times }, "corrected the next run of a schedule after a clock jump");
}
