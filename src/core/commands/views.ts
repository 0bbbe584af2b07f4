// A stored command, as it goes over the wire. `durationMs` is computed here.

import type { z } from "zod";
import type { commandDetail, commandSummary } from "../../api/shapes/command-schemas.ts";
import { type Command, type CommandResult, durationMs } from "../../domain/commands.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-time.ts";

export type CommandSummary = z.output<typeof commandSummary>;
export type CommandDetail = z.output<typeof commandDetail>;

export function toCommandSummary(command: Command): CommandSummary {
  return {
    id: command.id,
    type: command.type,
    status: command.status,
    agentId: command.agentId,
    agentCode: command.agentCode,
    serviceId: command.serviceId,
    serviceCode: command.serviceCode,
    action: command.action,
    reason: command.reason,
    source: toSource(command.source),
    prepareCommandId: command.prepareCommandId,
    retryOf: command.retryOf,
    createdAt: isoTime(command.createdAt),
    expiresAt: isoTime(command.expiresAt),
    startedAt: isoTimeOrNull(command.startedAt),
    completedAt: isoTimeOrNull(command.completedAt),
    durationMs: durationMs(command.startedAt, command.completedAt),
    deliveries: command.deliveries,
    errorCode: command.errorCode,
    errorMessage: command.errorMessage,
    cancelledWhileRunning: command.cancelledWhileRunning,
    cancelOutcome: command.cancelledWhileRunning ? (command.cancelOutcome ?? "UNCONFIRMED") : null,
  };
}

export function toCommandDetail(
  command: Command,
  outcome: CommandResult | null,
  late: CommandResult | null,
): CommandDetail {
  return {
    ...toCommandSummary(command),
    payload: command.payload,
    withheld: command.withheld,
    result: outcome && toResult(outcome),
    lateResult: late && toResult(late),
  };
}

function toSource(source: Command["source"]): CommandSummary["source"] {
  if (source.kind === "operator") return { kind: "operator", userId: source.id, name: source.name };
  const { id, routeId, name } = source;
  return { kind: "bus", eventId: id ?? "", routeId: routeId ?? "", name };
}

function toResult(result: CommandResult): NonNullable<CommandDetail["result"]> {
  return {
    success: result.success,
    ...(result.output === undefined ? {} : { output: result.output }),
    ...(result.error === undefined ? {} : { error: result.error }),
    ...(result.message === null ? {} : { message: result.message }),
    receivedAt: isoTime(result.receivedAt),
  };
}
