// Converts commands to the form of the API.

import type { z } from "zod";
import type { commandDetail, commandSummary } from "../../api/shapes/command-schemas.ts";
import { type Command, type CommandResult, durationMs } from "../../domain/commands/commands.ts";
import { isoTime, isoTimes } from "../../lib/iso-time.ts";

type CommandSummary = z.output<typeof commandSummary>;
export type CommandDetail = z.output<typeof commandDetail>;

export function toCommandSummary(command: Command): CommandSummary {
  const { id, type, status, agentId, agentCode, serviceId, serviceCode, action, reason } = command;
  const { prepareCommandId, retryOf, expectedState, deliveries } = command;
  const { errorCode, errorMessage, cancelledWhileRunning } = command;
  return {
    id,
    type,
    status,
    agentId,
    agentCode,
    serviceId,
    serviceCode,
    action,
    reason,
    source: toSource(command.source),
    prepareCommandId,
    retryOf,
    expectedState,
    ...isoTimes(command, "createdAt", "expiresAt", "startedAt", "completedAt"),
    durationMs: durationMs(command.startedAt, command.completedAt),
    deliveries,
    errorCode,
    errorMessage,
    cancelledWhileRunning,
    cancelOutcome: cancelledWhileRunning ? (command.cancelOutcome ?? "UNCONFIRMED") : null,
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
  if (source.kind === "rollout") return { kind: "rollout", rolloutId: id ?? "", name };
  if (source.kind === "schedule") return { kind: "schedule", scheduleId: id ?? "", name };
  return { kind: "bus", eventId: id ?? "", routeId: routeId ?? "", name };
}

function toResult(result: CommandResult): NonNullable<CommandDetail["result"]> {
  return {
    success: result.success,
    ...(result.output === undefined ? {} : { output: result.output }),
    ...(result.error === undefined ? {} : { error: result.error }),
    ...(result.message === null ? {} : { message: result.message }),
    ...(result.other === undefined ? {} : { other: result.other }),
    receivedAt: isoTime(result.receivedAt),
  };
}
