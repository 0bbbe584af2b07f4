// Lists, shows, changes and runs schedules for the API. (docs/guides/schedules.md)

import type { schedules } from "../../api/schedules.ts";
import { AppError, requireRoom, requireSameVersion } from "../../domain/errors.ts";
import { maxSchedules } from "../../domain/limits.ts";
import type { Schedule, ScheduleRule } from "../../domain/schedules/schedules.ts";
import { wholeTarget } from "../../domain/schedules/target-secrets.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import {
  findScheduleRun,
  listOpenRuns,
  listScheduleRuns,
  type RunFilter,
} from "../../store/tables/schedules/schedule-runs.ts";
import {
  countSchedules,
  listSchedules as listStored,
  type ScheduleFilter,
} from "../../store/tables/schedules/schedules.ts";
import { recheckCaller } from "../access/still-allowed.ts";
import { requireMayBypass } from "../approvals/gate.ts";
import { judgeSchedule } from "../approvals/schedule-demands.ts";
import { requireNoApproval } from "../approvals/schedules.ts";
import { makerOf } from "../audit/trail.ts";
import { bulkReader, type Ctx, contextAfterCommit } from "../context.ts";
import type { Body } from "../handlers.ts";
import { rememberAnswer } from "../idempotency-keys.ts";
import { auditSchedule } from "./audit.ts";
import {
  createScheduleIn,
  deleteScheduleIn,
  type Examined,
  examine,
  requireFreeName,
  requireSchedule,
  type ScheduleToSave,
  updateScheduleIn,
} from "./changes.ts";
import { attempt } from "./firing.ts";
import { ownerOf, starterOf } from "./owner.ts";
import { isPaused, pauseScheduleIn, readPause, resumeScheduleIn } from "./pausing.ts";
import { startRollout } from "./rollout-start.ts";
import { beginRun } from "./runs.ts";
import {
  dueTimesFrom,
  type RunView,
  toRunViews,
  toScheduleDetail,
  toScheduleSummaries,
} from "./views.ts";
import { warningsNow, warningsOf } from "./warnings.ts";

type Saved = Body<typeof schedules, "schedules.create">;

export async function listSchedules(ctx: Ctx, filter: ScheduleFilter) {
  const read = bulkReader(ctx);
  const { items, total } = await listStored(read, filter);
  return { items: await toScheduleSummaries(read, items), total };
}

export async function getSchedule(ctx: Ctx, id: string) {
  const { read } = ctx.core.db;
  const schedule = await requireSchedule(read, id);
  const warnings = await warningsNow(ctx, schedule);
  return { ...(await toScheduleDetail(read, schedule)), warnings };
}

export async function createSchedule(ctx: Ctx, body: Saved) {
  const { core } = ctx;
  const since = core.monotonic();
  const rule = ruleOf(body);
  await requireMayBypass(ctx, body.breakGlass);
  const examined = await examine(ctx, rule, null);
  const warnings = await warningsOf(ctx, rule.target);
  return core.db.write(async (tx) => {
    await recheckCaller(ctx, tx, since);
    await requireFreeName(tx, rule.name, null);
    requireRoom(await countSchedules(tx), maxSchedules, "schedules", "delete one first");
    const saving = await savingOf(ctx, tx, examined, body);
    const schedule = await createScheduleIn(ctx, tx, rule, saving);
    return rememberAnswer(ctx, tx, { ...(await toScheduleDetail(tx, schedule)), warnings });
  });
}

export async function updateSchedule(ctx: Ctx, id: string, body: Saved & { version: number }) {
  const { core } = ctx;
  const since = core.monotonic();
  const rule = ruleOf(body);
  await requireMayBypass(ctx, body.breakGlass);
  const seen = await requireSchedule(core.db.read, id);
  requireSameVersion(seen, body.version, `schedule ${seen.name}`);
  const examined = await examine(ctx, rule, seen);
  const warnings = await warningsOf(ctx, wholeTarget(examined.edit));
  return core.db.write(async (tx) => {
    await recheckCaller(ctx, tx, since);
    const before = await requireSchedule(tx, id);
    requireSameVersion(before, body.version, `schedule ${before.name}`);
    await requireFreeName(tx, rule.name, id);
    const saving = await savingOf(ctx, tx, examined, body);
    const after = await updateScheduleIn(ctx, tx, before, rule, saving);
    return { ...(await toScheduleDetail(tx, after)), warnings };
  });
}

async function savingOf(
  ctx: Ctx,
  tx: Tx,
  examined: Examined,
  { breakGlass }: Pick<Saved, "breakGlass">,
): Promise<ScheduleToSave> {
  return { ...examined, owner: await ownerOf(ctx, tx), origin: null, breakGlass };
}

