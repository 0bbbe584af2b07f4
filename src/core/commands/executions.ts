// Starts executions of actions: creates their commands, or requests for approval of them.

import type { Command } from "../../domain/commands.ts";
import { AppError } from "../../domain/errors.ts";
import { actionTimeoutSeconds } from "../../domain/limits.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { currentPolicies } from "../approvals/demands.ts";
import { draftOf, type Order } from "../approvals/executions.ts";
import { wayOnFor } from "../approvals/gate.ts";
import { isPermit, noBasis, type Permit, permitBypass, permitNow } from "../approvals/permits.ts";
import { openRequest, recordBypass } from "../approvals/requests.ts";
import { toApprovalSummary } from "../approvals/views.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { effectOfPlan, rememberAnswer, rememberPlan } from "../system/idempotency-keys.ts";
import {
  requireConfirmation,
  type Target,
  type TargetCheck,
  targetOf,
  targetStill,
} from "./action-targets.ts";
import { createCommand } from "./commands.ts";
import { basisOf, type Condition } from "./prepared-forms.ts";
import { toCommandSummary } from "./views.ts";

/** An execution, with the values that a retry copies from the original command, or a plan's. */
export type ExecutionToStart = Pick<Command, "reason" | "retryOf"> &
  Condition & {
    payload: JsonObject;
    confirmation: boolean;
    prepareCommandId?: string | null | undefined;
    plan?: Order["plan"];
    breakGlass?: string | undefined;
  };

/**
 * Checks an execution, and creates its command. If a policy requires approval, it creates a request
 * instead.
 */
export async function startExecution(
  ctx: Ctx,
  seen: Target,
  execution: ExecutionToStart,
  queue: boolean,
) {
  const { core } = ctx;
  const { payload, confirmation, reason, retryOf, plan = null, breakGlass } = execution;
  const prepareCommandId = execution.prepareCommandId || null;
  const basis = (db: Reader, target: Target, now: number) =>
    basisOf(db, target, prepareCommandId, execution, now);
  const check: TargetCheck = async (db, target) => {
    requireConfirmation(target.action, confirmation);
    checkPayload(payload, (await basis(db, target, core.now())).schema);
  };
  await check(core.db.read, seen);
  return core.db.write(async (tx) => {
    const [target] = await Promise.all([
      targetStill(ctx, tx, seen, queue, check),
      currentPolicies(tx),
    ]);
    const { schema, expectedState } = await basis(tx, target, tx.now);
    const order: Order = {
      ...{ payload, reason, prepareCommandId, retryOf, expectedState, plan, queue },
    };
    const free = await permitNow(tx, target, noBasis);
    const wayOn = isPermit(free) ? null : await wayOnFor(ctx, tx, free, breakGlass);
    if (wayOn?.kind === "ask") {
      const approval = await openRequest(ctx, tx, draftOf(core, target, order, schema), wayOn);
      if (plan) await notePlan(tx, plan.planId, { approvalId: approval.id });
      return rememberAnswer(ctx, tx, { command: null, approval: toApprovalSummary(approval) });
    }
    const permit = isPermit(free) ? free : permitBypass(ctx, tx, target);
    const command = await createExecution(ctx, tx, target, order, schema, permit);
    if (plan) await notePlan(tx, plan.planId, { commandId: command.id });
    if (wayOn !== null) {
      await recordBypass(ctx, tx, draftOf(core, target, order, schema), wayOn, command.id);
    }
    return rememberAnswer(ctx, tx, { command: toCommandSummary(command), approval: null });
  }, seen.service);
}

/** Creates the command of an order. `schema` marks its secrets. */
export async function createExecution(
  ctx: Ctx,
  tx: Tx,
  target: Target,
  order: Order,
  schema: JsonObject,
  permit: Permit,
): Promise<Command> {
  const { payload, reason, prepareCommandId, retryOf, expectedState, plan } = order;
  const command = await createCommand(ctx, tx, {
    ...targetOf(ctx, target),
    ...{ type: "ACTION_EXECUTE", payload, schema, reason, prepareCommandId },
    ...{ retryOf, expectedState, permit },
    timeoutSeconds: target.action.timeoutSeconds ?? actionTimeoutSeconds.default,
    ttlSeconds: ctx.core.settings.commandTtlSeconds,
  });
  const { id, action, serviceCode } = command;
  if (retryOf !== null) {
    await audit(ctx, tx, {
      action: "command.retried",
      targetId: retryOf,
      metadata: { action, serviceCode, retriedAs: id },
    });
  }
  if (plan !== null) {
    await audit(ctx, tx, {
      action: "command.plan.applied",
      targetId: id,
      metadata: { action, serviceCode, ...plan },
    });
  }
  return command;
}

async function notePlan(tx: Tx, planId: string, effect: Parameters<typeof rememberPlan>[2]) {
  if (await rememberPlan(tx, planId, effect)) return;
  throw alreadyApplied(planId, await effectOfPlan(tx, planId, tx.now));
}

/** `effect` is the id of a command, or of a request for approval. */
export function alreadyApplied(planId: string, effect: string | null): AppError {
  const isRequest = effect?.startsWith("apr_") ?? false;
  const message = `The plan ${planId} was already applied, by the ${isRequest ? "request" : "command"} ${effect}. It cannot be applied again: make a new plan.`;
  return new AppError("PLAN_ALREADY_APPLIED", message, {
    details: { planId, [isRequest ? "approvalId" : "commandId"]: effect },
  });
}
