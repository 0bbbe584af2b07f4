// What operators do with a rollout after its creation.

import type { rollouts } from "../../api/rollouts.ts";
import { AppError, found } from "../../domain/errors.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import {
  hasEnded,
  type Rollout,
  type RolloutState,
  type RolloutTarget,
  retryName,
  type StoredPayload,
} from "../../domain/rollouts/rollouts.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  countForStep,
  listOpenTargetCommands,
  listTargetsToRetry,
} from "../../store/tables/rollouts/rollout-targets.ts";
import {
  endRollout,
  findRollout,
  setRolloutState,
  setWave,
} from "../../store/tables/rollouts/rollouts.ts";
import { basisOfRequest } from "../approvals/permits.ts";
import { endRequestsOf } from "../approvals/requests.ts";
import { gateRollout } from "../approvals/rollouts.ts";
import { requireCommand } from "../commands/commands.ts";
import { endOpenCommand } from "../commands/endings.ts";
import { payloadAgain } from "../commands/retries.ts";
import type { Ctx } from "../context.ts";
import type { Body } from "../handlers.ts";
import { auditRollout } from "./audit.ts";
import { createRollout, previewRollout } from "./creation.ts";
import type { RolloutRequest } from "./targets.ts";
import { toRolloutDetail } from "./views.ts";

/** Existing commands continue. */
export function pauseRollout(ctx: Ctx, id: string) {
  return change(ctx, id, ["RUNNING"], "paused", async (tx, rollout) => {
    await setRolloutState(tx, id, "PAUSED", "OPERATOR");
    await auditRollout(ctx, tx, rollout, "rollout.paused", { reason: "OPERATOR" });
  });
}

/**
 * If the wave has ended meanwhile, the next one begins: `between` does not pause the rollout again,
 * because the operator has seen that the wave ended. If policies demand more for the remaining
 * targets than was approved, the rollout asks for approval again. Throws APPROVAL_REQUIRED if the
 * caller cannot ask.
 */
export function resumeRollout(ctx: Ctx, id: string) {
  return change(ctx, id, ["PAUSED"], "resumed", async (tx, rollout) => {
    if (rollout.plan.between === "pause" && (await hasWaveEnded(tx, rollout))) {
      await setWave(tx, id, rollout.wave + 1, null);
    }
    const basis = await basisOfRequest(tx, rollout.approvalId, tx.now);
    await gateRollout(ctx, tx, rollout, basis);
    if (rollout.state === "AWAITING_APPROVAL") return;
    await setRolloutState(tx, id, "RUNNING", null);
    await auditRollout(ctx, tx, rollout, "rollout.resumed");
  });
}

/** Whether only later waves are left to run. */
async function hasWaveEnded(tx: Tx, rollout: Rollout): Promise<boolean> {
  const { waiting, open } = await countForStep(tx, rollout, 1);
  return waiting === 0 && open === 0 && rollout.wave < rollout.plan.waves.length - 1;
}

/**
 * With `commands`, also cancels the open commands. If the rollout is waiting for approval, its
 * request for approval is withdrawn.
 */
export function cancelRollout(ctx: Ctx, id: string, commands: boolean) {
  const from = ["AWAITING_APPROVAL", "RUNNING", "PAUSED"] as const;
  return change(ctx, id, from, "cancelled", async (tx, rollout) => {
    const waits = rollout.state === "AWAITING_APPROVAL";
    if (waits) await endRequestsOf(ctx, tx, id, "WITHDRAWN", "The rollout was cancelled.");
    await endRollout(tx, id, "CANCELLED", waits ? "NOT_APPROVED" : null);
    await auditRollout(ctx, tx, rollout, "rollout.cancelled", { commands });
    if (!commands) return;
    for (const commandId of await listOpenTargetCommands(tx, id)) {
      await endOpenCommand(ctx, tx, await requireCommand(tx, commandId), "CANCELLED");
    }
  });
}

async function change(
  ctx: Ctx,
  id: string,
  from: readonly RolloutState[],
  done: string,
  work: (tx: Tx, rollout: Rollout) => Promise<void>,
) {
  const { core } = ctx;
  return core.db.write(async (tx) => {
    const rollout = await requireRollout(tx, id);
    if (!from.includes(rollout.state)) throw wrongState(rollout, `cannot be ${done}`);
    await work(tx, rollout);
    tx.afterCommit(() => core.rollouts.wake(id));
    return toRolloutDetail(tx, await requireRollout(tx, id));
  });
}

