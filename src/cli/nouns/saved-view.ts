// `--view`: shows a list with the filters, the order and the columns of a saved view.

import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { factsOf } from "../../domain/route-facts.ts";
import type { SavedView, ViewedList } from "../../domain/saved-views.ts";
import { nearest } from "../../lib/nearest.ts";
import { shellWord } from "../../lib/shell-word.ts";
import type { Invocation } from "../command.ts";
import { CliError, usageError } from "../exit.ts";
import { ambiguous, matchesAmong, notFound } from "../names/search.ts";
import { allRows } from "../output/listing.ts";
import { pastMoment } from "../output/moments.ts";
import type { View } from "../output/output.ts";
import { listPage, type Row } from "./rows.ts";

type Query = Record<string, unknown>;

export interface Viewed {
  /** The parameters of the list: `asked`, and those of the view that are not in `asked`. */
  query: Query;
  options: Invocation["options"];
}

/** `asked` is what the flags say. Throws an error if there is no such view of this list. */
export async function withView(
  { io, options }: Pick<Invocation, "io" | "options">,
  client: Client,
  list: ViewedList,
  { columns }: Pick<View<never>, "columns">,
  asked: Query,
): Promise<Viewed> {
  const view = await findView(client, list, String(options.view));
  const { columns: wanted = "", ...parameters } = view.query;
  const { query: facts = {} } = factsOf(`${list}.list`);
  const query: Query = {};
  for (const [name, value] of Object.entries(parameters)) {
    const isTime = facts[name]?.kind === "time";
    query[name] = isTime ? pastMoment(`${name} in the view`, value, io.now()) : value;
  }
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  // Columns can have been removed since the view was saved, and a CSV has all columns.
  const known = wanted.split(",").filter((name) => columns.some((column) => column.name === name));
  const hasColumns = known.length > 0 && options.output !== "csv";
  return {
    query: { ...query, ...Object.fromEntries(given) },
    options: { ...(hasColumns ? { columns: known.join(",") } : {}), ...options },
  };
}

async function findView(client: Client, list: ViewedList, text: string) {
  const noun = nouns["saved-views"];
  const all = await allRows((page) => listPage(client, noun, page));
  const isOfList = (view: Row) => view.noun === list;
  const matches = matchesAmong(noun, text, all);
  const ofList = matches.filter(isOfList);
  // Others can share a view with the same name at any time.
  const own = ofList.filter(({ shared, name }) => shared === false && name === text);
  const [view, ...others] = own.length > 0 ? own : ofList;
  if (view && others.length > 0) throw ambiguous(noun, text, [view, ...others]);
  if (view) return view as unknown as SavedView;
  const [other] = matches;
  if (other) {
    const listed = `${groupOf(other.noun as ViewedList)} list --view ${shellWord(text)}`;
    throw usageError(`the view ${text} is for ${other.noun}, not for ${list}; use \`${listed}\`.`);
  }
  const names = all.filter(isOfList).map(({ name }) => String(name));
  const { status, code, message } = notFound(noun.one, text, nearest(text, names));
  const hint = `\`views list --list ${list}\` shows the views of this list.`;
  throw new CliError(status, `${message} ${hint}`, { code });
}

function groupOf(list: ViewedList): string {
  return list === "audit-events" ? "audit" : nouns[list satisfies NounName].group;
}
