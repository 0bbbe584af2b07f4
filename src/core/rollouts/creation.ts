// Creates rollouts. (docs/guides/rollouts.md)

import { AppError, requireRoom } from "../../domain/errors.ts";
import { highestDanger } from "../../domain/fleet/services.ts";
import { maxOpenRollouts } from "../../domain/limits.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import {
  choiceOf,
  type LeftOutService,
  leftOutOf,
  type Rollout,
  type RolloutTarget,
  type StoredPlan,
} from "../../domain/rollouts/rollouts.ts";
import { failuresOf } from "../../domain/rollouts/waves.ts";
import { requestersIn, type Schedule } from "../../domain/schedules/schedules.ts";
import {
  type PayloadParts,
  type Shown,
  withholdAgain,
} from "../../domain/secrets/payload-secrets.ts";
import { redactText } from "../../domain/secrets/redaction.ts";
import type { Tx } from "../../store/database.ts";
import type { CommandTarget } from "../../store/tables/fleet/services.ts";
import { insertTargets } from "../../store/tables/rollouts/rollout-targets.ts";
import { countOpenRollouts, insertRollout } from "../../store/tables/rollouts/rollouts.ts";
import { userBehind } from "../access/api-keys.ts";
import { recheckCaller } from "../access/still-allowed.ts";
import { demandFor } from "../approvals/demands.ts";
import { requireMayBypass } from "../approvals/gate.ts";
import { type Basis, noBasis } from "../approvals/permits.ts";
import { labelWarnings } from "../approvals/reported-labels.ts";
import { gateRollout } from "../approvals/rollouts.ts";
import { makerOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { rememberAnswer } from "../idempotency-keys.ts";
import { type ActionTarget, requireConfirmation } from "../presence/action-targets.ts";
import { auditRollout } from "./audit.ts";
import {
  type ChosenTarget,
  type ChosenTargets,
  chooseTargets,
  type LeftOut,
  payloadFor,
  type RolloutRequest,
  shuffledWaves,
} from "./targets.ts";
import { toRolloutDetail } from "./views.ts";

/** Shows what `createRollout` would do, in the same order if it gets the returned seed. */
export async function previewRollout(
  ctx: Ctx,
  request: RolloutRequest,
  { shown }: Pick<RolloutOrigin, "shown"> = {},
) {
  const chosen = await chooseTargets(ctx, request);
  const { targets, leftOut } = chosen;
  const seed = request.seed ?? ctx.core.newId("rol");
  const { waves, canaries } = shuffledWaves(targets, request, seed);
  const demand = await demandFor(ctx.core.db.read, targets.map(toActionOnService));
  return {
    seed,
    total: targets.length,
    canaries,
    maxFailures: failuresOf(request.maxFailures, targets.length),
    requiresConfirmation: targets.some(({ action }) => action.requiresConfirmation),
    dangerLevel: highestDanger(targets.map(({ action }) => action)),
    payload: withholdAgain(request.payload, shown?.get(null), ...distinctSchemas(chosen)).payload,
    policies: demand?.requirements.map(({ policyName }) => policyName) ?? [],
    waves: waves.map((wave) => ({ services: wave.map(({ service }) => nameOf(service)) })),
    warnings: await labelWarnings(ctx.core.db.read, "rollout", request.selector),
    leftOut: leftOut.map(toLeftOutService),
  };
}

function toActionOnService({ service, action }: ActionTarget) {
  return { serviceId: service.id, action };
}

function nameOf({ id, code, agentId, agentCode }: CommandTarget) {
  return { serviceId: id, serviceCode: code, agentId, agentCode };
}

function toLeftOutService({ service, code, message }: LeftOut): LeftOutService {
  return { ...nameOf(service), code, message };
}

interface RolloutOrigin {
  /** The rollout whose targets run again. */
  retryOf?: string | null;
  /** The schedule that creates it. */
  schedule?: Pick<Schedule, "id" | "name" | "owner" | "authors">;
  /**
   * If the payloads come from a rollout or a schedule, the payloads as they are shown there, by the
   * code of the service. The common payload has the key null.
   */
  shown?: ReadonlyMap<string | null, Shown>;
  /**
   * Returns what permits the rollout to run, such as the approval of its schedule. Throws if it may
   * not start in the name of the caller.
   */
  basisOf?: (tx: Tx) => Promise<Basis>;
  /** Makes further writes in the transaction that creates the rollout. */
  alsoWrite?: (tx: Tx, rolloutId: string) => Promise<void>;
}

/** If a policy requires approval, the rollout waits for it and creates no command. */
export async function createRollout(
  ctx: Ctx,
  request: RolloutRequest,
  { retryOf = null, schedule, shown, basisOf, alsoWrite }: RolloutOrigin = {},
) {
  const { core } = ctx;
  const since = core.monotonic();
  await requireMayBypass(ctx, request.breakGlass);
  const chosen = await chooseTargets(ctx, request);
  requireTargets(chosen);
  for (const { action } of chosen.targets) requireConfirmation(action, request.confirmation);
  const id = core.newId("rol");
  const { waves } = shuffledWaves(chosen.targets, request, request.seed ?? id);
  const leftOut = leftOutOf(chosen.leftOut.map(toLeftOutService));
  const targets = waves.flatMap((wave, at) => wave.map((target) => ({ target, wave: at })));
  const schemas = distinctSchemas(chosen);
  return core.db.write(async (tx) => {
    // For a run of a schedule, `basisOf` checks on whose behalf it starts.
    if (schedule === undefined) await recheckCaller(ctx, tx, since);
    const open = await countOpenRollouts(tx);
    const advice = "wait until some have ended, or cancel those that are PAUSED";
    requireRoom(open, maxOpenRollouts, "open rollouts", advice);
    const basis = (await basisOf?.(tx)) ?? noBasis;
    const rollout: Rollout = {
      id,
      name: request.name ?? null,
      action: request.action,
      state: "RUNNING",
      stateReason: null,
      reason: request.reason === undefined ? null : redactText(request.reason),
      choice: choiceOf(request),
      plan: {
        ...planOf(request, waves, tx.now),
        leftOut,
        ...(schedule ? { authors: requestersIn(schedule) } : {}),
      },
      ...withholdAgain(request.payload, shown?.get(null), ...schemas),
      wave: 0,
      waveEndedAt: null,
      createdBy: schedule?.name ?? makerOf(ctx.principal),
      creatorId: await userBehind(ctx, tx),
      approvalId: basis.kind === "none" ? null : basis.approvalId,
      retryOf,
      scheduleId: schedule?.id ?? null,
      createdAt: tx.now,
      completedAt: null,
      settledAt: null,
    };
    await insertRollout(tx, rollout);
    await insertTargets(
      tx,
      id,
      targets.map(({ target, wave }, position) => {
        return targetOf(request, target, shown?.get(target.service.code), wave, position);
      }),
    );
    const facts = {
      targets: targets.length,
      waves: waves.length,
      ...(leftOut.total > 0 ? { leftOut: leftOut.total } : {}),
      ...(retryOf ? { retryOf } : {}),
      ...(schedule ? { scheduleId: schedule.id } : {}),
    };
    await auditRollout(ctx, tx, rollout, "rollout.created", facts);
    await gateRollout(ctx, tx, rollout, basis, request.breakGlass);
    await alsoWrite?.(tx, id);
    tx.afterCommit(() => core.rollouts.wake(id));
    return rememberAnswer(ctx, tx, await toRolloutDetail(tx, rollout));
  });
}

/** Throws ROLLOUT_HAS_NO_TARGETS. */
export function requireTargets({ targets, leftOut }: ChosenTargets): void {
  if (targets.length > 0) return;
  const [first] = leftOut;
  const why = first
    ? `All ${leftOut.length} services were left out; ${first.service.code}: ${first.message}`
    : "No service was chosen.";
  throw new AppError("ROLLOUT_HAS_NO_TARGETS", why);
}

/** Returns each schema once. A value that any of them marks as a secret is stored as a secret. */
function distinctSchemas({ targets }: ChosenTargets): JsonObject[] {
  const byText = new Map(targets.map(({ schema }) => [JSON.stringify(schema), schema]));
  return [...byText.values()];
}

function planOf(
  request: RolloutRequest,
  waves: readonly ChosenTarget[][],
  now: number,
): StoredPlan {
  const { maxParallel, maxFailures, between, offline, healthGate } = request;
  const { healthTimeoutSeconds, deadlineSeconds } = request;
  const deadlineMs = deadlineSeconds === undefined ? null : deadlineSeconds * 1000;
  const total = waves.reduce((sum, wave) => sum + wave.length, 0);
  return {
    waves: waves.map(({ length }) => length),
    maxParallel,
    maxFailures: failuresOf(maxFailures, total),
    between: typeof between === "number" ? { waitMs: between * 1000 } : between,
    deadlineAt: deadlineMs === null ? null : now + deadlineMs,
    deadlineMs,
    offline,
    healthTimeoutMs: healthGate ? healthTimeoutSeconds * 1000 : null,
    ifUnchanged: request.ifUnchanged === true,
    wanted: { waves: request.waves, canary: request.canary, maxFailures },
  };
}

function targetOf(
  request: RolloutRequest,
  { service, declaration, schema, prepareCommandId, expectedState }: ChosenTarget,
  shown: Shown | undefined,
  wave: number,
  position: number,
): RolloutTarget {
  const payload = payloadFor(request, service);
  const own: PayloadParts | null =
    payload === request.payload ? null : withholdAgain(payload, shown, schema);
  return {
    ...nameOf(service),
    position,
    wave,
    declaration,
    state: "WAITING",
    own,
    prepareCommandId,
    expectedState,
    commandId: null,
    endedAt: null,
    errorCode: null,
    errorMessage: null,
  };
}
