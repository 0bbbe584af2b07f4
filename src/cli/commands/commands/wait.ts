// Waits for commands, shows their output meanwhile, and prints how they ended.

import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import { hasEnded } from "../../../domain/commands/commands.ts";
import type { Invocation } from "../../command.ts";
import { outlastOutages } from "../../connecting/outages.ts";
import { exit, toCliError } from "../../exit.ts";
import { getNamed, resolve } from "../../names/resolve.ts";
import { printRow } from "../../nouns/view.ts";
import { runSeconds } from "../../options.ts";
import { isForPeople, isRaw, type OutputOptions } from "../../output/output.ts";
import { printableLine, printableText } from "../../output/printable.ts";
import { noteLine } from "../../terminal/notes.ts";
import { silentProgress } from "../../terminal/progress.ts";
import { liveOutput } from "./live-output.ts";
import { rawOutput } from "./raw-output.ts";
import { type CommandDetail, printCommand, printRest } from "./show.ts";
import { awaitCommand, type CommandWait, noteCommand, silenceOf } from "./wait-for-command.ts";

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

/** Exits with 8 if approval is needed and was not given. With `--wait`, waits for it first. */
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

/** Returns null if the request was not approved. */
async function approvedCommand({ created: { approval }, ...wait }: Waiting) {
  if (approval === null) throw new Error("the reply has neither a command nor a request");
  const { noteWaiting, printRequest, untilApproved } = await import("../approvals/asked.ts");
  const { io, api, options } = wait;
  // A repeated call gets the first response, but the request may have ended since.
  const asked = options.wait
    ? await untilApproved(wait, approval, options.timeout)
    : await api.call("approvals.get", { params: { approvalId: approval.id } }).catch((error) => {
        noteWaiting(io, options, approval);
        throw error;
      });
  if (!asked?.commandId) {
    if (asked) printRequest(io, options, asked);
    return null;
  }
  return getNamed(api, "commands", asked.commandId);
}

/** Exits with 0 after success, 1 after failure or cancellation, 8 if the command has not ended. */
async function waitAndPrint(
  wait: Omit<CommandWait, "sink"> & { options: WaitOptions },
): Promise<Waited> {
  const { io, api, signal, options, commandId } = wait;
  const deadline = performance.now() + wait.timeoutSeconds * 1000;
  const live = io.interactive && isForPeople(options) ? liveOutput(io) : null;
  const raw = isRaw(options) ? rawOutput(io, signal) : null;
  const { command, unread } = await awaitCommand({ ...wait, sink: live ?? raw });
  if (raw) {
    const outlast = outlastOutages({ ...wait, deadline, progress: silentProgress });
    const read = () => outlast(() => api.call("commands.get", { params: { commandId } }));
    await raw.end(command, read);
  } else if (live?.shown.isWhole && io.isTerminal) printRest(io, options, command, live.shown);
  else printCommand(io, options, command);
  if (unread !== null) {
    // A script must not take a part of the raw output for the whole.
    if (raw) throw unread;
    const why = `The output could not be read to the end: ${toCliError(unread).message}`;
    io.note(`\n${printableText(why)}\nTo read it: platformctl commands logs ${command.id}\n`);
  }
  if (command.status === "SUCCEEDED") return { exitStatus: exit.done, command };
  if (hasEnded(command.status)) return { exitStatus: exit.failed, command };
  const silence = await silenceOf(api, command, io.now());
  const text =
    `Still ${command.status} after ${options.timeout ?? runSeconds}s` +
    `${silence === null ? "" : ` (${printableLine(silence)})`}. To continue waiting: ` +
    `platformctl commands wait ${command.id}`;
  noteLine(io, options, "WAIT_TIMED_OUT", text);
  return { exitStatus: exit.stillPending, command };
}
