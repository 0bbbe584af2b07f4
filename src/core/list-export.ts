// Streams all pages of a list as CSV, through the list's own handler.

import { setImmediate as nextTurn } from "node:timers/promises";
import { pageSize as pageSizes } from "../domain/limits.ts";
import { readCursor } from "../domain/list-cursor.ts";
import { csvColumnsOf } from "../domain/route-facts.ts";
import { csvCell, csvRecord, csvRow, csvType } from "../lib/csv.ts";
import { isoTime } from "../lib/iso-time.ts";
import type { PageBounds } from "./bounded-pages.ts";
import type { Ctx } from "./context.ts";
import type { Download } from "./download.ts";

interface ListPage {
  items: readonly object[];
  total: number;
  further?: PageBounds;
}

interface ListInput {
  params: unknown;
  query: object;
}

export type ListHandler = (ctx: Ctx, input: ListInput) => ListPage | Promise<ListPage>;

type ListStart = { page: number; before?: ReturnType<typeof readCursor> };
type Rows = readonly object[];
type IsNew = (row: object) => boolean;
type ReadPage = (place: ListStart) => Promise<ListPage>;

const pageSize = pageSizes.max;
/**
 * How many exported rows are remembered, to recognize those that move to a later page meanwhile.
 */
const rowsRemembered = 10_000;

export function exportHandler(list: string, listRows: ListHandler) {
  const columns = csvColumnsOf(list);
  return async (ctx: Ctx, input: ListInput): Promise<Download> => {
    const read: ReadPage = async (place) =>
      listRows(ctx, { ...input, query: { ...input.query, ...place, pageSize, uncounted: true } });
    // Read before the response begins, so that the call can still fail with an error.
    const first = await read({ page: 1 });
    const [noun, word] = list.split(".");
    const name = word === "list" ? noun : `${noun}-${word}`;
    return {
      contentType: csvType,
      fileName: `${name}-${isoTime(ctx.core.now()).slice(0, 10)}.csv`,
      chunks: write(
        ctx,
        columns,
        first.further ? longPages(first, read) : pages(first, read, newRows(columns)),
      ),
    };
  };
}

/** Ends when the caller has left. */
async function* write({ caller }: Ctx, columns: readonly string[], pages: AsyncIterable<Rows>) {
  yield csvRecord(columns);
  for await (const rows of pages) {
    if (rows.length > 0) yield rows.map((row) => csvRow(columns, row)).join("");
    await nextTurn();
    if (caller.gone) return;
  }
}

/** Each page begins after the last row of the previous one. */
async function* longPages(first: ListPage, read: ReadPage): AsyncGenerator<Rows, void> {
  let page = first;
  yield page.items;
  while (page.further?.next !== undefined) {
    page = await read({ page: 1, before: readCursor(page.further.next) });
    yield page.items;
  }
}

/**
 * If rows were added, others have moved to the next page, where they are skipped. If rows have left
 * the list, others have moved to pages that were already read, so these pages are read again.
 */
async function* pages(first: ListPage, read: ReadPage, isNew: IsNew): AsyncGenerator<Rows, void> {
  yield first.items.filter(isNew);
  let { total } = first;
  for (let page = 2; (page - 1) * pageSize < total; page++) {
    let found = await read({ page });
    while (found.total < total && page > 1) {
      page = Math.max(1, page - Math.ceil((total - found.total) / pageSize));
      total = found.total;
      found = await read({ page });
    }
    total = found.total;
    yield found.items.filter(isNew);
  }
}

/**
 * Returns a function that reports whether a row was not exported recently. The first column
 * identifies a row.
 */
function newRows(columns: readonly string[]): IsNew {
  const [key = ""] = columns;
  const seen = new Set<unknown>();
  return (row) => {
    const value = csvCell(row, key);
    if (seen.has(value)) return false;
    seen.add(value);
    if (seen.size > rowsRemembered) seen.delete(seen.values().next().value);
    return true;
  };
}
