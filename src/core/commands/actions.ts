// Runs declared actions: PREPARE gets the form and its current values, EXECUTE creates the command.
// (docs/decisions/0007-two-phase-actions.md)

import type { actions } from "../../api/actions.ts";
import { type Command, isTerminal } from "../../domain/commands.ts";
import { AppError } from "../../domain/errors.ts";
import { actionTimeoutSeconds, prepareTimeoutSeconds } from "../../domain/limits.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import { isJsonObject, type JsonObject } from "../../domain/payload/json.ts";
import { defaultsOf } from "../../domain/payload/json-schema.ts";
import { redactText } from "../../domain/payload/redaction.ts";
import type { ActionEntry, Service } from "../../domain/services.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findResult } from "../../store/tables/command-results.ts";
import { findCommand } from "../../store/tables/commands.ts";
import type { Ctx } from "../context.ts";
import { toActionView } from "../fleet/services.ts";
import type { Body, HandlersOf } from "../handlers.ts";
import { rememberAnswer } from "../system/idempotency-keys.ts";
import {
  findTargetNow,
  requireConfirmation,
  type Target,
  type TargetCheck,
  targetOf,
  targetStill,
} from "./action-targets.ts";
import { awaitEnd, createCommand, endOpenCommand, getCommand, requireCommand } from "./commands.ts";
import { type CommandDetail, toCommandSummary } from "./views.ts";

export const handlers: HandlersOf<typeof actions> = {
  "actions.prepare": (ctx, { params, query }) =>
    prepareAction(ctx, params.serviceId, params.actionName, query.fromCatalog),
  "actions.execute": (ctx, { params, query, body }) =>
    executeAction(ctx, params.serviceId, params.actionName, body, query.queue),
};

/**
 * With `fromCatalog`, an action without a prepare phase needs no agent, and `command` is null;
 * older clients do not send it and always expect a command.
 */
export async function prepareAction(
  ctx: Ctx,
  serviceId: string,
  actionName: string,
  fromCatalog: boolean,
) {
  const { core } = ctx;
  const seen = await findTargetNow(ctx, serviceId, actionName);
  const { action } = seen;
  if (fromCatalog && !action.prepare) {
    return { action: toActionView(action), ...preparedOf(null, action), command: null };
  }
  const wanted = action.timeoutSeconds ?? prepareTimeoutSeconds.default;
  const seconds = Math.min(wanted, prepareTimeoutSeconds.max);
  const created = await core.db.write(
    async (tx) =>
      createCommand(ctx, tx, {
        ...targetOf(ctx, await targetStill(ctx, tx, seen, false)),
        type: "ACTION_PREPARE",
        payload: {},
        schema: {},
        reason: null,
        prepareCommandId: null,
        timeoutSeconds: seconds,
        ttlSeconds: seconds,
      }),
    seen.service,
  );
  const deadline = core.monotonic() + seconds * 1000;
  const waited = await awaitEnd(ctx, created.id, seconds * 1000);
  if (!isTerminal(waited.status)) {
    if (core.monotonic() < deadline) throw prepareContinues(waited);
    await endWhenLate(ctx, created.id);
  }
  const command = await getCommand(ctx, created.id);
  if (command.status !== "SUCCEEDED") throw prepareFailure(command);
  const prepared = preparedOf(command.result?.output, action);
  return { action: toActionView(action), ...prepared, command };
}

type Execution = Body<typeof actions, "actions.execute">;

/** An execution, with the values that a retry copies from the original command. */
type ExecutionToStart = Pick<Execution, "payload" | "confirmation"> &
  Pick<Command, "reason" | "retryOf"> & { prepareCommandId?: string | null | undefined };

async function executeAction(
  ctx: Ctx,
  serviceId: string,
  actionName: string,
  execution: Execution,
  queue: boolean,
) {
  const seen = await findTargetNow(ctx, serviceId, actionName);
  const { reason } = execution;
  const redacted = reason === undefined ? null : redactText(reason);
  return startExecution(ctx, seen, { ...execution, reason: redacted, retryOf: null }, queue);
}

