// Searches the lists for what a user means by the beginning of an id, a code or a name.

import { valueIn } from "../../api/contract/cells.ts";
import type { Noun } from "../../api/contract/noun.ts";
import type { Client } from "../../client/client.ts";
import { usernameKey } from "../../domain/users.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { CliError, exit } from "../exit.ts";
import { listPage, type Row } from "../nouns/rows.ts";
import { allRows } from "../output/listing.ts";

const maxCandidates = 10;

/** Throws an error that suggests the nearest name or lists the candidates. */
export async function searchId(noun: Noun, client: Client, text: string): Promise<string> {
  const matches = await matchesOf(noun, client, text);
  if (matches.length === 1 && matches[0]) return matches[0].id;
  if (matches.length > 1) throw ambiguous(noun, text, matches);
  throw notFound(noun.one, text, nearest(text, await namesOf(noun, client)));
}

export async function matchesOf(noun: Noun, client: Client, text: string): Promise<Row[]> {
  const byId = text.startsWith(`${noun.prefix}_`);
  const known = await everything(noun, client, byId || text === "" ? null : text);
  return matchesAmong(noun, text, byId, known);
}

export async function namesOf(noun: Noun, client: Client): Promise<string[]> {
  const field = noun.code ?? noun.name ?? "";
  const all = await everything(noun, client, null);
  return all.flatMap((row) => (row[field] as string | null | undefined) ?? []);
}

/** A code takes precedence over the beginning of an id, which takes precedence over a name. */
function matchesAmong(noun: Noun, text: string, byId: boolean, known: Row[]): Row[] {
  const { code, name, live } = noun;
  const fold = noun.fold === "username" ? usernameKey : (given: string) => given;
  const exact = code ? known.filter((row) => fold(String(row[code])) === fold(text)) : [];
  if (exact.length > 0) return exact;
  const begun = byId ? known.filter(({ id }) => id.startsWith(text)) : [];
  if (begun.length > 0) return begun;
  const named = name ? known.filter((row) => row[name] === text) : [];
  const living = named.filter(({ status }) => status === live);
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
  const code = `${word.toUpperCase().replaceAll(" ", "_")}_NOT_FOUND`;
  return new CliError(exit.notFound, message, { code });
}
