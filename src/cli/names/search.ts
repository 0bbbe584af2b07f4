// Searches the lists for what a user means by a part of an id, a code or a name.

import { valueIn } from "../../api/contract/cells.ts";
import type { Noun } from "../../api/contract/noun.ts";
import type { Client } from "../../client/client.ts";
import { usernameKey } from "../../domain/access/users.ts";
import { commandTypes } from "../../domain/commands/commands.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { timesOfUlids } from "../../lib/ulid.ts";
import { CliError, exit } from "../exit.ts";
import { listPage, type Row } from "../nouns/rows.ts";
import { notFoundCode } from "../nouns/words.ts";
import { allRows } from "../output/listing.ts";
import { mayMean, partsOfId } from "../output/short-ids.ts";

const maxCandidates = 10;
/** How far the id's time and the row's time may differ. */
const slackMs = 60_000;
/** If a long list has more rows of that time, the given part of the id is too short. */
const mostRows = 5000;
/** The latest time that ISO 8601 writes with four digits for the year. */
const endOfTime = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Returns an id. Throws an error that lists the candidates, or suggests the nearest name. For a
 * suggestion, all names are read.
 */
export async function searchFor(
  client: Client,
  noun: Noun,
  text: string,
  suggests = true,
): Promise<string> {
  if (noun.isLong) return searchLong(client, noun, text);
  const matches = await matchesOf(noun, client, text);
  if (matches.length === 1 && matches[0]) return matches[0].id;
  if (matches.length > 1) throw ambiguous(noun, text, matches);
  const suggestion = suggests ? nearest(text, await namesOf(noun, client)) : null;
  throw notFound(noun.one, text, suggestion);
}

/** The beginning of an id contains its creation time, which limits the search of a long list. */
async function searchLong(client: Client, noun: Noun, text: string): Promise<string> {
  const { prefix } = noun;
  const begin = partsOfId(text).begin.slice(prefix.length + 1);
  const times = text.startsWith(`${prefix}_`) ? timesOfUlids(begin) : null;
  if (times === null) throw notListed(noun, text);
  // By default, the list of commands leaves out commands of one type.
  const type = noun.noun === "commands" ? { type: [...commandTypes] } : {};
  const query = { ...type, from: isoTime(times.from - slackMs), to: isoTime(times.to + slackMs) };
  const known = await allRows(async (page) => {
    const found = await listPage(client, noun, { ...page, ...query });
    if (found.pagination.total <= mostRows) return found;
    const message = `${text} matches too many ${noun.one}s: give a longer part of the id.`;
    throw new CliError(exit.conflict, message, { code: "AMBIGUOUS" });
  });
  const matches = known.filter(({ id }) => mayMean(text, id));
  const [found, ...others] = matches;
  if (!found) throw notListed(noun, text);
  if (others.length === 0) return found.id;
  throw ambiguous(noun, text, matches);
}

function isoTime(ms: number): string {
  return new Date(Math.min(endOfTime, Math.max(0, ms))).toISOString();
}

function notListed({ one, group }: Noun, text: string): CliError {
  const { status, code, message } = notFound(one, text, null);
  return new CliError(status, `${message} \`${group} list\` shows their ids.`, { code });
}

export async function matchesOf(noun: Noun, client: Client, text: string): Promise<Row[]> {
  const byId = text.startsWith(`${noun.prefix}_`);
  const known = await everything(noun, client, byId || text === "" ? null : text);
  return matchesAmong(noun, text, known);
}

export async function namesOf(noun: Noun, client: Client): Promise<string[]> {
  const field = noun.code ?? noun.name ?? "";
  const all = await everything(noun, client, null);
  return all.flatMap((row) => (row[field] as string | null | undefined) ?? []);
}

/** A code takes precedence over a part of an id, which takes precedence over a name. */
export function matchesAmong(noun: Noun, text: string, known: Row[]): Row[] {
  const { code, name, live, prefix } = noun;
  const fold = noun.fold === "username" ? usernameKey : (given: string) => given;
  const exact = code ? known.filter((row) => fold(String(row[code])) === fold(text)) : [];
  if (exact.length > 0) return exact;
  const isPart = text.startsWith(`${prefix}_`);
  const byPart = isPart ? known.filter(({ id }) => mayMean(text, id)) : [];
  if (byPart.length > 0) return byPart;
  const named = name ? known.filter((row) => row[name] === text) : [];
  const living = named.filter(({ status, state }) => (status ?? state) === live);
  return living.length > 0 ? living : named;
}

async function everything(noun: Noun, client: Client, q: string | null): Promise<Row[]> {
  const search = noun.searches && q !== null ? { q } : {};
  return allRows((page) => listPage(client, noun, { ...page, ...search }));
}

type Describable = Pick<Noun, "one" | "about"> & { code?: string; name?: string };

/** Omits the text `shown`, which the caller prints anyway. */
export function description(noun: Describable, row: { id: string }, shown?: string): string {
  const { code, name, about } = noun;
  const texts = [code, name, about].map((of) => (of === undefined ? null : valueIn(row, of)));
  return texts.filter((text) => text && text !== shown).join(", ");
}

export function ambiguous(noun: Describable, text: string, matches: Pick<Row, "id">[]): CliError {
  const shown = matches.slice(0, maxCandidates);
  const more = matches.length > shown.length ? `\n  and ${matches.length - shown.length} more` : "";
  const list = shown.map((row) => `\n  ${row.id}  ${description(noun, row)}`);
  const message = `${text} matches more than one ${noun.one}:${list.join("")}${more}`;
  return new CliError(exit.conflict, message, { code: "AMBIGUOUS" });
}

export function notFound(word: string, text: string, suggestion: string | null): CliError {
  const message = `there is no ${word} ${text}.${didYouMean(suggestion)}`;
  return new CliError(exit.notFound, message, { code: notFoundCode(word) });
}
