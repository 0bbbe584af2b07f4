// Waits until something that the server knows has a status, for scripts: `agents wait`, `services wait`.
// Restarts of the server do not end the wait.

import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../domain/errors.ts";
import { formatDuration } from "../lib/duration.ts";
import type { Invocation } from "./command.ts";
import { outlastOutages } from "./connecting/outages.ts";
import { CliError, exit, usageError } from "./exit.ts";
import { startProgress } from "./terminal/progress.ts";

const lookEveryMs = 500;

export interface Awaited<T> {
  /** `agent`, for messages. */
  noun: string;
  /** What `--for` may say. */
  statuses: readonly string[];
  /** Throws a not-found error while there is none. */
  look: () => Promise<T>;
  /** What it is waited for to be, and told to be; its status when absent. */
  stateOf?: (found: T) => string;
  /** Changes whenever its agent is heard of. */
  newsOf: (found: T) => string;
  /** States that hold whether the agent is heard of or not. */
  lasting: readonly string[];
  print: (found: T) => void;
}

/**
 * Looks until it has the status that `--for` names, in capitals or not; then prints it and answers 0. A
 * status that depends on the agent counts only when the agent was heard of since the first look: what is
 * stored may be older than whatever the script did just before. What
 * does not exist yet is waited for too. After `--timeout`, prints it as it is and answers 8, or throws an
 * error that ends 8 when it still does not exist.
 */
export async function waitForStatus<T extends { status: string }>(
  { io, args, options, signal, client }: Invocation,
  { noun, statuses, look, stateOf = ({ status }) => status, newsOf, lasting, print }: Awaited<T>,
): Promise<number> {
  const { for: given, timeout } = options as { for: string; timeout: number };
  const wanted = given.toUpperCase();
  if (!statuses.includes(wanted)) {
    throw usageError(`--for must be one of ${statuses.join(", ")}, not ${given}.`);
  }
  const name = `${noun} ${args[0]}`;
  const deadline = io.now() + timeout * 1000;
  const progress = startProgress(io, `waiting for ${name}`);
  const api = await client();
  const outlasting = outlastOutages({ io, api, signal, options, deadline, progress });
  const read = () => outlasting(() => orMissing(look));
  let known: ReturnType<typeof newsOf> | null = null;
  const isNews = (found: T) => lasting.includes(wanted) || newsOf(found) !== known;
  const isFulfilled = (found: T) => stateOf(found) === wanted && isNews(found);
  const stateNow = (found: T) =>
    isNews(found) ? stateOf(found) : `${stateOf(found)}, and not heard of since`;
  const ending = await (async () => {
    const first = await read();
    known = isMissing(first) ? null : newsOf(first);
    for (let found = first; ; found = await read()) {
      const leftMs = deadline - io.now();
      if (leftMs <= 0 || (!isMissing(found) && isFulfilled(found))) return found;
      const state = isMissing(found) ? "not there yet" : stateNow(found);
      progress.say(`waiting for ${name} to be ${wanted}: ${state}`);
      await pause(Math.min(lookEveryMs, leftMs), undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  })().finally(() => progress.stop());

  const passed = formatDuration(timeout);
  if (isMissing(ending)) {
    const { message, code } = ending.missing;
    throw new CliError(exit.stillPending, `still after ${passed}: ${message}`, { code });
  }
  print(ending);
  if (isFulfilled(ending)) return exit.done;
  const state = stateOf(ending);
  io.note(
    state === wanted
      ? `${state} as last heard, but nothing was heard in ${passed}.\n`
      : `Still ${state} after ${passed}, not ${wanted}.\n`,
  );
  return exit.stillPending;
}

interface Missing {
  missing: CliError | AppError;
}

async function orMissing<T extends object>(look: () => Promise<T>): Promise<T | Missing> {
  try {
    return await look();
  } catch (error) {
    if (isMissingError(error)) return { missing: error };
    throw error;
  }
}

/** It says that something does not exist: the name is not known, or the id no more. */
export function isMissingError(error: unknown): error is Missing["missing"] {
  const isOurs = error instanceof CliError && error.status === exit.notFound;
  const isServers = error instanceof AppError && error.code.endsWith("_NOT_FOUND");
  return isOurs || isServers;
}

function isMissing(found: object): found is Missing {
  return "missing" in found;
}
