// Creates, reads and cancels commands. (docs/decisions/0006-command-delivery.md)

import { mayActAs, roleOf } from "../../domain/access/principals.ts";
import type { AuditEntry } from "../../domain/audit/audit-events.ts";
import { type Command, hasEnded } from "../../domain/commands/commands.ts";
import { AppError, found } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { type Shown, withholdAgain } from "../../domain/secrets/payload-secrets.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findResult } from "../../store/tables/commands/command-results.ts";
import {
  type CommandFilter,
  findCommand,
  insertCommands,
  listCommands as listStoredCommands,
} from "../../store/tables/commands/commands.ts";
import { recheckCaller } from "../access/still-allowed.ts";
import type { Permit } from "../approvals/permits.ts";
import { auditAll } from "../audit/trail.ts";
import { boundedPage } from "../bounded-pages.ts";
import { noteChange } from "../changes/changes.ts";
import { commandKey } from "../changes/doorbell.ts";
import { waitForChange } from "../changes/wait-for-change.ts";
import { bulkReader, type Ctx } from "../context.ts";
import { claimForWaitingPolls } from "./delivery.ts";
import { endOpenCommand } from "./endings.ts";
import { type CommandDetail, toCommandDetail, toCommandSummary } from "./views.ts";

export type NewCommand = Pick<
  Command,
  | "agentId"
  | "agentCode"
  | "serviceId"
  | "serviceCode"
  | "action"
  | "reason"
  | "source"
  | "prepareCommandId"
  | "retryOf"
  | "timeoutSeconds"
> & {
  expectedState?: string | null;
  ttlSeconds: number;
  /** The payload as it is sent to the agent. `schema` marks its secrets. */
  payload: JsonObject;
  schema: JsonObject;
  /** The payload as its source shows it: what the source withholds, the command withholds, too. */
  shown?: Shown | undefined;
} & ({ type: "ACTION_PREPARE" } | { type: "ACTION_EXECUTE"; permit: Permit });

export async function createCommand(ctx: Ctx, tx: Tx, wanted: NewCommand): Promise<Command> {
  return (await createCommands(tx, [{ ctx, wanted }]))[0] as Command;
}

/**
 * If a poll of the agent is waiting, the new command is claimed for it at once. The returned
 * command is PENDING even then.
 */
export async function createCommands(
  tx: Tx,
  orders: readonly { ctx: Ctx; wanted: NewCommand }[],
): Promise<Command[]> {
  const [first] = orders;
  if (first === undefined) return [];
  const { core } = first.ctx;
  const created = orders.map(({ ctx, wanted }) => {
    const { command, approvalId } = commandOf(ctx, tx, wanted);
    return { command, row: { call: ctx, entry: creationEntry(command, approvalId) } };
  });
  const commands = created.map(({ command }) => command);
  const claims = await claimForWaitingPolls(core, tx, commands);
  const rows = created.flatMap(({ command, row }) => {
    const claim = claims.get(command);
    return claim ? [row, claim.row] : [row];
  });
  await Promise.all([
    insertCommands(
      tx,
      commands.map((command) => claims.get(command)?.command ?? command),
    ),
    auditAll(core, tx, rows),
  ]);
  for (const command of commands) {
    if (command.type === "ACTION_PREPARE") {
      tx.afterCommit(() => core.counters.count("actionPrepareRequested"));
    }
    noteChange(core, tx, "work", command.agentId);
  }
  return commands;
}

function commandOf({ core }: Ctx, tx: Tx, wanted: NewCommand) {
  const { ttlSeconds, payload, schema, shown, ...fields } = wanted;
  const { permit = null, ...rest } = { permit: null, ...fields };
  permit?.requireFor(tx, rest);
  const command: Command = {
    expectedState: null,
    ...rest,
    ...withholdAgain(payload, shown, schema),
    id: core.newId("cmd"),
    status: "PENDING",
    createdAt: tx.now,
    expiresAt: tx.now + ttlSeconds * 1000,
    startedAt: null,
    completedAt: null,
    deliveries: 0,
    errorCode: null,
    errorMessage: null,
    cancelledWhileRunning: false,
    cancelOutcome: null,
  };
  return { command, approvalId: permit?.approvalId ?? null };
}

