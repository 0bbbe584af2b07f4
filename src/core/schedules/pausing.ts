// Pauses and resumes one schedule, or all of them.

import { nextDue } from "../../domain/schedules/due-times.ts";
import type { Schedule, SchedulePause } from "../../domain/schedules/schedules.ts";
import { redactText } from "../../domain/secrets/redaction.ts";
import { isoTimeOrNull } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { scheduleRows } from "../../store/tables/schedules/schedules.ts";
import { findSetting, writeSetting } from "../../store/tables/settings.ts";
import { endRequestsOf } from "../approvals/requests.ts";
import { boundTarget, type Gating, gateSchedule } from "../approvals/schedules.ts";
import { openLoss } from "../audit/data-loss.ts";
import { audit, makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { auditSchedule } from "./audit.ts";
import { requireSchedule } from "./changes.ts";
import { skipUnstartedRuns } from "./runs.ts";

/** Does nothing if the schedule is PAUSED. */
export async function pauseScheduleIn(ctx: Ctx, tx: Tx, id: string): Promise<Schedule> {
  const before = await requireSchedule(tx, id);
  if (before.state === "PAUSED") return before;
  const after = await changed(tx, { ...before, state: "PAUSED", nextAt: null });
  await skipUnstartedRuns(ctx, tx, after);
  await endRequestsOf(ctx, tx, id, "OUTDATED", "The schedule was paused.");
  await auditSchedule(ctx, tx, after, "schedule.paused");
  return after;
}

/**
 * Does nothing if the schedule is ENABLED. Runs that were due meanwhile do not take place. `gating`
 * was computed for the version `seen`.
 */
export async function resumeScheduleIn(
  ctx: Ctx,
  tx: Tx,
  id: string,
  seen: number,
  gating: Gating,
): Promise<Schedule> {
  const before = await requireSchedule(tx, id);
  if (before.state === "ENABLED") return before;
  const nextAt = nextDue(before, tx.now);
  // Secrets stay bound to the agent for which they were given.
  const bound = before.withheld.length > 0 ? before.bound : await boundTarget(tx, before.target);
  const after = await changed(tx, { ...before, state: "ENABLED", nextAt, bound });
  await auditSchedule(ctx, tx, after, "schedule.resumed");
  const isSame = before.version === seen;
  await gateSchedule(ctx, tx, after, isSame ? gating : { ...gating, judged: null });
  return after;
}

async function changed(tx: Tx, schedule: Schedule): Promise<Schedule> {
  const after = { ...schedule, version: schedule.version + 1, updatedAt: tx.now };
  await scheduleRows.update(tx, after);
  return after;
}

const pauseKey = "schedulePause";

/** The current or the last pause of all schedules. */
export async function readPause(db: Reader): Promise<SchedulePause | null> {
  return ((await findSetting(db, pauseKey)) ?? null) as SchedulePause | null;
}

export function isPaused(pause: SchedulePause | null): boolean {
  return pause !== null && pause.until === null;
}

/** Whether no run may start, because all schedules are paused, or confirmed changes were lost. */
export async function isHeld(db: Reader): Promise<boolean> {
  return isPaused(await readPause(db)) || (await openLoss(db)) !== null;
}

/** Changes nothing if all schedules are already paused. */
export async function pauseAll(ctx: Ctx, reason: string | undefined) {
  return ctx.core.db.write(async (tx) => {
    const before = await readPause(tx);
    if (isPaused(before)) return toPauseView(before);
    const why = reason === undefined ? null : redactText(reason);
    const pause = { since: tx.now, until: null, by: makerOf(ctx.principal), reason: why };
    await writeSetting(tx, pauseKey, pause);
    const message = why === null ? {} : { message: why };
    await audit(ctx, tx, { action: "schedules.paused", targetId: null, ...message });
    return toPauseView(pause);
  });
}

/**
 * Changes nothing if the schedules are not paused. Runs that were due meanwhile are recorded as
 * skipped.
 */
export async function resumeAll(ctx: Ctx) {
  return ctx.core.db.write(async (tx) => {
    const before = await readPause(tx);
    if (before === null || !isPaused(before)) return toPauseView(before);
    const pause = { ...before, until: tx.now };
    await writeSetting(tx, pauseKey, { ...pause });
    const metadata = { since: isoTimeOrNull(before.since) };
    await audit(ctx, tx, { action: "schedules.resumed", targetId: null, metadata });
    return toPauseView(pause);
  });
}

export function toPauseView(pause: SchedulePause | null) {
  if (pause === null || pause.until !== null) {
    return { paused: false, since: null, by: null, reason: null };
  }
  const { since, by, reason } = pause;
  return { paused: true, since: isoTimeOrNull(since), by, reason };
}
