// Runs declared actions: PREPARE gets the form and its current values, and EXECUTE creates the
// command.
// (docs/decisions/0007-two-phase-actions.md)

import type { actions } from "../../api/actions.ts";
import { type Command, hasEnded } from "../../domain/commands/commands.ts";
import { AppError } from "../../domain/errors.ts";
import { prepareTimeoutSeconds } from "../../domain/limits.ts";
import { redactText } from "../../domain/secrets/redaction.ts";
import { requireMayBypass } from "../approvals/gate.ts";
import type { Ctx } from "../context.ts";
import { toActionView } from "../fleet/services.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { findTarget, requireReachable, targetOf } from "../presence/action-targets.ts";
import { awaitEnd, createCommand, getCommand, requireCommand } from "./commands.ts";
import { endOpenCommand } from "./endings.ts";
import { startExecution } from "./executions.ts";
import { canPlan, preparedOf } from "./prepared-forms.ts";
import type { CommandDetail } from "./views.ts";

export const handlers: HandlersOf<typeof actions> = {
  "actions.prepare": (ctx, { params, query }) =>
    prepareAction(ctx, params.serviceId, params.actionName, query.fromCatalog),
  "actions.execute": (ctx, { params, query, body }) =>
    executeAction(ctx, params.serviceId, params.actionName, body, query.queue),
};

/**
 * With `fromCatalog`, an action without a prepare phase needs no agent, and `command` is null.
 * Older clients do not send `fromCatalog`, and always expect a command.
 */
export async function prepareAction(
  ctx: Ctx,
  serviceId: string,
  actionName: string,
  fromCatalog: boolean,
) {
  const { core } = ctx;
  const seen = await findTarget(core.db.read, serviceId, actionName);
  const { action } = seen;
  if (fromCatalog && !action.prepare) {
    const form = { ...preparedOf(null, action), canPlan: false };
    return { action: toActionView(action), ...form, command: null };
  }
  const wanted = action.timeoutSeconds ?? prepareTimeoutSeconds.default;
  const seconds = Math.min(wanted, prepareTimeoutSeconds.max);
  const created = await core.db.write(async (tx) => {
    const target = await findTarget(tx, serviceId, actionName);
    requireReachable(ctx, target.service);
    return createCommand(ctx, tx, {
      ...targetOf(ctx, target),
      type: "ACTION_PREPARE",
      payload: {},
      schema: {},
      reason: null,
      prepareCommandId: null,
      timeoutSeconds: seconds,
      ttlSeconds: seconds,
    });
  });
  const since = core.monotonic();
  const deadline = since + seconds * 1000;
  const waited = await awaitEnd(ctx, created.id, seconds * 1000);
  if (!hasEnded(waited.status)) {
    if (core.monotonic() < deadline) throw prepareContinues(waited);
    await endWhenLate(ctx, created.id);
  }
  const command = await getCommand(ctx, created.id, {}, since);
  if (command.status !== "SUCCEEDED") throw prepareFailure(command);
  const form = preparedOf(command.result?.output, action);
  return { action: toActionView(action), ...form, canPlan: canPlan(seen, form), command };
}

type Execution = Body<typeof actions, "actions.execute">;

async function executeAction(
  ctx: Ctx,
  serviceId: string,
  actionName: string,
  execution: Execution,
  queue: boolean,
) {
  await requireMayBypass(ctx, execution.breakGlass);
  const seen = await findTarget(ctx.core.db.read, serviceId, actionName);
  const { reason } = execution;
  const redacted = reason === undefined ? null : redactText(reason);
  return startExecution(ctx, seen, { ...execution, reason: redacted, retryOf: null }, queue);
}

/** Thrown if the caller has left or the server stops. The prepare command continues. */
function prepareContinues({ id }: Command): AppError {
  const options = { details: { commandId: id }, retryAfterSeconds: 1 };
  return new AppError(
    "UNAVAILABLE",
    `The wait was cut short; the prepare command ${id} continues.`,
    options,
  );
}

async function endWhenLate(ctx: Ctx, id: string): Promise<void> {
  await ctx.core.db.write(async (tx) => {
    await endOpenCommand(ctx, tx, await requireCommand(tx, id), "EXPIRED");
  });
}

function prepareFailure(command: CommandDetail): AppError {
  const details = {
    commandId: command.id,
    status: command.status,
    code: command.errorCode,
    message: command.errorMessage,
  };
  if (command.status === "CANCELLED") {
    return new AppError("COMMAND_ALREADY_COMPLETED", "The prepare command was cancelled.", {
      details,
    });
  }
  const reason = command.errorMessage ?? "no reason given";
  // A timeout is recognized by the missing result, because agents can report any error code.
  if (command.result === null) return new AppError("ACTION_PREPARE_TIMEOUT", reason, { details });
  const message = `The agent could not prepare the action: ${reason}`;
  return new AppError("ACTION_PREPARE_FAILED", message, { details });
}
