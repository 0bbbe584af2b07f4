// Runs of schedules, from their due time to the end of what they have started. Each step checks the
// state that it changes, so that no step is done twice, even by different nodes.

import type { Command } from "../../domain/commands/commands.ts";
import { AppError, refusalIn } from "../../domain/errors.ts";
import { actionTimeoutSeconds } from "../../domain/limits.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type {
  Obstacle,
  Schedule,
  ScheduledAction,
  ScheduleRun,
  SkipReason,
} from "../../domain/schedules/schedules.ts";
import { shownPayloads, wholeTarget } from "../../domain/schedules/target-secrets.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import { findServiceByCode } from "../../store/tables/fleet/services.ts";
import {
  endScheduleRun,
  insertScheduleRun,
  listOpenRuns,
  type RunKey,
  setRunStarting,
  startScheduleRun,
} from "../../store/tables/schedules/schedule-runs.ts";
import { draftOf } from "../approvals/executions.ts";
import { recordBypass } from "../approvals/requests.ts";
import { permitForRun, refusalOf } from "../approvals/schedules.ts";
import { createCommand } from "../commands/commands.ts";
import type { Ctx } from "../context.ts";
import {
  findTarget,
  requireConfirmation,
  requireReachable,
  targetOf,
} from "../presence/action-targets.ts";
import { auditSchedule } from "./audit.ts";
import { ownerObstacle, starterContext } from "./owner.ts";

type NewRun = Pick<ScheduleRun, "dueAt" | "missedRuns" | "trigger" | "requestedBy" | "starter">;

/**
 * Starts a run. If the previous run has not ended, the new run waits or is skipped (`overlap`).
 * Does nothing if the schedule already has a run with this due time.
 */
export async function beginRun(ctx: Ctx, tx: Tx, schedule: Schedule, begun: NewRun): Promise<void> {
  const open = await listOpenRuns(tx, schedule.id);
  const key = { scheduleId: schedule.id, dueAt: begun.dueAt };
  if (!(await insertScheduleRun(tx, { ...unstarted, ...begun, ...key, state: "WAITING" }))) return;
  if (open.length === 0) return startRun(ctx, tx, schedule, { ...key, ...begun });
  const mayWait = schedule.overlap === "wait" && open.every(({ state }) => state !== "WAITING");
  if (!mayWait) await skipRun(ctx, tx, schedule, key, "WAITING", "OVERLAP");
}

const unstarted = {
  errorCode: null,
  errorMessage: null,
  commandId: null,
  rolloutId: null,
  startedAt: null,
  endedAt: null,
};

/** Records due times at which nothing runs. */
export async function recordSkipped(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  { dueAt, missedRuns, reason }: Pick<ScheduleRun, "dueAt" | "missedRuns"> & { reason: SkipReason },
): Promise<void> {
  const key = { scheduleId: schedule.id, dueAt };
  const skipped = { ...unstarted, ...key, missedRuns, state: "WAITING", trigger: "time" } as const;
  if (!(await insertScheduleRun(tx, { ...skipped, requestedBy: null, starter: null }))) return;
  await skipRun(ctx, tx, schedule, key, "WAITING", reason, { missedRuns });
}

/**
 * Starts a run that is WAITING. The run of a rollout is STARTING until the rollout exists
 * (rollout-start.ts).
 */
export async function startRun(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  run: RunKey & Pick<ScheduleRun, "trigger" | "starter">,
): Promise<void> {
  const key = { scheduleId: run.scheduleId, dueAt: run.dueAt };
  const starting = await starterContext(ctx, tx, schedule, run);
  if ("message" in starting) return failRun(ctx, tx, schedule, key, "WAITING", starting);
  const obstacle =
    (await ownerObstacle(tx, schedule.owner)) ??
    (run.trigger === "time" ? await refusalOf(tx, schedule) : null);
  if (obstacle) return failRun(starting, tx, schedule, key, "WAITING", obstacle);
  const target = wholeTarget(schedule);
  if (target.kind === "rollout") {
    await setRunStarting(tx, key);
    return;
  }
  const command = await commandFor(starting, tx, schedule, target, run);
  if ("message" in command) return failRun(starting, tx, schedule, key, "WAITING", command);
  await startScheduleRun(tx, key, "WAITING", { commandId: command.id });
  await noteStarted(starting, tx, schedule, key, { commandId: command.id });
}