export async function deleteSchedule(ctx: Ctx, id: string) {
  await ctx.core.db.write(async (tx) => {
    await deleteScheduleIn(ctx, tx, await requireSchedule(tx, id), null);
  });
  return { id, deleted: true as const };
}

export function pauseSchedule(ctx: Ctx, id: string) {
  return ctx.core.db.write(async (tx) => toScheduleDetail(tx, await pauseScheduleIn(ctx, tx, id)));
}

export async function resumeSchedule(ctx: Ctx, id: string, breakGlass: string | undefined) {
  const { db, monotonic } = ctx.core;
  const since = monotonic();
  await requireMayBypass(ctx, breakGlass);
  const seen = await requireSchedule(db.read, id);
  const gating = { breakGlass, judged: await judgeSchedule(ctx, seen.target) };
  return db.write(async (tx) => {
    await recheckCaller(ctx, tx, since);
    return toScheduleDetail(tx, await resumeScheduleIn(ctx, tx, id, seen.version, gating));
  });
}

/**
 * If a rollout cannot be created yet, its run stays STARTING, and the job creates it. Throws
 * SCHEDULE_RUNNING, SCHEDULES_PAUSED, APPROVAL_REQUIRED, VERSION_CONFLICT.
 */
export async function runSchedule(
  ctx: Ctx,
  id: string,
  asked: Body<typeof schedules, "schedules.run">,
) {
  const { db } = ctx.core;
  const { breakGlass, version } = asked;
  await requireMayBypass(ctx, breakGlass);
  const begun = await db.write(async (tx) => {
    const schedule = await requireSchedule(tx, id);
    if (version !== undefined) requireSameVersion(schedule, version, `schedule ${schedule.name}`);
    if (isPaused(await readPause(tx))) {
      throw new AppError("SCHEDULES_PAUSED", "All schedules are paused. Resume them first.");
    }
    const key = { scheduleId: id, dueAt: await freeTime(tx, id) };
    const { dueAt } = key;
    await requireNoOverlap(tx, schedule);
    const requestedBy = makerOf(ctx.principal);
    if (breakGlass === undefined) await requireNoApproval(ctx, tx, schedule);
    const starter = await starterOf(ctx, tx, schedule, breakGlass);
    const demanded = { dueAt, missedRuns: 0, trigger: "operator", requestedBy, starter } as const;
    await auditSchedule(ctx, tx, schedule, "schedule.run.requested", { dueAt: isoTime(dueAt) });
    await beginRun(ctx, tx, schedule, demanded);
    const run = await findScheduleRun(tx, key);
    if (!run) throw new Error(`the run ${id} ${dueAt} was not stored`);
    const [view] = await toRunViews(tx, [run]);
    return { key, view: await rememberAnswer(ctx, tx, view as RunView) };
  });
  const { key, view } = begun;
  if (view.state !== "STARTING") return view;
  let latest = view;
  await attempt(ctx.core, key, async () => {
    await startRollout(contextAfterCommit(ctx), key);
    const run = await findScheduleRun(db.read, key);
    const [started] = await toRunViews(db.read, run ? [run] : []);
    if (started) latest = started;
  });
  return latest;
}

async function requireNoOverlap(tx: Tx, { id, name, overlap }: Schedule): Promise<void> {
  const open = await listOpenRuns(tx, id);
  if (open.length === 0) return;
  if (overlap === "wait" && open.every(({ state }) => state !== "WAITING")) return;
  const advice = "wait until it has ended, or cancel its command or rollout";
  throw new AppError("SCHEDULE_RUNNING", `The last run of ${name} has not ended: ${advice}.`);
}

/**
 * Returns a due time for a run that an operator starts. No other run of the schedule may have this
 * time, because it is a part of the run's key.
 */
async function freeTime(tx: Tx, scheduleId: string): Promise<number> {
  let dueAt = tx.now;
  while (await findScheduleRun(tx, { scheduleId, dueAt })) dueAt++;
  return dueAt;
}

export async function listRuns(ctx: Ctx, id: string, filter: RunFilter) {
  const read = bulkReader(ctx);
  await requireSchedule(read, id);
  const { items, total } = await listScheduleRuns(read, id, filter);
  return { items: await toRunViews(read, items), total };
}

export function previewTiming(ctx: Ctx, body: Body<typeof schedules, "schedules.preview">) {
  return { runs: dueTimesFrom(body, ctx.core.now(), body.count) };
}

function ruleOf({ breakGlass: _, ...rule }: Saved): ScheduleRule {
  return rule;
}