function wrongState({ id, state }: Rollout, refusal: string): AppError {
  const message = `The rollout is ${state}, so it ${refusal}.`;
  return new AppError("ROLLOUT_WRONG_STATE", message, { details: { rolloutId: id, state } });
}

type Retry = Body<typeof rollouts, "rollouts.retry">;

/**
 * Creates another rollout for the targets that failed and, with `rest`, for those that were not
 * run. Services that were deleted since then are left out.
 */
export async function retryRollout(ctx: Ctx, id: string, body: Retry) {
  const { request, shown } = await requestAgain(ctx, id, body);
  return createRollout(ctx, request, { retryOf: id, shown });
}

/** Shows what `retryRollout` would do, in the same order if it gets the returned seed. */
export async function previewRetry(ctx: Ctx, id: string, body: Retry) {
  const { request, shown } = await requestAgain(ctx, id, body);
  return previewRollout(ctx, request, { shown });
}

async function requestAgain(ctx: Ctx, id: string, body: Retry) {
  const { read } = ctx.core.db;
  const { confirmation, rest, secrets, secretsByService = {} } = body;
  const { prepareCommandIds, seed, breakGlass } = body;
  const rollout = await requireRollout(read, id);
  if (!hasEnded(rollout.state)) throw wrongState(rollout, "cannot be retried before it has ended");
  const targets = await listTargetsToRetry(read, id, rest);
  if (targets.length === 0) {
    const what = rest ? "failed, and all have run" : "failed";
    throw new AppError("ROLLOUT_HAS_NO_TARGETS", `No existing service of the rollout ${what}.`);
  }
  const own = targets.flatMap((target): [string, JsonObject][] =>
    target.own ? [[target.serviceCode, ownAgain(target, target.own, secretsByService)]] : [],
  );
  const { plan, name, action, reason } = rollout;
  const { between, offline, healthTimeoutMs, wanted, maxParallel } = plan;
  const shown = new Map<string | null, StoredPayload>([[null, rollout]]);
  for (const { serviceCode, own } of targets) if (own) shown.set(serviceCode, own);
  const request: RolloutRequest = {
    ...(name === null ? {} : { name: retryName(name) }),
    ...(reason === null ? {} : { reason }),
    action,
    services: targets.map(({ serviceCode }) => serviceCode),
    payload: payloadAgain(rollout, secrets),
    payloadByService: Object.fromEntries(own),
    ...wanted,
    // If no canary runs again, the retry has no canaries.
    canary: targets.some(({ wave }) => wave === 0) ? wanted.canary : undefined,
    maxParallel,
    between: typeof between === "object" ? between.waitMs / 1000 : between,
    offline,
    healthGate: healthTimeoutMs !== null,
    healthTimeoutSeconds: (healthTimeoutMs ?? 0) / 1000,
    ...(plan.ifUnchanged ? { ifUnchanged: true, prepareCommandIds } : {}),
    confirmation,
    seed,
    breakGlass,
  };
  return { request, shown };
}

function ownAgain(
  { serviceCode }: RolloutTarget,
  own: StoredPayload,
  given: Record<string, Record<string, Json>>,
): JsonObject {
  const secrets = (Object.hasOwn(given, serviceCode) && given[serviceCode]) || {};
  try {
    return payloadAgain(own, secrets);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "PAYLOAD_NEEDS_SECRETS") throw error;
    const message =
      `The service ${serviceCode} has a payload of its own, whose secrets were deleted. ` +
      'Give them again in "secretsByService".';
    throw new AppError(error.code, message, { details: { ...error.details, serviceCode } });
  }
}

export async function getRollout(ctx: Ctx, id: string) {
  const { read } = ctx.core.db;
  return toRolloutDetail(read, await requireRollout(read, id));
}

export async function requireRollout(db: Reader, id: string): Promise<Rollout> {
  return found(await findRollout(db, id), "ROLLOUT_NOT_FOUND", `rollout ${id}`);
}
