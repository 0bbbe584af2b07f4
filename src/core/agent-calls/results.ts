// Records exactly one outcome for each command. (docs/decisions/0006-command-delivery.md)

import type { agentEndpoints } from "../../api/agent-endpoints.ts";
import type { AgentPrincipal } from "../../domain/access/principals.ts";
import {
  type CancelOutcome,
  type Command,
  type CommandResult,
  cancelOutcomeOf,
  failureOf,
  hasEnded,
  isCancelCode,
} from "../../domain/commands/commands.ts";
import { AppError } from "../../domain/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import { redact, redactPrepared } from "../../domain/secrets/redaction.ts";
import { Scrubber } from "../../domain/secrets/scrubber.ts";
import type { Tx } from "../../store/database.ts";
import { setCancelOutcome } from "../../store/tables/commands/command-deliveries.ts";
import {
  findResult,
  insertResults,
  replaceLateResult,
} from "../../store/tables/commands/command-results.ts";
import {
  endCommands,
  findReportedCommands,
  type ReportedCommand,
} from "../../store/tables/commands/commands.ts";
import { recheckAgents } from "../access/credentials.ts";
import { auditRepeated } from "../audit/repeated-events.ts";
import { auditAll } from "../audit/trail.ts";
import { readThenWrite } from "../batches.ts";
import { noteChange } from "../changes/changes.ts";
import { noteRolloutProgress } from "../commands/endings.ts";
import { hashResult, isSameResult, toFingerprint } from "../commands/result-fingerprints.ts";
import type { Ctx } from "../context.ts";
import type { Body } from "../handlers.ts";

type Sent = Body<typeof agentEndpoints, "agent.result">;

/** A result as the agent sent it. */
interface ReportedResult extends Pick<Sent, "success" | "output" | "error" | "message"> {
  /** Fields of the body that the protocol does not define. */
  other?: JsonObject | undefined;
}

/** A result, and the call that reported it. */
interface Arriving {
  ctx: Ctx;
  agent: AgentPrincipal;
  commandId: string;
  reported: ReportedResult;
  plainHash: string;
}

interface Arrived {
  ctx: Ctx;
  command: ReportedCommand;
  reported: ReportedResult;
  plainHash: string;
}

interface Taken {
  status: Command["status"];
  verdict: "recorded" | "duplicate" | "late";
}

/** For a late result, throws COMMAND_ALREADY_COMPLETED after storing it. */
export async function takeResult(
  ctx: Ctx,
  agent: AgentPrincipal,
  commandId: string,
  reported: ReportedResult,
) {
  const plainHash = hashResult(reported);
  const arriving = { ctx, agent, commandId, reported, plainHash };
  const { status, verdict } = await ctx.core.db.batch(takeResults, arriving, commandId);
  if (verdict === "late") {
    throw new AppError(
      "COMMAND_ALREADY_COMPLETED",
      `The command had already ended as ${status}; this result is kept as its late result.`,
      { details: { commandId, status } },
    );
  }
  return { commandId, status, duplicate: verdict === "duplicate" };
}

/** Each result belongs to a different command. */
async function takeResults(
  tx: Tx,
  arriving: readonly Arriving[],
): Promise<PromiseSettledResult<Taken>[]> {
  const [commands, recheck] = await Promise.all([
    findReportedCommands(
      tx,
      arriving.map(({ commandId }) => commandId),
    ),
    recheckAgents(
      tx,
      arriving.map(({ agent }) => agent),
    ),
  ]);
  return readThenWrite(
    arriving,
    async (one) => {
      recheck(one.agent);
      return arrivedOf(tx, one, commands.get(one.commandId));
    },
    async (arrived) => {
      const isLate = ({ command }: Arrived) => hasEnded(command.status);
      const taken = await recordOutcomes(
        tx,
        arrived.filter((one) => !isLate(one)),
      );
      for (const one of arrived.filter(isLate)) taken.set(one, await keepLateResult(tx, one));
      return taken;
    },
  );
}

/** Throws if the agent may not report a result for this command. */
async function arrivedOf(
  tx: Tx,
  { ctx, agent, commandId, reported, plainHash }: Arriving,
  command: ReportedCommand | undefined,
): Promise<Arrived> {
  if (command?.agentId !== agent.agentId) {
    throw new AppError("COMMAND_NOT_FOUND", `This agent has no command ${commandId}.`);
  }
  if (command.status === "PENDING") throw notDelivered(commandId);
  return { ctx, command, plainHash, reported: await withPreparedState(tx, command, reported) };
}

function notDelivered(commandId: string): AppError {
  return new AppError(
    "COMMAND_NOT_RUNNING",
    "The command has not been delivered yet: poll for it before you send its result.",
    { details: { commandId, status: "PENDING" } },
  );
}

