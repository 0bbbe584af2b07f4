import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import { isTerminal } from "../../../domain/commands.ts";
import { isJsonObject, type Json } from "../../../domain/payload/json.ts";
import { redacted } from "../../../domain/payload/redaction.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { resolve } from "../../names/resolve.ts";
import { printRow } from "../../nouns/view.ts";
import { runSeconds } from "../../options.ts";
import { isForPeople, type OutputOptions, section } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { resultSection } from "../../output/structured-result.ts";
import { valueSection } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";
import { stateChangesSection } from "./state-changes.ts";
import { awaitCommand, type CommandWait, noteCommand, silenceOf } from "./wait-for-command.ts";

export type CommandDetail = Reply<"commands.get">;

export interface WaitOptions extends OutputOptions {
  timeout?: number;
  detach?: boolean;
  /** Whether to wait for approval, too. */
  wait?: boolean;
}

export async function waitForCommand(invocation: Invocation): Promise<number> {
  const { io, args, signal, client } = invocation;
  const options = invocation.options as unknown as WaitOptions;
  const api = await client();
  const commandId = await resolve(api, nouns.commands, args[0] ?? "");
  const timeoutSeconds = options.timeout ?? runSeconds;
  return (await waitAndPrint({ io, api, signal, options, commandId, timeoutSeconds })).exitStatus;
}

/** The command is null if nobody waited for it. */
interface Waited {
  exitStatus: number;
  command: CommandDetail | null;
}

type Waiting = Pick<CommandWait, "io" | "api" | "signal"> & {
  options: WaitOptions;
  /** The reply to the call that has created the command, or has asked for approval. */
  created: Reply<"commands.retry">;
  /** This time counts towards `--timeout`. */
  preparingSeconds?: number;
};

/** Exits with 8 if approval is needed and `--wait` is absent, or if it was not given. */
export async function waitUnlessDetached(waiting: Waiting): Promise<Waited> {
  const { created, preparingSeconds = 0, ...wait } = waiting;
  const { io, options } = wait;
  const command = created.command ?? (await approvedCommand(waiting));
  if (command === null) return { exitStatus: exit.stillPending, command: null };
  const { id } = command;
  if (options.detach) {
    printRow(io, options, "commands", command);
    if (isForPeople(options)) io.note(`\nWait for it: platformctl commands wait ${id}\n`);
    return { exitStatus: exit.done, command: null };
  }
  noteCommand(io, options, command);
  const timeoutSeconds = Math.max(0, (options.timeout ?? runSeconds) - preparingSeconds);
  return waitAndPrint({ ...wait, commandId: id, timeoutSeconds });
}

async function approvedCommand({ created: { approval }, ...wait }: Waiting) {
  if (approval === null) throw new Error("the reply has neither a command nor a request");
  const { leaveAsked, untilApproved } = await import("../approvals/asked.ts");
  const { io, options } = wait;
  if (!options.wait) {
    leaveAsked(io, options, approval);
    return null;
  }
  const approved = await untilApproved(wait, approval, options.timeout);
  if (!approved?.commandId) return null;
  const { commandId: id, action, serviceCode } = approved;
  return { id, action, serviceCode: serviceCode ?? "" };
}

/** Exits with 0 if the command succeeded, 1 if it failed or was cancelled, 8 if it is not finished. */
async function waitAndPrint(wait: CommandWait & { options: WaitOptions }): Promise<Waited> {
  const { io, options } = wait;
  const command = await awaitCommand(wait);
  printCommand(io, options, command);
  if (command.status === "SUCCEEDED") return { exitStatus: exit.done, command };
  if (isTerminal(command.status)) return { exitStatus: exit.failed, command };
  const silence = await silenceOf(wait.api, command, io.now());
  io.note(
    `Still ${command.status} after ${options.timeout ?? runSeconds}s` +
      `${silence === null ? "" : ` (${printableLine(silence)})`}. To continue waiting: ` +
      `platformctl commands wait ${command.id}\n`,
  );
  return { exitStatus: exit.stillPending, command };
}

export function printCommand(io: Io, options: OutputOptions, command: CommandDetail): void {
  printRow(io, options, "commands", command, () => partsOf(io, command));
  const key = generatedKeyOf(command);
  if (key === null) return;
  io.note(
    options.output === "name"
      ? "\nOnly this response contained the generated key, and -o name does not print it.\n"
      : "\nKeep the generatedKey now: it is shown only once.\n",
  );
}

/** Returns null if there is no key, or if it was already read. */
function generatedKeyOf({ result }: CommandDetail): string | null {
  const output = result?.output;
  if (output === undefined || !isJsonObject(output)) return null;
  const { generatedKey } = output;
  return typeof generatedKey === "string" && generatedKey !== redacted ? generatedKey : null;
}

function partsOf(io: Io, command: CommandDetail): string[] {
  const { payload, result, lateResult } = command;
  const { success, message, output, error } = result ?? {};
  return [
    cancellationLine(command),
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
