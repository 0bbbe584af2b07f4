// One step of a rollout, in one transaction. src/domain/rollouts/rollouts.ts decides the next step.

import { AppError, refusalIn } from "../../domain/errors.ts";
import { silentBefore } from "../../domain/fleet/agents.ts";
import { actionTimeoutSeconds } from "../../domain/limits.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { healthVerdict, nextStep, type RolloutProgress } from "../../domain/rollouts/next-step.ts";
import {
  hasEnded,
  type Rollout,
  type RolloutTarget,
  type TargetState,
} from "../../domain/rollouts/rollouts.ts";
import { type PayloadParts, wholePayload } from "../../domain/secrets/payload-secrets.ts";
import type { Tx } from "../../store/database.ts";
import {
  countForStep,
  listCheckedTargets,
  listEndedTargets,
  listUnfetchedTargets,
  listWaitingTargets,
  setTargetState,
  startTarget,
} from "../../store/tables/rollouts/rollout-targets.ts";
import {
  endRollout,
  findRollout,
  listUnsettledRolloutIds,
  setRolloutState,
  settleRollout,
  setWave,
} from "../../store/tables/rollouts/rollouts.ts";
import {
  type Basis,
  basisOfRequest,
  isPermit,
  type NeedsApproval,
  permitNow,
} from "../approvals/permits.ts";
import { targetChange } from "../approvals/rollouts.ts";
import { openLoss } from "../audit/data-loss.ts";
import { createCommand, requireCommand } from "../commands/commands.ts";
import { endOpenCommand } from "../commands/endings.ts";
import { keptPrepare, termsOf } from "../commands/prepared-forms.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import {
  isOffline,
  lookUpTarget,
  requireReachable,
  requireTarget,
  targetOf,
  unreachable,
} from "../presence/action-targets.ts";
import { timer } from "../short-transactions.ts";
import { auditRollout } from "./audit.ts";
import type { ChosenTarget } from "./targets.ts";

/**
 * The maximum number of targets per transaction. Usually, the transaction runs out of time earlier.
 */
const atOnce = 100;
/** The maximum number of rollouts that are continued each second. */
const mostRollouts = 1000;

/** Like `advanceRollout`, but logs a failure and returns false: a job tries again. */
export async function continueRollout(core: Core, id: string): Promise<boolean> {
  try {
    return await advanceRollout(core, id);
  } catch (err) {
    if (!core.storage.recordFailure(core, err)) {
      const fields = { err, rolloutId: id };
      core.log.warn(fields, "a rollout could not continue; it will be tried again");
    }
    return false;
  }
}

/**
 * Returns whether there is more to do now. However slow the database is, a step that returns true
 * has changed something. Otherwise, the rollout would repeat the step forever.
 */
export async function advanceRollout(core: Core, id: string): Promise<boolean> {
  const ctx = systemContext(core);
  return core.db.write(async (tx) => {
    const rollout = await findRollout(tx, id);
    if (rollout === null || rollout.settledAt !== null) return false;
    // After a clock jump, a job first moves the times that a step compares with the clock.
    if (core.statusClock.hasJump()) return false;
    const isOver = timer(core);
    const ended = await endTargets(tx, rollout);
    if (ended === atOnce || (ended > 0 && isOver())) return true;
    // After a loss of changes, a command can look unfetched although it ran.
    const isHeld = (await openLoss(tx)) !== null;
    if (!isHeld && (await giveUpUnfetched(ctx, tx, rollout, isOver))) return true;
    await judgeHealth(core, tx, rollout);
    if (rollout.state === "RUNNING" && isHeld) return false;
    return takeSteps(ctx, tx, rollout, isOver);
  });
}

/** Ends the targets whose commands have ended, and returns how many. */
async function endTargets(tx: Tx, { id, plan }: Rollout): Promise<number> {
  const ended = await listEndedTargets(tx, id, atOnce);
  for (const { position, status, errorCode, errorMessage, endedAt } of ended) {
    if (status === "SUCCEEDED" && plan.healthTimeoutMs !== null) {
      // The clock may have been set since the command ended, so only reports from now on count.
      await setTargetState(tx, id, position, "CHECKING", { endedAt: tx.now });
    } else if (status === "SUCCEEDED") {
      await setTargetState(tx, id, position, "SUCCEEDED", { endedAt });
    } else {
      const why =
        status === "CANCELLED"
          ? { errorCode: "COMMAND_CANCELLED", errorMessage: "The command was cancelled." }
          : { errorCode, errorMessage };
      await setTargetState(tx, id, position, "FAILED", { endedAt, ...why });
    }
  }
  return ended.length;
}

