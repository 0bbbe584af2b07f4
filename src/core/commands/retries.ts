// Runs a failed or cancelled command again. (docs/decisions/0006-command-delivery.md)

import type { commands } from "../../api/commands.ts";
import { type Command, mayBeRetried } from "../../domain/commands/commands.ts";
import { AppError, validationFailed } from "../../domain/errors.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import { wholePayload } from "../../domain/secrets/payload-secrets.ts";
import { requireMayBypass } from "../approvals/gate.ts";
import type { Ctx } from "../context.ts";
import type { Body } from "../handlers.ts";
import { findTarget, requireConfirmation } from "../presence/action-targets.ts";
import { requireCommand } from "./commands.ts";
import { startExecution } from "./executions.ts";
import { keptPrepare } from "./prepared-forms.ts";

type Retry = Body<typeof commands, "commands.retry"> & { queue: boolean };

/** The service may have moved or changed, so everything is checked as for a new command. */
export async function retryCommand(ctx: Ctx, id: string, request: Retry) {
  const { read } = ctx.core.db;
  const { confirmation, queue, secrets, breakGlass } = request;
  await requireMayBypass(ctx, breakGlass);
  const original = await requireCommand(read, id);
  requireRetryable(original);
  const seen = await findTarget(read, original.serviceId, original.action);
  requireConfirmation(seen.action, confirmation);
  const payload = payloadAgain(original, secrets);
  const prepareCommandId = await keptPrepare(read, original.prepareCommandId);
  const { reason, expectedState } = original;
  const execution = {
    payload,
    shown: original,
    confirmation,
    prepareCommandId,
    reason,
    expectedState,
    stateFrom: original,
    retryOf: id,
    breakGlass,
  };
  return startExecution(ctx, seen, execution, queue);
}

export function payloadAgain(
  { payload, withheld }: Pick<Command, "payload" | "withheld">,
  secrets: Record<string, Json>,
): JsonObject {
  const strange = Object.keys(secrets).filter((pointer) => !withheld.includes(pointer));
  if (strange.length > 0) {
    const message = "is not a secret of this command: a retry cannot change other values";
    throw validationFailed(strange.map((pointer) => ({ path: `secrets.${pointer}`, message })));
  }
  const missing = withheld.filter((pointer) => !Object.hasOwn(secrets, pointer));
  if (missing.length > 0) {
    const message =
      "The secrets of a command are deleted when it ends. " +
      `Give them again in "secrets": ${missing.join(", ")}.`;
    throw new AppError("PAYLOAD_NEEDS_SECRETS", message, { details: { pointers: missing } });
  }
  return wholePayload({
    payload,
    withheld,
    secrets: withheld.map((pointer) => secrets[pointer] as Json),
  });
}

function requireRetryable(command: Command): void {
  if (mayBeRetried(command)) return;
  const { id, type, status } = command;
  throw new AppError(
    "COMMAND_NOT_RETRYABLE",
    type === "ACTION_EXECUTE"
      ? `Only a command that failed or was cancelled can be retried; this one is ${status}.`
      : "A prepare command cannot be retried: prepare the action again.",
    { details: { commandId: id, type, status } },
  );
}
