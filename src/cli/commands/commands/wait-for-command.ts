// Waits for a command's end, says meanwhile how far it is, and what becomes of it when nobody waits on.
// Restarts of the server do not end the wait.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { isTerminal } from "../../../domain/commands.ts";
import { isPassing, outlastOutages } from "../../connecting/outages.ts";
import { CliError, exit } from "../../exit.ts";
import { printableLine } from "../../output/printable.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { type NoteOptions, noteFacts, noteLine } from "../../terminal/notes.ts";
import { startProgress } from "../../terminal/progress.ts";

type CommandDetail = Reply<"commands.get">;

/** One request waits at most this long; then it is asked again. */
const waitSliceSeconds = 25;
/** How long an answer may take beyond that: a server that hangs does not hold up the end of the wait. */
const answerSeconds = 10;

export interface CommandWait {
  io: Io;
  api: Client;
  signal: AbortSignal;
  /** How what is noted meanwhile is written. */
  options: NoteOptions;
  commandId: string;
  timeoutSeconds: number;
}

/**
 * The command once it has ended, or as it is after `timeoutSeconds`. Shows progress meanwhile. Ctrl-C ends
 * the wait and not the command: the error says so, and names it in `details.commandId`. Throws Unreachable
 * when the server is not there at the end of the time.
 */
export async function awaitCommand(wait: CommandWait): Promise<CommandDetail> {
  const { io, api, options, commandId, timeoutSeconds } = wait;
  const deadline = io.now() + timeoutSeconds * 1000;
  const progress = startProgress(io, "waiting", timeoutSeconds);
  const read = outlastOutages({ ...wait, deadline, progress });
  let seen: CommandDetail | null = null;
  try {
    while (true) {
      let isOver = false;
      seen = await read(() => {
        const left = Math.max(0, Math.ceil((deadline - io.now()) / 1000));
        isOver = left === 0;
        // At once at first: then the server is known to be there. Somebody who looks is shown each
        // state within a second.
        const slice = seen === null ? 0 : io.interactive ? 1 : waitSliceSeconds;
        const wait = Math.min(slice, left);
        const timeoutMs = (wait + answerSeconds) * 1000;
        return api.call("commands.get", { params: { commandId }, query: { wait } }, { timeoutMs });
      });
      if (isTerminal(seen.status) || isOver) return seen;
      progress.say(stateLine(seen));
    }
  } catch (error) {
    if (error instanceof Interrupted) throw leftAlone(commandId, seen);
    if (isPassing(error) && api.reached) {
      noteLine(io, options, "COMMAND_GOES_ON", stillThere(commandId));
    }
    throw error;
  } finally {
    progress.stop();
  }
}

/**
 * Says which command it is before it is waited for: whatever happens to the wait, the id is known.
 */
export function noteCommand(
  io: Io,
  options: NoteOptions,
  { id, action, serviceCode }: Pick<CommandDetail, "id" | "action" | "serviceCode">,
): void {
  const text = `${printableLine(action)} on ${printableLine(serviceCode)}: ${id}`;
  noteFacts(io, options, text, { command: { id, action, serviceCode } });
}

/** 0 when it succeeded, 1 when it failed or was cancelled, 8 when it has not ended. */
export function exitStatusOf(io: Io, command: CommandDetail, timeoutSeconds: number): number {
  if (command.status === "SUCCEEDED") return exit.done;
  if (isTerminal(command.status)) return exit.failed;
  io.note(
    `Still ${command.status} after ${timeoutSeconds}s. Go on waiting: ` +
      `platformctl commands wait ${command.id}\n`,
  );
  return exit.stillPending;
}

function stillThere(commandId: string): string {
  return `The command goes on without the wait. Wait again: platformctl commands wait ${commandId}`;
}

function stateLine({ action, serviceCode, status }: CommandDetail): string {
  const what = `${action} on ${serviceCode}`;
  return status === "PENDING" ? `PENDING: ${what} (not fetched yet)` : `${status}: ${what}`;
}

function leftAlone(commandId: string, seen: CommandDetail | null): CliError {
  const what = seen ? `${seen.action} on ${seen.serviceCode} (${seen.status})` : "the command";
  return new CliError(
    exit.interrupted,
    `interrupted; that does not stop ${what}.\n` +
      `  wait for it: platformctl commands wait ${commandId}\n` +
      `  cancel it:   platformctl commands cancel ${commandId}`,
    { code: "INTERRUPTED", details: { commandId } },
  );
}