function creationEntry(command: Command, approvalId: string | null): AuditEntry {
  const { source } = command;
  return {
    action: command.type === "ACTION_PREPARE" ? "action.prepare.requested" : "command.created",
    targetId: command.id,
    ...messageOf(command),
    metadata: {
      action: command.action,
      serviceCode: command.serviceCode,
      agentId: command.agentId,
      ...(source.kind === "bus" ? { eventId: source.id, routeId: source.routeId } : {}),
      ...(source.kind === "rollout" ? { rolloutId: source.id } : {}),
      ...(source.kind === "schedule" ? { scheduleId: source.id } : {}),
      ...(approvalId === null ? {} : { approvalId }),
    },
  };
}

function messageOf({ reason, source }: Command): { message?: string } {
  if (reason !== null) return { message: reason };
  if (source.kind !== "bus") return {};
  return { message: `The route ${source.name} created it from the event ${source.id}.` };
}

export async function listCommands(ctx: Ctx, filter: CommandFilter) {
  const { items, ...extent } = await listStoredCommands(bulkReader(ctx), filter);
  return boundedPage(items.map(toCommandSummary), extent);
}

/**
 * The first operator or owner who reads an ended command gets its one-time secret, unless `secret`
 * is `keep`. `since` is the monotonic time at which the call began to wait.
 */
export async function getCommand(
  ctx: Ctx,
  id: string,
  { wait = 0, secret: use = "take" }: { wait?: number; secret?: "take" | "keep" | undefined } = {},
  since = ctx.core.monotonic(),
): Promise<CommandDetail> {
  const command = await awaitEnd(ctx, id, wait * 1000);
  const detail = await describe(ctx, command);
  const mayRead = mayActAs(roleOf(ctx.principal), "operator");
  if (!detail.result || !mayRead || use === "keep") return detail;
  // `dispatch` does both again after this call, but a secret that was taken is lost if the call is
  // refused then.
  await ctx.core.db.durable();
  await recheckCaller(ctx, ctx.core.db.read, since);
  const secret = ctx.caller.gone ? null : await ctx.core.oneTimeSecrets.take(command.id);
  if (secret === null) return detail;
  const output = { ...(detail.result.output as object), generatedKey: secret };
  return { ...detail, result: { ...detail.result, output } };
}

/** Waits until the command has ended or the time is up, and returns the command. */
export function awaitEnd(ctx: Ctx, id: string, waitMs: number): Promise<Command> {
  return waitForChange(ctx, commandKey(id), waitMs, async () => {
    const answer = await requireCommand(ctx.core.db.read, id);
    return { answer, isFinal: hasEnded(answer.status) };
  });
}

export async function cancelCommand(ctx: Ctx, id: string): Promise<CommandDetail> {
  const cancelled = await ctx.core.db.write(async (tx) => {
    const command = await requireCommand(tx, id);
    if (!(await endOpenCommand(ctx, tx, command, "CANCELLED"))) {
      const { status } = command;
      const message = `The command has already ended as ${status}.`;
      throw new AppError("COMMAND_ALREADY_COMPLETED", message, {
        details: { commandId: id, status },
      });
    }
    return findCommand(tx, id);
  });
  return describe(ctx, cancelled as Command);
}

async function describe(ctx: Ctx, command: Command): Promise<CommandDetail> {
  const { read } = ctx.core.db;
  // A result that arrived after the command was read does not belong to the status that was read.
  if (!hasEnded(command.status)) return toCommandDetail(command, null, null);
  return toCommandDetail(
    command,
    await findResult(read, command.id, "outcome"),
    await findResult(read, command.id, "late"),
  );
}

export async function requireCommand(db: Reader, id: string): Promise<Command> {
  return found(await findCommand(db, id), "COMMAND_NOT_FOUND", `command ${id}`);
}
