// Resolves the beginning of a command's id. It contains the creation time, which limits the search.

import { nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { commandTypes } from "../../domain/commands.ts";
import { timesOfUlids } from "../../lib/ulid.ts";
import { CliError, exit } from "../exit.ts";
import { allRows } from "../output/listing.ts";
import { ambiguous, notFound } from "./search.ts";

const { prefix } = nouns.commands;
/** How far the id's time and the command's time may differ. */
const slackMs = 60_000;
/** If more commands match, the given part of the id is too short. */
const mostCommands = 1000;
/** The latest time that ISO 8601 writes with four digits for the year. */
const endOfTime = Date.parse("9999-12-31T23:59:59.999Z");

export async function resolveCommand(client: Client, text: string): Promise<string> {
  const ulid = text.slice(prefix.length + 1).toUpperCase();
  const times = text.startsWith(`${prefix}_`) ? timesOfUlids(ulid) : null;
  if (times === null) throw notACommand(text);
  const type = [...commandTypes];
  const query = { type, from: isoTime(times.from - slackMs), to: isoTime(times.to + slackMs) };
  const known = await allRows(async (page) => {
    const found = await client.page("commands.list", { query: { ...page, ...query } });
    if (found.pagination.total <= mostCommands) return found;
    const message = `${text} matches too many commands: give a longer part of the id.`;
    throw new CliError(exit.conflict, message, { code: "AMBIGUOUS" });
  });
  const matches = known.filter(({ id }) => id.startsWith(`${prefix}_${ulid}`));
  const [found, ...others] = matches;
  if (!found) throw notACommand(text);
  if (others.length === 0) return found.id;
  throw ambiguous(nouns.commands, text, matches);
}

function isoTime(ms: number): string {
  return new Date(Math.min(endOfTime, Math.max(0, ms))).toISOString();
}

function notACommand(text: string): CliError {
  const { status, code, message } = notFound("command", text, null);
  return new CliError(status, `${message} \`commands list\` shows their ids.`, { code });
}
