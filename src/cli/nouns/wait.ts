// `agents wait` and `services wait`. A restart of the server does not end the wait.

import type { Noun, WaitSpec } from "../../api/contract/noun.ts";
import type { Client } from "../../client/client.ts";
import { AppError } from "../../domain/errors.ts";
import { formatDuration } from "../../lib/duration.ts";
import { pauseOrAborted } from "../../lib/time-limit.ts";
import type { CommandFunction } from "../command.ts";
import { outlastOutages } from "../connecting/outages.ts";
import { CliError, exit, usageError } from "../exit.ts";
import { callNamed } from "../names/resolve.ts";
import { noteLine } from "../terminal/notes.ts";
import { startProgress } from "../terminal/progress.ts";
import { callOn, type Row } from "./rows.ts";
import { type LoadPrint, show } from "./run.ts";

const lookEveryMs = 500;

/** Ends at once if the item already has the status. Returns 8 after `--timeout`. */
export function waitForRow(noun: Noun, print?: LoadPrint): CommandFunction {
  const { statuses } = noun.wait as WaitSpec;
  return async (invocation) => {
    const { io, args, options, signal, client } = invocation;
    const { for: given, timeout } = options as { for: string; timeout: number };
    const wanted = given.toUpperCase();
    if (!statuses.includes(wanted)) {
      throw usageError(`--for must be one of ${statuses.join(", ")}, not ${given}.`);
    }
    const name = `${noun.one} ${args[0]}`;
    const deadline = performance.now() + timeout * 1000;
    const api = await client();
    const progress = startProgress(io, `waiting for ${name}`);
    const look = resolvedOnce(api, noun, args[0] ?? "");
    const outlasting = outlastOutages({ io, api, signal, options, deadline, progress });
    const ending = await (async () => {
      while (true) {
        const isLast = performance.now() >= deadline;
        const found = await outlasting(() => orMissing(() => look(isLast)));
        if (isLast || (!isMissing(found) && found.status === wanted)) return found;
        const state = isMissing(found) ? "does not exist yet" : found.status;
        progress.say(`waiting for ${name} to be ${wanted}: ${state}`);
        const leftMs = Math.max(0, deadline - performance.now());
        await pauseOrAborted(Math.min(lookEveryMs, leftMs), signal);
      }
    })().finally(progress[Symbol.dispose]);

    const passed = formatDuration(timeout);
    if (isMissing(ending)) {
      const { message, code } = ending;
      throw new CliError(exit.stillPending, `timed out after ${passed}: ${message}`, { code });
    }
    await show(noun, invocation, ending, print);
    if (ending.status === wanted) return exit.done;
    const text = `Still ${ending.status} after ${passed}, not ${wanted}.`;
    noteLine(io, options, "WAIT_TIMED_OUT", text);
    return exit.stillPending;
  };
}

/**
 * Resolves the name once, and again only after the row was deleted. If the row is unknown, a look
 * that `suggests` the nearest name reads all names.
 */
function resolvedOnce(api: Client, noun: Noun, text: string): (suggests: boolean) => Promise<Row> {
  let id: string | null = null;
  const get = (one: string) => callOn(api, noun, "get", one);
  return async (suggests) => {
    try {
      const row = await callNamed(api, noun, id ?? text, get, suggests);
      id = row.id;
      return row;
    } catch (error) {
      if (isMissing(error)) id = null;
      throw error;
    }
  };
}

type Missing = CliError | AppError;

async function orMissing(look: () => Promise<Row>): Promise<Row | Missing> {
  try {
    return await look();
  } catch (error) {
    if (isMissing(error)) return error;
    throw error;
  }
}

/** Returns whether the name is unknown, or the row with that id was deleted. */
function isMissing(error: unknown): error is Missing {
  const isOurs = error instanceof CliError && error.status === exit.notFound;
  const isServers = error instanceof AppError && error.code.endsWith("_NOT_FOUND");
  return isOurs || isServers;
}
