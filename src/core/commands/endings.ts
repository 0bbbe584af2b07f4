// Ends open commands without a result: they are cancelled, expired, or not supported by the agent.
// (docs/decisions/0006-command-delivery.md)

import {
  type Command,
  type CommandStatus,
  expiryOutcome,
  hasEnded,
  unsupportedOutcome,
} from "../../domain/commands/commands.ts";
import type { Tx } from "../../store/database.ts";
import { listExpiredCommands } from "../../store/tables/commands/command-deadlines.ts";
import { endCommand } from "../../store/tables/commands/commands.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import { moveDeadlines } from "../clock/deadlines.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import { inSlices } from "../short-transactions.ts";

/** Commands do not time out just after a clock jump or pause: their results may be on the way. */
export async function expireCommands(core: Core): Promise<number> {
  await moveDeadlines(core);
  const now = core.statusClock.now();
  const ctx = systemContext(core);
  return inSlices(
    core,
    Infinity,
    (db, limit) => listExpiredCommands(db, now, limit),
    (tx, command) => endOpenCommand(ctx, tx, command, "EXPIRED"),
  );
}

/** Returns false if the command was not open. */
export async function endOpenCommand(
  ctx: Ctx,
  tx: Tx,
  command: Command,
  how: "CANCELLED" | "EXPIRED" | "UNSUPPORTED",
): Promise<boolean> {
  if (hasEnded(command.status)) return false;
  const from = command.status as Extract<CommandStatus, "PENDING" | "RUNNING">;
  const failure = how === "CANCELLED" ? null : failureFor(how, command.type, from);
  const status = failure ? "FAILED" : "CANCELLED";
  if (!(await endCommand(tx, command.id, from, { status, ...failure }))) return false;
  await audit(ctx, tx, {
    action: endActions[how],
    targetId: command.id,
    result: failure ? "FAILURE" : "SUCCESS",
    metadata: {
      action: command.action,
      serviceCode: command.serviceCode,
      from,
      ...(failure ? { errorCode: failure.errorCode } : {}),
    },
  });
  const { core } = ctx;
  tx.afterCommit(() => {
    if (failure) core.counters.count("commandsFailed");
    if (failure && command.type === "ACTION_PREPARE") core.counters.count("actionPrepareTimeouts");
  });
  noteChange(core, tx, "command", command.id);
  if (command.source.kind === "rollout") noteRolloutProgress(core, tx, command.source.id);
  if (status === "CANCELLED" && from === "RUNNING") {
    noteChange(core, tx, "work", command.agentId);
  }
  return true;
}

const endActions = {
  CANCELLED: "command.cancelled",
  EXPIRED: "command.expired",
  UNSUPPORTED: "command.failed",
} as const;

function failureFor(
  how: "EXPIRED" | "UNSUPPORTED",
  type: Command["type"],
  from: "PENDING" | "RUNNING",
) {
  return how === "EXPIRED" ? expiryOutcome(type, from) : unsupportedOutcome(from);
}

/** Continues the rollout of a command that ends in this transaction. */
export function noteRolloutProgress(core: Core, tx: Tx, rolloutId: string | null): void {
  if (rolloutId !== null) tx.afterCommit(() => core.rollouts.wake(rolloutId));
}
