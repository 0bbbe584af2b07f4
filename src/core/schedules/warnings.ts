// Says why a run of a schedule would currently fail, and whether agents can change which services
// it selects.

import { AppError, refusalIn } from "../../domain/errors.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type { Schedule, ScheduleTarget } from "../../domain/schedules/schedules.ts";
import { wholeTarget } from "../../domain/schedules/target-secrets.ts";
import { findServiceByCode } from "../../store/tables/fleet/services.ts";
import { labelWarnings } from "../approvals/reported-labels.ts";
import type { Ctx } from "../context.ts";
import { findTarget, requireConfirmation, requireReachable } from "../presence/action-targets.ts";
import { requireTargets } from "../rollouts/creation.ts";
import { chooseTargets } from "../rollouts/targets.ts";

/**
 * Throws CONFIRMATION_REQUIRED, because only the caller can confirm the action. `operatorLabels`
 * has the same meaning as for `labelWarnings`.
 */
export async function warningsOf(
  ctx: Ctx,
  target: ScheduleTarget,
  operatorLabels?: readonly string[],
): Promise<string[]> {
  const selector = target.kind === "rollout" ? target.selector : undefined;
  return [
    ...(await obstaclesOf(ctx, target)),
    ...(await labelWarnings(ctx.core.db.read, "schedule", selector, operatorLabels)),
  ];
}

/**
 * Like `warningsOf`, but for a saved schedule: a missing confirmation is then one of the warnings.
 */
export async function warningsNow(ctx: Ctx, schedule: Schedule): Promise<string[]> {
  try {
    return await warningsOf(ctx, wholeTarget(schedule));
  } catch (error) {
    if (error instanceof AppError && error.code === "CONFIRMATION_REQUIRED") return [error.message];
    throw error;
  }
}

async function obstaclesOf(ctx: Ctx, target: ScheduleTarget): Promise<string[]> {
  try {
    await (target.kind === "action" ? checkAction(ctx, target) : checkRollout(ctx, target));
    return [];
  } catch (error) {
    const { code, message } = refusalIn(error);
    if (code === "CONFIRMATION_REQUIRED") throw error;
    return [message];
  }
}

async function checkAction(
  ctx: Ctx,
  target: Extract<ScheduleTarget, { kind: "action" }>,
): Promise<void> {
  const service = await findServiceByCode(ctx.core.db.read, target.service);
  if (!service) throw new AppError("SERVICE_NOT_FOUND", `There is no service ${target.service}.`);
  const found = await findTarget(ctx.core.db.read, service.id, target.action);
  requireConfirmation(found.action, target.confirmation);
  checkPayload(target.payload, found.action.inputSchema);
  requireReachable(ctx, found.service);
}

async function checkRollout(
  ctx: Ctx,
  target: Extract<ScheduleTarget, { kind: "rollout" }>,
): Promise<void> {
  const chosen = await chooseTargets(ctx, target);
  requireTargets(chosen);
  for (const { action } of chosen.targets) requireConfirmation(action, target.confirmation);
}
