// `agents wait` and `services wait`. A restart of the server does not end the wait.

import { setTimeout as pause } from "node:timers/promises";
import type { Noun, WaitSpec } from "../../api/contract/noun.ts";
import type { Client } from "../../client/client.ts";
import { AppError } from "../../domain/errors.ts";
import { formatDuration } from "../../lib/duration.ts";
import type { CommandFunction } from "../command.ts";
import { outlastOutages } from "../connecting/outages.ts";
import { CliError, exit, usageError } from "../exit.ts";
import { callNamed } from "../names/resolve.ts";
import { startProgress } from "../terminal/progress.ts";
import { callOn, type Row } from "./rows.ts";
import { type LoadPrint, show } from "./run.ts";

const lookEveryMs = 500;

/**
 * A status that depends on the agent counts only if the agent has called since the first poll,
 * because the stored status can be older than the script's previous command. Returns 8 after
 * `--timeout`.
 */
export function waitForRow(noun: Noun, print?: LoadPrint): CommandFunction {
  const { statuses, news, lasting } = noun.wait as WaitSpec;
  return async (invocation) => {
    const { io, args, options, signal, client } = invocation;
    const { for: given, timeout } = options as { for: string; timeout: number };
    const wanted = given.toUpperCase();
    if (!statuses.includes(wanted)) {
      throw usageError(`--for must be one of ${statuses.join(", ")}, not ${given}.`);
    }
    const name = `${noun.one} ${args[0]}`;
    const deadline = io.now() + timeout * 1000;
    const progress = startProgress(io, `waiting for ${name}`);
    const api = await client();
    const look = resolvedOnce(api, noun, args[0] ?? "");
    const outlasting = outlastOutages({ io, api, signal, options, deadline, progress });
    const read = () => outlasting(() => orMissing(look));
    const newsOf = (row: Row) => news.map((field) => row[field]).join(" ");
    let known: string | null = null;
    const isNews = (found: Row) => lasting.includes(wanted) || newsOf(found) !== known;
    const isFulfilled = (found: Row) => found.status === wanted && isNews(found);
    const stateNow = (found: Row) =>
      isNews(found) ? `${found.status}` : `${found.status}, with no report since`;
    const ending = await (async () => {
      const first = await read();
      known = isMissing(first) ? null : newsOf(first);
      for (let found = first; ; found = await read()) {
        const leftMs = deadline - io.now();
        if (leftMs <= 0 || (!isMissing(found) && isFulfilled(found))) return found;
        const state = isMissing(found) ? "does not exist yet" : stateNow(found);
        progress.say(`waiting for ${name} to be ${wanted}: ${state}`);
        await pause(Math.min(lookEveryMs, leftMs), undefined, { signal }).catch(() => {
          throw signal.reason;
        });
      }
    })().finally(progress[Symbol.dispose]);

    const passed = formatDuration(timeout);
    if (isMissing(ending)) {
      const { message, code } = ending;
      throw new CliError(exit.stillPending, `timed out after ${passed}: ${message}`, { code });
    }
    await show(noun, invocation, ending, print);
    if (isFulfilled(ending)) return exit.done;
    io.note(
      ending.status === wanted
        ? `Last reported as ${wanted}, but there was no report in ${passed}.\n`
        : `Still ${ending.status} after ${passed}, not ${wanted}.\n`,
    );
    return exit.stillPending;
  };
}

/** Resolves the name once, and again only after the row was deleted. */
function resolvedOnce(api: Client, noun: Noun, text: string): () => Promise<Row> {
  let id: string | null = null;
  return async () => {
    try {
      const row = await callNamed(api, noun, id ?? text, (one) => callOn(api, noun, "get", one));
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