export async function noteStarted(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  { dueAt }: RunKey,
  started: { commandId: string } | { rolloutId: string },
): Promise<void> {
  const facts = { dueAt: isoTime(dueAt), ...started };
  await auditSchedule(ctx, tx, schedule, "schedule.run.started", facts);
  tx.afterCommit(() => ctx.core.counters.count("scheduleRunsStarted"));
}

/** Creates the command of a run, or returns the reason why it cannot. */
async function commandFor(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  wanted: ScheduledAction,
  run: Pick<ScheduleRun, "trigger" | "starter">,
): Promise<Command | Obstacle> {
  try {
    const service = await findServiceByCode(tx, wanted.service);
    if (!service) throw new AppError("SERVICE_NOT_FOUND", `There is no service ${wanted.service}.`);
    const target = await findTarget(tx, service.id, wanted.action);
    requireConfirmation(target.action, wanted.confirmation);
    checkPayload(wanted.payload, target.action.inputSchema);
    requireReachable(ctx, target.service);
    const permitted = await permitForRun(ctx, tx, schedule, target, run);
    if ("message" in permitted) return permitted;
    const { permit, bypass } = permitted;
    const { inputSchema, timeoutSeconds } = target.action;
    const { payload, reason = null } = wanted;
    const secretMarks = { schema: inputSchema, shown: shownPayloads(schedule).get(null) };
    const command = await createCommand(ctx, tx, {
      ...targetOf(ctx, target),
      source: { kind: "schedule", id: schedule.id, name: schedule.name, routeId: null },
      type: "ACTION_EXECUTE",
      permit,
      payload,
      ...secretMarks,
      reason,
      prepareCommandId: null,
      timeoutSeconds: timeoutSeconds ?? actionTimeoutSeconds.default,
      ttlSeconds: ctx.core.settings.commandTtlSeconds,
    });
    if (bypass !== null) {
      const draft = draftOf(ctx.core, target, { ...plainOrder, payload, reason }, secretMarks);
      await recordBypass(ctx, tx, draft, bypass, command.id);
    }
    return command;
  } catch (error) {
    return refusalIn(error);
  }
}

const plainOrder = {
  prepareCommandId: null,
  retryOf: null,
  expectedState: null,
  plan: null,
  queue: false,
};

export async function failRun(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  key: RunKey,
  from: "WAITING" | "STARTING" | "RUNNING",
  { code, message }: Obstacle,
  endedAt = tx.now,
): Promise<void> {
  const end = { state: "FAILED", errorCode: code, errorMessage: message, endedAt } as const;
  if (!(await endScheduleRun(tx, key, from, end))) return;
  const facts = { dueAt: isoTime(key.dueAt), errorCode: code, errorMessage: message };
  await auditSchedule(ctx, tx, schedule, "schedule.run.failed", facts);
  tx.afterCommit(() => ctx.core.counters.count("scheduleRunsFailed"));
}

const skipMessages: Record<SkipReason, string> = {
  MISSED: "No server could start the run when it was due.",
  OVERLAP: "The previous run had not ended.",
  PAUSED: "The schedule was paused, or all schedules were paused.",
};

async function skipRun(
  ctx: Ctx,
  tx: Tx,
  schedule: Schedule,
  key: RunKey,
  from: "WAITING" | "STARTING",
  reason: SkipReason,
  more: { missedRuns?: number } = {},
): Promise<void> {
  const why = { errorCode: reason, errorMessage: skipMessages[reason] };
  const end = { state: "SKIPPED", ...why, endedAt: tx.now } as const;
  if (!(await endScheduleRun(tx, key, from, end))) return;
  const facts = { dueAt: isoTime(key.dueAt), reason, ...more };
  await auditSchedule(ctx, tx, schedule, "schedule.run.skipped", facts);
  tx.afterCommit(() => ctx.core.counters.count("scheduleRunsSkipped"));
}

/** When a schedule is paused, its runs that have no command or rollout yet are skipped. */
export async function skipUnstartedRuns(ctx: Ctx, tx: Tx, schedule: Schedule): Promise<void> {
  const { id: scheduleId } = schedule;
  for (const { dueAt, state } of await listOpenRuns(tx, scheduleId)) {
    if (state !== "WAITING" && state !== "STARTING") continue;
    await skipRun(ctx, tx, schedule, { scheduleId, dueAt }, state, "PAUSED");
  }
}