/**
 * Ends the commands that agents have not fetched within the offline threshold, if these agents are
 * offline now. An agent that has just stopped may be restarting. Returns true if the time is over
 * and a command was ended.
 */
async function giveUpUnfetched(
  ctx: Ctx,
  tx: Tx,
  rollout: Rollout,
  isOver: () => boolean,
): Promise<boolean> {
  if (rollout.plan.offline === "wait") return false;
  const { statusClock, settings } = ctx.core;
  const before = silentBefore(statusClock.now(), settings.thresholds);
  const unfetched = await listUnfetchedTargets(tx, rollout.id, before);
  for (const { position, commandId, service } of unfetched) {
    const obstacle = unreachable(ctx, service);
    if (obstacle === null) continue;
    await endOpenCommand(ctx, tx, await requireCommand(tx, commandId), "EXPIRED");
    await giveUp(tx, rollout, position, obstacle);
    if (isOver()) return true;
  }
  return false;
}

/** Ends a target on which nothing has run, and returns its state. */
async function giveUp(
  tx: Tx,
  { id, plan }: Rollout,
  position: number,
  obstacle: AppError | { code: "TARGET_CHANGED"; message: string },
): Promise<TargetState> {
  const { code: errorCode, message: errorMessage } = obstacle;
  const isSkipped = plan.offline === "skip" && obstacle instanceof AppError && isOffline(obstacle);
  const state = isSkipped ? "NOT_RUN" : "FAILED";
  await setTargetState(tx, id, position, state, { endedAt: tx.now, errorCode, errorMessage });
  return state;
}

async function judgeHealth(core: Core, tx: Tx, { id, plan }: Rollout): Promise<void> {
  if (plan.healthTimeoutMs === null) return;
  const { statusClock, settings } = core;
  const now = statusClock.now();
  for (const target of await listCheckedTargets(tx, id, now, settings.thresholds)) {
    const verdict = healthVerdict(target, plan.healthTimeoutMs, now);
    if (verdict === "healthy") await setTargetState(tx, id, target.position, "SUCCEEDED");
    // A report that is not stored yet may say that the service is healthy.
    else if (verdict === "late" && core.presence.services.get(target.serviceId) === undefined) {
      const { status } = target;
      const found =
        status === "HEALTHY" ? "has not been reported since" : `is ${status ?? "deleted"}`;
      await setTargetState(tx, id, target.position, "FAILED", {
        errorCode: "SERVICE_NOT_HEALTHY",
        errorMessage: `The command succeeded, but the service ${found}.`,
      });
    }
  }
}

async function takeSteps(
  ctx: Ctx,
  tx: Tx,
  rollout: Rollout,
  isOver: () => boolean,
): Promise<boolean> {
  const { id, plan } = rollout;
  const { wave, waveEndedAt } = rollout;
  // Waiting targets are counted up to a limit. This transaction cannot start so many that the count
  // would become 0 by mistake.
  const counted = await countForStep(tx, rollout, plan.maxParallel + atOnce);
  const progress: RolloutProgress = { wave, waveEndedAt, ...counted };
  let started = 0;
  let basis: Basis | null = null;
  while (rollout.state === "RUNNING") {
    const step = nextStep(plan, progress, tx.now);
    switch (step.kind) {
      case "wait":
        return false;
      case "start": {
        if (started >= atOnce) return true;
        const count = Math.min(step.count, atOnce - started);
        for (const target of await listWaitingTargets(tx, id, progress.wave, count)) {
          if (started > 0 && isOver()) return true;
          basis ??= await basisOfRequest(tx, rollout.approvalId, tx.now);
          const state = await start(ctx, tx, rollout, target, basis);
          if (typeof state === "object") {
            await pauseForApproval(ctx, tx, rollout, target, state);
            break;
          }
          progress.waiting--;
          if (state === "RUNNING") progress.open++;
          if (state === "FAILED") progress.failed++;
          if (state === "NOT_RUN") progress.notRun++;
          started++;
        }
        break;
      }
      case "recordWaveEnd":
        progress.waveEndedAt = tx.now;
        await setWave(tx, id, progress.wave, tx.now);
        break;
      case "nextWave":
        progress.wave++;
        progress.waveEndedAt = null;
        await setWave(tx, id, progress.wave, null);
        progress.waiting = plan.waves[progress.wave] ?? 0;
        if (step.pause) {
          rollout.state = "PAUSED";
          await setRolloutState(tx, id, "PAUSED", "WAVE_ENDED");
          await auditRollout(ctx, tx, rollout, "rollout.paused", { reason: "WAVE_ENDED" });
        }
        break;
      case "end": {
        rollout.state = step.state;
        await endRollout(tx, id, step.state, step.reason);
        const action = step.state === "SUCCEEDED" ? "rollout.succeeded" : "rollout.failed";
        const { failed, notRun } = progress;
        await auditRollout(ctx, tx, rollout, action, { failed, notRun, reason: step.reason });
      }
    }
  }
  if (hasEnded(rollout.state) && progress.open === 0) await settleRollout(tx, id);
  return false;
}

