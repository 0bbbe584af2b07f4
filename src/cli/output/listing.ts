// Prints one page of a list, or with `--all` every page.

import type { Pagination } from "../../api/contract/route.ts";
import { pageSize } from "../../domain/limits.ts";
import { wholeList } from "../../lib/whole-list.ts";
import type { Invocation } from "../command.ts";
import { type ListView, printList } from "./output.ts";

export interface PageQuery {
  page: number;
  pageSize: number;
  before?: string;
}

export interface Page<Row> {
  data: readonly Row[];
  pagination: Pagination;
}

type FetchPage<Row> = (page: PageQuery) => Promise<Page<Row>>;

/** Distinguishes the rows of a list. Most have an id. */
type KeyOf<Row> = (row: Row) => string;

function idOf(row: unknown): string {
  return (row as { id: string }).id;
}

export async function printPages<Row>(
  { io, options }: Pick<Invocation, "io" | "options">,
  view: ListView<Row>,
  filters: Record<string, unknown>,
  fetch: FetchPage<Row>,
  keyOf: KeyOf<Row> = idOf,
): Promise<void> {
  const output = options;
  if (options.all !== true) {
    const { data, pagination } = await fetch(pageOf(options));
    printList(io, output, data, view, { pagination, filters, offersAll: true });
    return;
  }
  const { before } = pageOf(options);
  if (["jsonl", "name", "csv"].includes(output.output ?? "")) {
    let headers = options.headers ?? true;
    for await (const rows of allPages(fetch, keyOf, before)) {
      printWhole({ io, options: { ...options, headers } }, rows, view);
      headers = false;
    }
    return;
  }
  printWhole({ io, options }, await allRows(fetch, keyOf, before), view, filters);
}

/** Converts `--limit`, `--page` and `--before` to the API's names. */
export function pageOf(options: Record<string, unknown>): PageQuery {
  const { page, limit, before } = options as { page: number; limit: number; before?: string };
  return { page, pageSize: limit, ...(before === undefined ? {} : { before }) };
}

/** Prints a list without pages. */
export function printWhole<Row>(
  { io, options }: Pick<Invocation, "io" | "options">,
  rows: readonly Row[],
  view: ListView<Row>,
  filters: Record<string, unknown> = {},
): void {
  const { length } = rows;
  const pagination = { page: 1, pageSize: Math.max(1, length), total: length };
  printList(io, options, rows, view, { pagination, filters });
}

/** A list whose responses say where the next page starts is read without page numbers. */
export async function* allPages<Row>(fetch: FetchPage<Row>, keyOf: KeyOf<Row>, before?: string) {
  let query = pageOf({ page: 1, limit: pageSize.max, before });
  let first = await fetch(query);
  while (first.pagination.next !== undefined) {
    yield first.data;
    query = { ...query, before: first.pagination.next };
    first = await fetch(query);
  }
  const numbered = ({ data, pagination }: Page<Row>) => ({ rows: data, total: pagination.total });
  const read = async (place: PageQuery) => numbered(await fetch({ ...query, ...place }));
  yield* wholeList(numbered(first), pageSize.max, read, keyOf);
}

export async function allRows<Row>(
  fetch: FetchPage<Row>,
  keyOf: KeyOf<Row> = idOf,
  before?: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const some of allPages(fetch, keyOf, before)) rows.push(...some);
  return rows;
}

/**
 * If the response says where the next page starts, there is a next page, even if this one is short.
 */
export function pageAfter(query: PageQuery, { next, total }: Pagination): PageQuery | null {
  const { page, pageSize } = query;
  if (next !== undefined) return { page: 1, pageSize, before: next };
  return page * pageSize >= total ? null : { ...query, page: page + 1 };
}
