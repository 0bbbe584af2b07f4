// From what a person types (an id, a code, a name, the beginning of an id) to the one thing it means.
// What the nouns are is in resolve.ts.

import type { Pagination } from "../../api/contract/route.ts";
import type { Client } from "../../client/client.ts";
import { nearest } from "../../lib/nearest.ts";
import { CliError, exit } from "../exit.ts";
import { allPages } from "../output/listing.ts";

/** What a noun of the API is called by. */
export interface Noun<Row extends { id: string }> {
  /** `registration token` */
  word: string;
  /** Of its ids: `rtk_`. */
  prefix: string;
  /** Names that no two of them share: a code, a username. */
  codeOf: (row: Row) => string | null;
  /** A name that several may have. */
  nameOf?: (row: Row) => string | null;
  /** In which form codes are compared; as they are when absent. */
  fold?: (text: string) => string;
  /** What a list of candidates says besides the id; the code when absent. */
  describe?: (row: Row) => string;
  list: (
    client: Client,
    query: { page: number; pageSize: number; q?: string },
  ) => Promise<{ data: readonly Row[]; pagination: Pagination }>;
  /** Of several with one name, those that are meant unless all of them are over. */
  isLive?: (row: Row) => boolean;
  /** The list can look for text in code and name: then not everything is fetched. */
  searches?: true;
}

const ulidLength = 26;
const maxCandidates = 10;

/** Throws a not-found error with the nearest name, or one with the candidates. */
export async function resolveId<Row extends { id: string }>(
  noun: Noun<Row>,
  client: Client,
  text: string,
): Promise<string> {
  if (isWholeId(noun.prefix, text)) return text;
  const matches = await matchesOf(noun, client, text);
  if (matches.length === 1 && matches[0]) return matches[0].id;
  if (matches.length > 1) throw ambiguous(noun, text, matches);
  throw notFound(noun.word, text, nearest(text, await namesOf(noun, client)));
}

/** All that the text can mean; none when it is nothing. */
export async function matchesOf<Row extends { id: string }>(
  noun: Noun<Row>,
  client: Client,
  text: string,
): Promise<Row[]> {
  const byId = text.startsWith(noun.prefix);
  const known = await everything(noun, client, byId || text === "" ? null : text);
  return matchesAmong(noun, text, byId, known);
}

/** What all of them are called. */
export async function namesOf<Row extends { id: string }>(
  noun: Noun<Row>,
  client: Client,
): Promise<string[]> {
  const all = await everything(noun, client, null);
  return all.flatMap((row) => noun.codeOf(row) ?? noun.nameOf?.(row) ?? []);
}

/** Whether it has the form of an id, so that it need not be looked for. */
export function isWholeId(prefix: string, text: string): boolean {
  return text.startsWith(prefix) && text.length === prefix.length + ulidLength;
}

/** A code beats the beginning of an id, which beats a name. */
function matchesAmong<Row extends { id: string }>(
  { codeOf, nameOf, isLive, fold = (text) => text }: Noun<Row>,
  text: string,
  byId: boolean,
  known: Row[],
): Row[] {
  const exact = known.filter((row) => {
    const code = codeOf(row);
    return code !== null && fold(code) === fold(text);
  });
  if (exact.length > 0) return exact;
  const begun = byId ? known.filter(({ id }) => id.startsWith(text)) : [];
  if (begun.length > 0) return begun;
  const named = known.filter((row) => nameOf?.(row) === text);
  const live = isLive ? named.filter(isLive) : [];
  return live.length > 0 ? live : named;
}

async function everything<Row extends { id: string }>(
  noun: Noun<Row>,
  client: Client,
  q: string | null,
): Promise<Row[]> {
  const search = noun.searches && q !== null ? { q } : {};
  const rows: Row[] = [];
  for await (const some of allPages((page) => noun.list(client, { ...page, ...search }))) {
    rows.push(...some);
  }
  return rows;
}

/** Answers the error that lists what the text could mean. */
export function ambiguous<Row extends { id: string }>(
  { word, codeOf, describe }: Pick<Noun<Row>, "word" | "codeOf" | "describe">,
  text: string,
  matches: readonly Row[],
): CliError {
  const shown = matches.slice(0, maxCandidates);
  const more = matches.length > shown.length ? `\n  and ${matches.length - shown.length} more` : "";
  const list = shown.map((row) => `\n  ${row.id}  ${describe?.(row) ?? codeOf(row) ?? ""}`);
  return new CliError(exit.conflict, `${text} is more than one ${word}:${list.join("")}${more}`, {
    code: "AMBIGUOUS",
  });
}

/** Answers the error that says so, with a name that may have been meant, or other help. */
export function notFound(word: string, text: string, suggestion: string | null): CliError {
  const hint = suggestion === null ? "" : ` Did you mean ${suggestion}?`;
  return new CliError(exit.notFound, `there is no ${word} ${text}.${hint}`, {
    code: `${word.toUpperCase().replaceAll(" ", "_")}_NOT_FOUND`,
  });
}
