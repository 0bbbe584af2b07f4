// Prints commands for people: in full, or without the output that was already shown live.

import { cells } from "../../../api/contract/cells.ts";
import type { Reply } from "../../../api/index.ts";
import { isJsonObject, type Json } from "../../../domain/payload/json.ts";
import { redacted } from "../../../domain/secrets/redaction.ts";
import { printRow } from "../../nouns/view.ts";
import { type OutputOptions, section } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { resultSection } from "../../output/structured-result.ts";
import { wrapLines } from "../../output/text-width.ts";
import { valueSection } from "../../output/values.ts";
import { paintState } from "../../terminal/colours.ts";
import type { Io } from "../../terminal/io.ts";
import type { ShownOutput } from "./shown-output.ts";
import { stateChangesSection } from "./state-changes.ts";

export type CommandDetail = Reply<"commands.get">;

export function printCommand(io: Io, options: OutputOptions, command: CommandDetail): void {
  printRow(io, options, "commands", command, () => partsOf(io, command));
  noteKey(io, command);
}

/**
 * Prints the command without the output that was already `shown`. By default, a last line that
 * says how the command ended replaces the columns.
 */
export function printRest(
  io: Io,
  options: OutputOptions,
  command: CommandDetail,
  shown: ShownOutput,
): void {
  const rest = { ...command, result: shown.without(command.result) };
  if (options.output === "wide" || options.columns || options.headers === false) {
    printCommand(io, options, rest);
    return;
  }
  const parts = partsOf(io, { ...rest, payload: {} }).join("");
  io.out(parts + (parts === "" ? "" : "\n") + errorLine(command) + endLine(command, io));
  noteKey(io, command);
}

/** `SUCCEEDED in 1.2s: cmd_…` */
export function endLine(command: CommandDetail, { colour }: Pick<Io, "colour">): string {
  const { id, status } = command;
  const took = cells.commandDuration(command);
  return `${colour ? paintState(status) : status}${took ? ` in ${took}` : ""}: ${id}\n`;
}

/** `PROGRAM_FAILED: the disk is full`, or nothing. */
export function errorLine({ errorCode, errorMessage }: CommandDetail): string {
  const parts = [errorCode, errorMessage].filter((part) => part !== null && part !== "");
  return parts.length === 0 ? "" : `${parts.map((part) => printableLine(part ?? "")).join(": ")}\n`;
}

export function noteKey(io: Io, command: CommandDetail): void {
  if ([null, redacted].includes(generatedKeyOf(command))) return;
  io.note("\nKeep the generatedKey now: it is shown only once.\n");
}

/** Returns null if there is no key, and `redacted` if this response does not contain it. */
export function generatedKeyOf({ result }: CommandDetail): string | null {
  const output = result?.output;
  if (output === undefined || !isJsonObject(output)) return null;
  const { generatedKey } = output;
  return typeof generatedKey === "string" ? generatedKey : null;
}

function partsOf(io: Io, command: CommandDetail): string[] {
  const { payload, result, lateResult } = command;
  const { success, message, output, error } = result ?? {};
  return [
    wrapLines(cancellationLine(command), io.width),
    Object.keys(payload).length > 0 ? section("payload", payload) : "",
    message === undefined || !success ? "" : valueSection(io, "message", message),
    output === undefined || output === null
      ? ""
      : resultSection(io, "output", output, command.serviceCode),
    error === undefined
      ? ""
      : (stateChangesSection(io, command) ?? errorSection(io, command, error)),
    lateResult === null ? "" : valueSection(io, "late result", lateResult as Json),
  ];
}

function cancellationLine({ cancelledWhileRunning, cancelOutcome }: CommandDetail): string {
  if (!cancelledWhileRunning) return "";
  // Older servers do not return the outcome.
  return `\nIt was cancelled while it ran. ${cancelSentences[cancelOutcome ?? "UNCONFIRMED"]}\n`;
}

const cancelSentences: Record<NonNullable<CommandDetail["cancelOutcome"]>, string> = {
  UNCONFIRMED: "The agent has not yet confirmed that the action stopped, so it can still finish.",
  STOPPED: "The agent stopped the action.",
  FINISHED: "The action had already finished: see the late result.",
  NOT_STOPPED: "The action did not stop when the agent asked it to, so it can still be running.",
  UNKNOWN: "The agent was lost, so the action's progress is unknown.",
};

/** Leaves out the code and message if the columns show them in full. */
function errorSection(io: Io, command: CommandDetail, error: Json): string {
  if (!isJsonObject(error)) return valueSection(io, "error", error);
  const { code, message, ...rest } = error;
  const more = {
    ...(code === undefined || code === command.errorCode ? {} : { code }),
    ...(message === undefined || message === command.errorMessage ? {} : { message }),
    ...rest,
  };
  return Object.keys(more).length === 0 ? "" : valueSection(io, "error", more);
}
