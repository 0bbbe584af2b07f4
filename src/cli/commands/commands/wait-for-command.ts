// Waits until a command has finished. A restart of the server does not end the wait.

import type { Client } from "../../../client/client.ts";
import { hasEnded } from "../../../domain/commands/commands.ts";
import { isTemporary, outlastOutages } from "../../connecting/outages.ts";
import { longestWait, timeoutForWait } from "../../connecting/waits.ts";
import type { CliError } from "../../exit.ts";
import { type OutputOptions, printsWhole } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { relativeTime } from "../../output/relative-time.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { leftRunning } from "../../terminal/left-running.ts";
import { type NoteOptions, noteFacts, noteLine } from "../../terminal/notes.ts";
import { startProgress } from "../../terminal/progress.ts";
import { feed, type OutputSink } from "./output-sink.ts";
import type { CommandDetail } from "./show.ts";

/** An ONLINE agent that has not been seen for longer is named as the reason for the wait. */
const silentMs = 45_000;
/** How often to look at the agent while its command has not ended. */
export const lookMs = 5_000;

export interface CommandWait {
  io: Io;
  api: Client;
  signal: AbortSignal;
  options: OutputOptions;
  commandId: string;
  timeoutSeconds: number;
  /** Gets the output while it is written; null if nobody follows it. */
  sink: OutputSink | null;
}

interface AwaitedCommand {
  command: CommandDetail;
  /** Why the rest of the output of an ended command could not be read; null if it was read. */
  unread: unknown;
}

/**
 * After the timeout, returns the unfinished command, or throws if the server is unreachable. Leaves
 * the one-time secret on the server unless the whole command is certain to be printed.
 */
export async function awaitCommand(wait: CommandWait): Promise<AwaitedCommand> {
  const { io, api, options, commandId, timeoutSeconds, sink } = wait;
  const deadline = performance.now() + timeoutSeconds * 1000;
  using progress = startProgress(io, "waiting", timeoutSeconds);
  const read = outlastOutages({ ...wait, deadline, progress });
  const output = sink ? feed(sink, api, commandId) : null;
  // On a terminal, each state appears within a second.
  const sliceSeconds = io.interactive ? 1 : longestWait;
  const secondsLeft = () => Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
  let seen: CommandDetail | null = null;
  let looked = { at: Number.NEGATIVE_INFINITY, silence: null as string | null };
  try {
    while (true) {
      let isOver = false;
      seen = await read(() => {
        const left = secondsLeft();
        isOver = left === 0;
        // The first request does not wait, to find out whether the server is available.
        const wait = seen === null || output?.isOffered ? 0 : Math.min(sliceSeconds, left);
        const secret = printsWhole(options) ? undefined : ("keep" as const);
        const input = { params: { commandId }, query: { wait, secret } };
        return api.call("commands.get", input, timeoutForWait(wait));
      });
      const isEnd = hasEnded(seen.status) || isOver;
      if (!isEnd && io.interactive && performance.now() - looked.at >= lookMs) {
        looked = { at: performance.now(), silence: await silenceOf(api, seen, io.now()) };
      }
      if (!isEnd) progress.say(stateLine(seen, looked.silence));
      if (output) {
        const slice = isOver ? 0 : Math.min(sliceSeconds, secondsLeft());
        while ((await read(() => output.next(slice))) && isEnd);
      }
      if (isEnd) return { command: seen, unread: null };
    }
  } catch (error) {
    // No later reply has the one-time secret of an ended command.
    if (seen !== null && hasEnded(seen.status)) return { command: seen, unread: error };
    if (error instanceof Interrupted) throw leftAlone(commandId);
    if (isTemporary(error) && api.reached) {
      const text = `The command continues. To wait again: platformctl commands wait ${commandId}`;
      noteLine(io, options, "COMMAND_GOES_ON", text);
    }
    throw error;
  }
}

/** Prints the command's id before the wait, in case the wait is interrupted. */
export function noteCommand(
  io: Io,
  options: NoteOptions,
  { id, action, serviceCode }: Pick<CommandDetail, "id" | "action" | "serviceCode">,
): void {
  const text = `${printableLine(action)} on ${printableLine(serviceCode)}: ${id}`;
  noteFacts(io, options, text, { command: { id, action, serviceCode } });
}

function stateLine({ action, serviceCode, status }: CommandDetail, silence: string | null): string {
  if (silence !== null) return `${status}: ${silence}`;
  const state = `${status}: ${action} on ${serviceCode}`;
  return status === "PENDING" ? `${state} (not fetched yet)` : state;
}

/**
 * Says why the agent of a command neither fetches it nor reports its result, and when the command
 * ends without the agent. Returns null if the command has ended, if the agent is ONLINE and was
 * seen recently, or if the agent's status is unknown. `now` is in Unix milliseconds.
 */
export async function silenceOf(
  api: Pick<Client, "call">,
  { status, agentId, agentCode, expiresAt }: CommandDetail,
  now: number,
): Promise<string | null> {
  if (hasEnded(status)) return null;
  // The agent's status only explains the wait, which continues without it.
  const agent = await api
    .call("agents.get", { params: { agentId } }, timeoutForWait(0))
    .catch(() => null);
  if (agent === null) return null;
  const { status: presence, lastHeartbeatAt: seenAt } = agent;
  if (seenAt === null) return null;
  if (presence === "ONLINE" && now - Date.parse(seenAt) < silentMs) return null;
  const why = presence === "DISABLED" ? "is DISABLED" : `last seen ${relativeTime(seenAt, now)}`;
  const ends = status === "PENDING" ? "expires" : "times out";
  return `${agentCode} ${why}; command ${ends} ${relativeTime(expiresAt, now)}`;
}

export function leftAlone(commandId: string): CliError {
  const next = {
    "wait for it": `commands wait ${commandId}`,
    "cancel it": `commands cancel ${commandId}`,
  };
  return leftRunning("stop the command", next, { commandId });
}