/** Checks an execution, and creates its command in the same transaction as `alsoWrite`. */
export async function startExecution(
  ctx: Ctx,
  seen: Target,
  execution: ExecutionToStart,
  queue: boolean,
  alsoWrite?: (tx: Tx, command: Command) => Promise<void>,
) {
  const { core } = ctx;
  const { payload, confirmation, prepareCommandId, reason, retryOf } = execution;
  const schemaOf = (db: Reader, { service, action }: Target) =>
    schemaFor(db, service, action, prepareCommandId);
  const check: TargetCheck = async (db, target) => {
    requireConfirmation(target.action, confirmation);
    checkPayload(payload, await schemaOf(db, target));
  };
  await check(core.db.read, seen);
  return core.db.write(async (tx) => {
    const target = await targetStill(ctx, tx, seen, queue, check);
    const command = await createCommand(ctx, tx, {
      ...targetOf(ctx, target),
      retryOf,
      type: "ACTION_EXECUTE",
      payload,
      schema: await schemaOf(tx, target),
      reason,
      prepareCommandId: prepareCommandId ?? null,
      timeoutSeconds: target.action.timeoutSeconds ?? actionTimeoutSeconds.default,
      ttlSeconds: core.settings.commandTtlSeconds,
    });
    await alsoWrite?.(tx, command);
    return rememberAnswer(ctx, tx, { command: toCommandSummary(command) });
  }, seen.service);
}

/** Thrown if the caller has left or the server stops. The prepare continues. */
function prepareContinues({ id }: Command): AppError {
  const options = { details: { commandId: id }, retryAfterSeconds: 1 };
  return new AppError("UNAVAILABLE", `The wait was cut short; ${id} continues.`, options);
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
    return new AppError("COMMAND_ALREADY_COMPLETED", "The prepare was cancelled.", { details });
  }
  const reason = command.errorMessage ?? "no reason given";
  // The error's code does not decide this, because agents can report any code, including this one.
  if (command.result === null) return new AppError("ACTION_PREPARE_TIMEOUT", reason, { details });
  const message = `The agent could not prepare the action: ${reason}`;
  return new AppError("ACTION_PREPARE_FAILED", message, { details });
}

/** Returns the form that the agent sent, completed from the catalog. */
function preparedOf(output: unknown, action: ActionEntry) {
  const sent = isJsonObject(output) ? output : {};
  const inputSchema = isJsonObject(sent.inputSchema) ? sent.inputSchema : action.inputSchema;
  const { initialPayload } = sent;
  return {
    inputSchema,
    initialPayload: isJsonObject(initialPayload) ? initialPayload : defaultsOf(inputSchema),
    currentState: sent.currentState ?? null,
  };
}

/** A payload must match the schema of the named prepare, or the catalog's if none is named. */
async function schemaFor(
  db: Reader,
  service: Pick<Service, "id" | "code">,
  action: ActionEntry,
  prepareCommandId: string | null | undefined,
): Promise<JsonObject> {
  if (!prepareCommandId) return action.inputSchema;
  const prepare = await findCommand(db, prepareCommandId);
  const fits =
    prepare?.type === "ACTION_PREPARE" &&
    prepare.status === "SUCCEEDED" &&
    prepare.serviceId === service.id &&
    prepare.action === action.name;
  if (!fits) {
    const wanted = `a prepare of ${action.name} on ${service.code} that succeeded`;
    throw new AppError("COMMAND_NOT_FOUND", `${prepareCommandId} is not ${wanted}.`);
  }
  return (await preparedSchemaOf(db, prepareCommandId)) ?? action.inputSchema;
}

/** Returns the schema that the agent sent, or null. */
export async function preparedSchemaOf(db: Reader, prepareCommandId: string) {
  const output = (await findResult(db, prepareCommandId, "outcome"))?.output;
  if (!isJsonObject(output) || !isJsonObject(output.inputSchema)) return null;
  return output.inputSchema;
}
