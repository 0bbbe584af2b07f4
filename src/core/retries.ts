// Running a command that did not end well again, as a new one. (`decisions.md` 3.7)

import type { Command } from "../domain/commands.ts";
import { AppError } from "../domain/errors.ts";
import { actionTimeoutSeconds } from "../domain/limits.ts";
import { checkPayload } from "../domain/payload.ts";
import {
  findTarget,
  requireConfirmation,
  type TargetCheck,
  targetOf,
  targetStill,
} from "./action-targets.ts";
import { schemaFor } from "./actions.ts";
import { audit } from "./audit-trail.ts";
import { toCommandSummary } from "./command-views.ts";
import { createCommand, requireCommand } from "./commands.ts";
import type { Ctx } from "./context.ts";
import { settle } from "./flush.ts";
import { rememberAnswer } from "./idempotency-keys.ts";

/**
 * Makes a new command with the payload of a FAILED or CANCELLED execution; the service may have
 * moved or changed meanwhile, so everything is checked as for a new one. Throws COMMAND_NOT_FOUND,
 * COMMAND_NOT_RETRYABLE, SERVICE_NOT_FOUND, ACTION_NOT_FOUND, CONFIRMATION_REQUIRED,
 * PAYLOAD_INVALID, and AGENT_OFFLINE or AGENT_DISABLED unless `queue`.
 */
export async function retryCommand(
  ctx: Ctx,
  id: string,
  { confirmation, queue }: { confirmation: boolean; queue: boolean },
) {
  const { core } = ctx;
  await settle(ctx);
  const original = await requireCommand(core.db.read, id);
  requireRetryable(original);
  const seen = await findTarget(core.db.read, original.serviceId, original.action);
  const check: TargetCheck = async (db, { service, action }) => {
    requireConfirmation(action, confirmation);
    const schema = await schemaFor(db, service, action, original.prepareCommandId);
    checkPayload(original.payload, schema);
  };
  await check(core.db.read, seen);
  return core.db.write(async (tx) => {
    const target = await targetStill(ctx, tx, seen, queue, check);
    const created = await createCommand(ctx, tx, {
      ...targetOf(ctx, target),
      retryOf: id,
      type: "ACTION_EXECUTE",
      payload: original.payload,
      reason: original.reason,
      prepareCommandId: original.prepareCommandId,
      timeoutSeconds: target.action.timeoutSeconds ?? actionTimeoutSeconds.default,
      ttlSeconds: core.settings.commandTtlSeconds,
    });
    await audit(ctx, tx, {
      action: "command.retried",
      targetType: "command",
      targetId: id,
      metadata: { action: created.action, serviceCode: created.serviceCode, retriedAs: created.id },
    });
    return rememberAnswer(ctx, tx, { command: toCommandSummary(created) });
  });
}

function requireRetryable({ id, type, status }: Command): void {
  if (type === "ACTION_EXECUTE" && (status === "FAILED" || status === "CANCELLED")) return;
  throw new AppError(
    "COMMAND_NOT_RETRYABLE",
    type === "ACTION_EXECUTE"
      ? `Only a command that failed or was cancelled can be retried; this one is ${status}.`
      : "A prepare is not retried: prepare the action again.",
    { details: { commandId: id, type, status } },
  );
}
