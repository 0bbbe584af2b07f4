// `platformctl commands wait`, and how a command is shown.

import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import type { Json } from "../../../domain/payload/json.ts";
import { redacted } from "../../../domain/payload/redaction.ts";
import type { Invocation } from "../../command.ts";
import { resolve } from "../../names/resolve.ts";
import { viewOf } from "../../nouns/view.ts";
import { type OutputOptions, printOne, section } from "../../output/output.ts";
import { valueSection } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";
import { awaitCommand, exitStatusOf } from "./wait-for-command.ts";

export type CommandDetail = Reply<"commands.get">;

const view = viewOf<CommandDetail>(nouns.commands);

export async function waitForCommand(invocation: Invocation): Promise<number> {
  const { io, args, options, signal, client } = invocation;
  const { timeout: timeoutSeconds } = options as { timeout: number };
  const api = await client();
  const commandId = await resolve(api, nouns.commands, args[0] ?? "");
  const command = await awaitCommand({ io, api, signal, options, commandId, timeoutSeconds });
  printCommand(io, options as OutputOptions, command);
  return exitStatusOf(io, command, timeoutSeconds);
}

export function printCommand(io: Io, options: OutputOptions, command: CommandDetail): void {
  printOne(io, options, command, view, () => partsOf(io, command));
  const key = generatedKeyOf(command);
  if (key === null) return;
  io.note(
    options.output === "name"
      ? "\nThe generated key was handed out with this answer, and -o name does not show it.\n"
      : "\nThe generatedKey is shown this once and never again: keep it now.\n",
  );
}

/** What the agent generated for whoever reads it first; null when there is nothing, or it was read. */
function generatedKeyOf({ result }: CommandDetail): string | null {
  const output = result?.output;
  if (typeof output !== "object" || output === null || Array.isArray(output)) return null;
  const { generatedKey } = output;
  return typeof generatedKey === "string" && generatedKey !== redacted ? generatedKey : null;
}

function partsOf(io: Io, command: CommandDetail): string {
  const { payload, result, lateResult } = command;
  return (
    cancellationLine(command) +
    (Object.keys(payload).length > 0 ? section("payload", payload) : "") +
    (result?.message === undefined || !result.success
      ? ""
      : valueSection(io, "message", result.message)) +
    (result?.output === undefined ? "" : valueSection(io, "output", result.output)) +
    (result?.error === undefined ? "" : errorSection(io, command, result.error)) +
    (lateResult === null ? "" : valueSection(io, "late result", lateResult as Json))
  );
}

function cancellationLine({ cancelledWhileRunning, cancelOutcome }: CommandDetail): string {
  // An older server does not say what became of it.
  if (!cancelledWhileRunning) return "";
  return `\nIt was cancelled while it ran. ${cancelSentences[cancelOutcome ?? "UNCONFIRMED"]}\n`;
}

const cancelSentences: Record<NonNullable<CommandDetail["cancelOutcome"]>, string> = {
  UNCONFIRMED: "The agent has not said yet whether it stopped: it may still finish.",
  STOPPED: "The agent stopped it.",
  FINISHED: "It had already ended by itself: see the late result.",
  NOT_STOPPED: "It did not end when the agent told it to: it may still run.",
  UNKNOWN: "It was lost with its agent: how far it came is not known.",
};

/** Code and message stand above already, unless they were cut. */
function errorSection(io: Io, command: CommandDetail, error: Json): string {
  if (typeof error !== "object" || error === null || Array.isArray(error)) {
    return valueSection(io, "error", error);
  }
  const { code, message, ...rest } = error;
  const more = {
    ...(code === undefined || code === command.errorCode ? {} : { code }),
    ...(message === undefined || message === command.errorMessage ? {} : { message }),
    ...rest,
  };
  return Object.keys(more).length === 0 ? "" : valueSection(io, "error", more);
}