async function recordOutcomes(tx: Tx, arrived: readonly Arrived[]): Promise<Map<Arrived, Taken>> {
  const [first] = arrived;
  if (first === undefined) return new Map();
  const outcomes = arrived.map((each) => {
    const { ctx, command, reported } = each;
    const result = toResult(each, tx.now, false);
    const failure = reported.success ? null : failureOf(result);
    const status = reported.success ? ("SUCCEEDED" as const) : ("FAILED" as const);
    const end = { id: command.id, from: command.status, status, ...failure };
    return { each, ctx, command, reported, status, result, failure, end };
  });
  await Promise.all([
    endCommands(
      tx,
      outcomes.map(({ end }) => end),
    ),
    insertResults(
      tx,
      outcomes.map(({ result }) => result),
    ),
    auditAll(
      first.ctx.core,
      tx,
      outcomes.map(({ ctx, command, reported, failure }) => ({
        call: ctx,
        entry: {
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
        },
      })),
    ),
  ]);
  for (const { ctx, command, reported } of outcomes) {
    const { core } = ctx;
    tx.afterCommit(() => {
      core.counters.count(reported.success ? "commandsCompleted" : "commandsFailed");
      if (!reported.success && command.type === "ACTION_PREPARE") {
        core.counters.count("actionPrepareFailures");
      }
    });
    await keepOneTimeSecret(ctx, tx, command.id, reported);
    noteChange(core, tx, "command", command.id);
    noteRolloutProgress(core, tx, command.rolloutId);
  }
  return new Map(outcomes.map(({ each, status }) => [each, { status, verdict: "recorded" }]));
}

/**
 * Adds the state that the operator saw to the error STATE_CHANGED, because the agent knows only the
 * fingerprint of that state.
 */
async function withPreparedState(
  tx: Tx,
  { expectedState, prepareCommandId, status }: ReportedCommand,
  reported: ReportedResult,
): Promise<ReportedResult> {
  const { error } = reported;
  if (hasEnded(status)) return reported;
  if (expectedState === null || prepareCommandId === null) return reported;
  if (reported.success || error?.code !== "STATE_CHANGED") return reported;
  const prepared = (await findResult(tx, prepareCommandId, "outcome"))?.output;
  const details = {
    ...(isJsonObject(error.details) ? error.details : {}),
    preparedState: isJsonObject(prepared) ? (prepared.currentState ?? null) : null,
  };
  return { ...reported, error: { ...error, details } };
}

async function keepLateResult(tx: Tx, arrived: Arrived): Promise<Taken> {
  const { ctx, command, reported, plainHash } = arrived;
  const { core } = ctx;
  const { status } = command;
  const outcome = await findResult(tx, command.id, "outcome");
  if (isSameResult(core, outcome?.fingerprint, plainHash)) return { status, verdict: "duplicate" };
  const late = await findResult(tx, command.id, "late");
  if (!isSameResult(core, late?.fingerprint, plainHash)) {
    await replaceLateResult(tx, toResult(arrived, tx.now, true));
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
  NOT_STOPPED: "The command did not end when the agent tried to stop it.",
  UNKNOWN: "The agent was lost, so the command's progress is unknown.",
};

function toResult(
  { ctx, command, reported, plainHash }: Arrived,
  receivedAt: number,
  late: boolean,
): CommandResult {
  const { core } = ctx;
  return {
    id: core.newId("res"),
    commandId: command.id,
    late,
    success: reported.success,
    ...withoutSecrets(command, reported),
    fingerprint: toFingerprint(core, plainHash),
    receivedAt,
  };
}

/** Every part of a result that is stored in any table comes from here. */
function withoutSecrets(
  command: ReportedCommand,
  { output, error, message, other }: ReportedResult,
): Pick<CommandResult, "output" | "error" | "message" | "other"> {
  const scrubber = scrubberFor(command);
  const clean = <T extends Json | undefined>(value: T) => scrubber.json(redact(value));
  // A prepare command's payload has no secrets, and fields of its form may be named like secrets.
  const isPrepare = command.type === "ACTION_PREPARE";
  return {
    output: isPrepare ? redactPrepared(output) : clean(output),
    error: error && errorWithoutSecrets(redact(error as JsonObject), scrubber),
    message: message === undefined ? null : clean(message),
    other: clean(other),
  };
}

/**
 * The secrets were deleted when the command ended, so any text that came later may contain them.
 */
function scrubberFor({ status, withheld, secrets }: ReportedCommand): Scrubber {
  const isForgotten = hasEnded(status) && withheld.length > 0;
  return isForgotten ? Scrubber.ofForgotten() : new Scrubber(secrets ?? []);
}

/**
 * Keeps the field names of the protocol, and the codes that say what became of a cancelled command.
 */
function errorWithoutSecrets(error: JsonObject, scrubber: Scrubber): JsonObject {
  const clean = Object.entries(error).map(([name, value]) => {
    const isKnown = name === "code" && isCancelCode(value);
    const shownName = errorFields.has(name) ? name : scrubber.text(name);
    return [shownName, isKnown ? value : scrubber.json(value)];
  });
  return Object.fromEntries(clean);
}

const errorFields = new Set(["code", "message", "details"]);

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
