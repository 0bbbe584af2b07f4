// Runs the commands that all nouns share: list and get. (Acts are in acts.ts.)

import type { Noun } from "../../api/contract/noun.ts";
import type { Client } from "../../client/client.ts";
import { declaredNouns } from "../../domain/declarations.ts";
import type { ViewedList } from "../../domain/saved-views.ts";
import type { CommandFunction, Invocation } from "../command.ts";
import { callNamed, resolve } from "../names/resolve.ts";
import { type Page, type PageQuery, printPages } from "../output/listing.ts";
import {
  isForPeople,
  type ListView,
  type OutputOptions,
  printOne,
  printsWhole,
  type View,
} from "../output/output.ts";
import { printableLine } from "../output/printable.ts";
import type { Io } from "../terminal/io.ts";
import { filtersOf } from "./filters.ts";
import { callOn, listPage, lookAt, type Row } from "./rows.ts";
import type { Viewed } from "./saved-view.ts";
import { sortOf } from "./sort.ts";
import { listViewOf, viewOf } from "./view.ts";

/**
 * Loads the function that prints one row. By default, `printOne` prints it in the noun's columns.
 */
export type LoadPrint = () => Promise<(io: Io, options: OutputOptions, row: never) => void>;

export function listRows(noun: Noun): CommandFunction {
  return async (invocation) => {
    const { io, options } = invocation;
    const order = options.sort === undefined ? {} : sortOf(noun, options.sort);
    const api = await invocation.client();
    const asked = { ...order, ...(await filtersOf(io, api, noun, options)) };
    const columns = listViewOf(noun);
    const shown = await viewed(invocation, api, noun.noun, columns, asked);
    const { sort, ...filters } = { ...sortOf(noun), ...shown.query };
    let total = 0;
    await printPages({ io, options: shown.options }, columns, filters, async (page) => {
      const sorted = sort === undefined ? {} : { sort };
      const found = await listPage(api, noun, { ...page, ...sorted, ...filters });
      ({ total } = found.pagination);
      return found;
    });
    const { selector } = shown.query;
    if (total > 0 || typeof selector !== "string" || !isForPeople(options)) return;
    const { suggestSelector } = await import("../names/similar-selector.ts");
    const suggestion = await suggestSelector(api, noun, selector).catch(() => null);
    if (suggestion !== null) io.note(`Did you mean ${printableLine(suggestion)}?\n`);
  };
}

/** Prints a list of one item, such as the runs of a schedule. Returns the item's id. */
export async function printPart<Part>(
  invocation: Invocation,
  noun: Noun,
  word: string,
  view: ListView<Part>,
  filters: Record<string, unknown>,
  keyOf: (part: Part) => string,
): Promise<string> {
  const api = await invocation.client();
  const id = await resolve(api, noun, invocation.args[0] ?? "");
  // The client has a separate type for each list.
  const route = `${noun.noun}.${word}` as "schedules.runs";
  const params = { [noun.param]: id } as unknown as { scheduleId: string };
  const fetch = (page: PageQuery) => {
    const query = { ...page, ...filters } as object;
    return api.page(route, { params, query }) as unknown as Promise<Page<Part>>;
  };
  await printPages(invocation, view, filters, fetch, keyOf);
  return id;
}

/** Adds to `asked` the parameters of the view in `--view`. */
export async function viewed(
  invocation: Pick<Invocation, "io" | "options">,
  client: Client,
  list: string,
  columns: View<never>,
  asked: Record<string, unknown>,
): Promise<Viewed> {
  const { options } = invocation;
  if (options.view === undefined) return { query: asked, options };
  const { withView } = await import("./saved-view.ts");
  return withView(invocation, client, list as ViewedList, columns, asked);
}

export function getRow(noun: Noun, print?: LoadPrint): CommandFunction {
  return async (invocation) => {
    const { args, client, options } = invocation;
    const api = await client();
    const get = (id: string) =>
      printsWhole(options) ? callOn(api, noun, "get", id) : lookAt(api, noun, id);
    const row = await callNamed(api, noun, args[0] ?? "", get);
    await show(noun, invocation, asDeclaration(noun, invocation, row), print);
  };
}

/** In YAML, a row that can be declared begins with its kind, so that `apply` accepts it. */
function asDeclaration({ noun }: Noun, { options }: Invocation, row: Row): Row {
  const kind = options.output === "yaml" ? declaredNouns[noun] : undefined;
  return kind === undefined ? row : { ...{ kind }, ...row };
}

export async function show(
  noun: Noun,
  { io, options }: Invocation,
  row: Row,
  print?: LoadPrint,
): Promise<void> {
  if (print) (await print())(io, options, row as never);
  else printOne(io, options, row, viewOf(noun));
}
