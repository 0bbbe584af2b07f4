// Running a declared action: PREPARE brings form and current state, EXECUTE makes the command.
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
import type { HandlersOf } from "../handlers.ts";
import { rememberAnswer } from "../system/idempotency-keys.ts";
import {
  findTarget,
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
 * Asks the agent for the action's form and answers when it came. With `fromCatalog`, one that has nothing
 * to prepare is not asked, and `command` is null: clients before that always expect a command. Waits up to
 * the action's `timeoutSeconds` (default 30, at most 60). Throws SERVICE_NOT_FOUND, ACTION_NOT_FOUND,
 * AGENT_OFFLINE, AGENT_DISABLED, ACTION_PREPARE_TIMEOUT, ACTION_PREPARE_FAILED (with the agent's
 * code in `details`), COMMAND_ALREADY_COMPLETED when somebody cancelled it.
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
    return { action: toActionView(action), ...preparedOf(null, action), command: null };
  }
  const wanted = action.timeoutSeconds ?? prepareTimeoutSeconds.default;
  const seconds = Math.min(wanted, prepareTimeoutSeconds.max);
  const created = await core.db.write(async (tx) =>
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
  );
  const deadline = core.monotonic() + seconds * 1000;
  const waited = await awaitEnd(ctx, created.id, seconds * 1000);
  if (!isTerminal(waited.status)) {
    if (core.monotonic() < deadline) throw nobodyWaits(waited);
    await endWhenLate(ctx, created.id);
  }
  const command = await getCommand(ctx, created.id);
  if (command.status !== "SUCCEEDED") throw prepareFailure(command);
  const prepared = preparedOf(command.result?.output, action);
  return { action: toActionView(action), ...prepared, command };
}

export interface Execution {
  payload: JsonObject;
  confirmation: boolean;
  prepareCommandId?: string | null | undefined;
  reason?: string | undefined;
}

/** An execution with what a retry takes from the original command. */
type ExecutionToStart = Omit<Execution, "reason"> & Pick<Command, "reason" | "retryOf">;

/**
 * Makes the command that runs the action. The payload is checked against the schema that the named
 * prepare returned, else the catalog's. Throws SERVICE_NOT_FOUND, ACTION_NOT_FOUND,
 * COMMAND_NOT_FOUND (the prepare), CONFIRMATION_REQUIRED, PAYLOAD_INVALID, and AGENT_OFFLINE or
 * AGENT_DISABLED unless `queue`.
 */
async function executeAction(
  ctx: Ctx,
  serviceId: string,
  actionName: string,
  execution: Execution,
  queue: boolean,
) {
  const seen = await findTarget(ctx.core.db.read, serviceId, actionName);
  const { reason } = execution;
  const redacted = reason === undefined ? null : redactText(reason);
  return startExecution(ctx, seen, { ...execution, reason: redacted, retryOf: null }, queue);
}

/** Checks an execution, and makes its command in one transaction with what `alsoWrite` adds. */
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
  });
}

/** The caller has left, or the server stops: the prepare goes on without them. */
function nobodyWaits(command: Command): AppError {
  return new AppError("UNAVAILABLE", `Nobody waits here any more; ${command.id} goes on.`, {
    details: { commandId: command.id },
    retryAfterSeconds: 1,
  });
}

/** Nobody waits for a prepare any more: if it is still open, it has failed. */
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
    return new AppError("COMMAND_ALREADY_COMPLETED", "The prepare was cancelled meanwhile.", {
      details,
    });
  }
  const says = command.errorMessage ?? "no reason given";
  // The agent's own code may be any, this one too.
  if (command.result === null) {
    return new AppError("ACTION_PREPARE_TIMEOUT", says, { details });
  }
  return new AppError("ACTION_PREPARE_FAILED", `The agent could not prepare the action: ${says}`, {
    details,
  });
}

/** What the agent sent, and where it sent nothing, what the catalog gives. */
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

/** What a payload must keep to: what the named prepare returned, else the catalog's schema. */
async function schemaFor(
  db: Reader,
  service: Service,
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
    throw new AppError(
      "COMMAND_NOT_FOUND",
      `${prepareCommandId} is not a prepare of ${action.name} on ${service.code} that succeeded.`,
    );
  }
  return (await preparedSchemaOf(db, prepareCommandId)) ?? action.inputSchema;
}

/** What the agent sent as the form of its action; null when it sent none. */
export async function preparedSchemaOf(db: Reader, prepareCommandId: string) {
  const output = (await findResult(db, prepareCommandId, "outcome"))?.output;
  if (!isJsonObject(output) || !isJsonObject(output.inputSchema)) return null;
  return output.inputSchema;
}
