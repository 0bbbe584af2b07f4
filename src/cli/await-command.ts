// Waits for a command's end, says meanwhile how far it is, and what becomes of it when nobody waits on.

import type { Routes } from "../api/index.ts";
import type { ReplyData } from "../api/route.ts";
import type { Client } from "../client/client.ts";
import { isTerminal } from "../domain/commands.ts";
import { CliError, exit } from "./exit.ts";
import { Interrupted } from "./interrupted.ts";
import type { Io } from "./io.ts";
import { startProgress } from "./progress.ts";

type CommandDetail = ReplyData<Routes["commands.get"]>;

/** One request waits at most this long; then it is asked again. */
const waitSliceSeconds = 25;

/**
 * The command once it has ended, or as it is after `timeoutSeconds`. Shows progress meanwhile. Ctrl-C ends
 * the wait and not the command: the error says so, and names it in `details.commandId`.
 */
export async function awaitCommand(
  io: Io,
  client: Client,
  commandId: string,
  timeoutSeconds: number,
): Promise<CommandDetail> {
  const deadline = io.now() + timeoutSeconds * 1000;
  const progress = startProgress(io, "waiting", timeoutSeconds);
  let seen: CommandDetail | null = null;
  try {
    while (true) {
      const left = Math.max(0, Math.ceil((deadline - io.now()) / 1000));
      // Somebody who looks is shown each state soon: at once at first, then within a second.
      const slice = !io.interactive ? waitSliceSeconds : seen === null ? 0 : 1;
      const wait = Math.min(slice, left);
      seen = await client.call("commands.get", { params: { commandId }, query: { wait } });
      if (isTerminal(seen.status) || left === 0) return seen;
      progress.say(stateLine(seen));
    }
  } catch (error) {
    throw error instanceof Interrupted ? leftAlone(commandId, seen) : error;
  } finally {
    progress.stop();
  }
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