/** An operator who resumes the rollout asks for approval of the rest. */
async function pauseForApproval(
  ctx: Ctx,
  tx: Tx,
  rollout: Rollout,
  { serviceCode }: RolloutTarget,
  { demand }: NeedsApproval,
): Promise<void> {
  rollout.state = "PAUSED";
  await setRolloutState(tx, rollout.id, "PAUSED", "APPROVAL_REQUIRED");
  const policies = demand.requirements.map(({ policyName }) => policyName);
  const facts = { reason: "APPROVAL_REQUIRED", serviceCode, policies };
  await auditRollout(ctx, tx, rollout, "rollout.paused", facts);
}

/**
 * Everything is checked again, because the service and the policies may have changed since the
 * rollout was created. Returns the new state of the target, or the demand for approval that holds
 * it back.
 */
async function start(
  ctx: Ctx,
  tx: Tx,
  rollout: Rollout,
  target: RolloutTarget,
  basis: Basis,
): Promise<TargetState | NeedsApproval> {
  const { id, plan, action, reason, createdBy } = rollout;
  const shown = target.own ?? rollout;
  const payload = wholePayload(shown as PayloadParts);
  const found = await stillFits(ctx, tx, target, { plan, action, payload });
  if ("message" in found) return giveUp(tx, rollout, target.position, found);
  const permit = await permitNow(tx, found, basis);
  if (!isPermit(permit)) return permit;
  const { schema, expectedState, prepareCommandId } = found;
  const { timeoutSeconds } = found.action;
  const command = await createCommand(ctx, tx, {
    ...targetOf(ctx, found),
    source: { kind: "rollout", id, name: createdBy, routeId: null },
    type: "ACTION_EXECUTE",
    permit,
    payload,
    schema,
    shown,
    reason,
    prepareCommandId,
    expectedState,
    timeoutSeconds: timeoutSeconds ?? actionTimeoutSeconds.default,
    ttlSeconds: ctx.core.settings.commandTtlSeconds,
  });
  await startTarget(tx, id, target.position, command);
  return "RUNNING";
}

/** Returns the service and its action, or the reason why no command can be created. */
async function stillFits(
  ctx: Ctx,
  tx: Tx,
  target: RolloutTarget,
  { plan, action, payload }: Pick<Rollout, "plan" | "action"> & { payload: JsonObject },
): Promise<Fitting | AppError | { code: "TARGET_CHANGED"; message: string }> {
  const { serviceId, prepareCommandId, expectedState } = target;
  try {
    const present = await lookUpTarget(tx, serviceId, action);
    const message = present.service && targetChange(target, present.service, present.action);
    if (message !== null) return { code: "TARGET_CHANGED", message };
    const found = requireTarget(present, serviceId, action);
    const kept = await keptPrepare(tx, prepareCommandId);
    const terms = await termsOf(tx, found, kept, { expectedState }, tx.now);
    checkPayload(payload, terms.schema);
    if (plan.offline !== "wait") requireReachable(ctx, found.service);
    return { ...found, ...terms, prepareCommandId: kept };
  } catch (error) {
    return refusalIn(error);
  }
}

type Fitting = Omit<ChosenTarget, "declaration" | "isCanary">;

/**
 * Wakes all unfinished rollouts, because a crash may have interrupted them, or they may be waiting
 * for a time to pass or for services to become healthy.
 */
export async function wakeRollouts(core: Core): Promise<void> {
  for (const id of await listUnsettledRolloutIds(core.db.read, mostRollouts))
    core.rollouts.wake(id);
}
