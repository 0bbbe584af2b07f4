// Records exactly one outcome of each command. (docs/decisions/0006-command-delivery.md)

import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import {
  type CancelOutcome,
  type Command,
  type CommandResult,
  cancelOutcomeOf,
  failureOf,
  isTerminal,
} from "../../domain/commands.ts";
import { AppError } from "../../domain/errors.ts";
import { isJsonObject, type JsonObject } from "../../domain/payload/json.ts";
import { redact, redactPrepared, redactText } from "../../domain/payload/redaction.ts";
import type { AgentPrincipal } from "../../domain/principals.ts";
import type { Tx } from "../../store/database.ts";
import { setCancelOutcome } from "../../store/tables/command-deliveries.ts";
import { findResult, insertResult } from "../../store/tables/command-results.ts";
import {
  endCommand,
  findReportedCommand,
  type ReportedCommand,
} from "../../store/tables/commands.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import { audit } from "../audit/trail.ts";
import type { Core, Ctx } from "../context.ts";
import type { Body } from "../handlers.ts";
import { noteChange } from "../memory/changes.ts";
import { recheckAgent } from "../memory/credentials.ts";
import { noteRolloutProgress } from "../rollouts/waking.ts";
import { hashResult, isSameResult, toFingerprint } from "./result-fingerprints.ts";

type ReportedResult = Omit<Body<typeof agentEndpoints, "agent.result">, "data">;

interface Arrived {
  command: ReportedCommand;
  reported: ReportedResult;
  plainHash: string;
}

interface Taken {
  status: Command["status"];
  verdict: "recorded" | "duplicate" | "late";
}

/** Keeps a late result, although it then throws COMMAND_ALREADY_COMPLETED. */
export async function takeResult(
  ctx: Ctx,
  agent: AgentPrincipal,
  commandId: string,
  reported: ReportedResult,
) {
  const plainHash = hashResult(reported);
  const { status, verdict } = await ctx.core.db.write(async (tx) => {
    const [found] = await Promise.all([
      findReportedCommand(tx, commandId),
      recheckAgent(tx, agent),
    ]);
    if (found?.agentId !== agent.agentId) {
      throw new AppError("COMMAND_NOT_FOUND", `This agent has no command ${commandId}.`);
    }
    const take = isTerminal(found.status) ? keepLateResult : recordOutcome;
    return take(ctx, tx, { command: found, reported, plainHash });
  }, agent);
  if (verdict === "late") {
    throw new AppError(
      "COMMAND_ALREADY_COMPLETED",
      `The command had already ended as ${status}; this result is kept as its late result.`,
      { details: { commandId, status } },
    );
  }
  return { commandId, status, duplicate: verdict === "duplicate" };
}

async function recordOutcome(ctx: Ctx, tx: Tx, arrived: Arrived): Promise<Taken> {
  const { core } = ctx;
  const { command } = arrived;
  const reported = await withPreparedState(tx, arrived);
  const status = reported.success ? "SUCCEEDED" : "FAILED";
  const failure = reported.success ? null : failureOf(redactEnvelope(reported));
  const ended = endCommand(tx, command.id, command.status, { status, ...failure });
  const stored = insertResult(tx, toResult(core, { ...arrived, reported }, tx.now, false));
  const audited = audit(ctx, tx, {
    action: reported.success ? "command.completed" : "command.failed",
    targetId: command.id,
    result: reported.success ? "SUCCESS" : "FAILURE",
    ...(failure?.errorMessage ? { message: failure.errorMessage } : {}),
    metadata: {
      type: command.type,
      action: command.action,
      serviceCode: command.serviceCode,
      ...(failure ? { errorCode: failure.errorCode } : {}),
    },
  });
  await Promise.all([ended, stored, audited]);
  tx.afterCommit(() => {
    core.counters.count(reported.success ? "commandsCompleted" : "commandsFailed");
    if (!reported.success && command.type === "ACTION_PREPARE") {
      core.counters.count("actionPrepareFailures");
    }
  });
  await keepOneTimeSecret(ctx, tx, command.id, reported);
  noteChange(core, tx, "command", command.id);
  noteRolloutProgress(core, tx, command.rolloutId);
  return { status, verdict: "recorded" };
}

/** The agent knows only the fingerprint of the state that the operator saw. */
async function withPreparedState(tx: Tx, { command, reported }: Arrived): Promise<ReportedResult> {
  const { error } = reported;
  const { expectedState, prepareCommandId } = command;
  if (expectedState === null || prepareCommandId === null) return reported;
  if (reported.success || error?.code !== "STATE_CHANGED") return reported;
  const prepared = (await findResult(tx, prepareCommandId, "outcome"))?.output;
  const details = {
    ...(isJsonObject(error.details) ? error.details : {}),
    preparedState: isJsonObject(prepared) ? (prepared.currentState ?? null) : null,
  };
  return { ...reported, error: { ...error, details } };
}

async function keepLateResult(ctx: Ctx, tx: Tx, arrived: Arrived): Promise<Taken> {
  const { core } = ctx;
  const { command, reported, plainHash } = arrived;
  const { status } = command;
  const outcome = await findResult(tx, command.id, "outcome");
  if (isSameResult(core, outcome?.fingerprint, plainHash)) return { status, verdict: "duplicate" };
  const late = await findResult(tx, command.id, "late");
  if (!isSameResult(core, late?.fingerprint, plainHash)) {
    await insertResult(tx, toResult(core, arrived, tx.now, true));
    const cancelOutcome = command.cancelledWhileRunning ? cancelOutcomeOf(reported) : null;
    if (cancelOutcome !== null) await setCancelOutcome(tx, command.id, cancelOutcome);
    await auditRepeated(ctx, tx, {
      action: "command.result.late",
      targetId: command.id,
      ...(cancelOutcome === null ? {} : { message: cancelSentences[cancelOutcome] }),
      metadata: {
        status,
        success: reported.success,
        ...(cancelOutcome === null ? {} : { cancelOutcome }),
      },
    });
  }
  return { status, verdict: "late" };
}

const cancelSentences: Record<CancelOutcome, string> = {
  STOPPED: "The agent has stopped the command.",
  FINISHED: "The command had already ended by itself.",
  NOT_STOPPED: "The command did not end when the agent stopped it.",
  UNKNOWN: "The command was lost with its agent; its progress is unknown.",
};

function toResult(
  core: Core,
  { command, reported, plainHash }: Arrived,
  receivedAt: number,
  late: boolean,
): CommandResult {
  const clean = redactEnvelope(reported);
  const isPrepare = command.type === "ACTION_PREPARE";
  return {
    id: core.newId("res"),
    commandId: command.id,
    late,
    success: reported.success,
    output: isPrepare ? redactPrepared(reported.output) : redact(reported.output),
    error: clean.error as JsonObject | undefined,
    message: clean.message ?? null,
    fingerprint: toFingerprint(core, plainHash),
    receivedAt,
  };
}

function redactEnvelope(reported: ReportedResult): Omit<ReportedResult, "output"> {
  const { success, error, message } = reported;
  return {
    success,
    error: redact(error),
    message: message === undefined ? undefined : redactText(message),
  };
}

/** Only the first operator to read the command gets the secret. (docs/decisions/0011-secrets.md) */
async function keepOneTimeSecret(
  ctx: Ctx,
  tx: Tx,
  commandId: string,
  reported: ReportedResult,
): Promise<void> {
  const { output } = reported;
  if (!reported.success || output === null || typeof output !== "object") return;
  const secret = (output as JsonObject).generatedKey;
  if (typeof secret === "string") await ctx.core.oneTimeSecrets.put(tx, commandId, secret);
}
