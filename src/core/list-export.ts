// Streams all pages of a list as CSV, through the list's own handler.

import { setImmediate as nextTurn } from "node:timers/promises";
import { pageSize as pageSizes } from "../domain/limits.ts";
import { readCursor } from "../domain/list-cursor.ts";
import { csvColumnsOf } from "../domain/route-facts.ts";
import { csvCell, csvRecord, csvRow, csvType } from "../lib/csv.ts";
import { isoTime } from "../lib/iso-time.ts";
import { type PageNumber, wholeList } from "../lib/whole-list.ts";
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

type ListStart = { page: number; pageSize?: number; before?: ReturnType<typeof readCursor> };
type Rows = readonly object[];
type ReadPage = (place: ListStart) => Promise<ListPage>;

const pageSize = pageSizes.max;

export function exportHandler(list: string, listRows: ListHandler) {
  const columns = csvColumnsOf(list);
  return async (ctx: Ctx, input: ListInput): Promise<Download> => {
    const read: ReadPage = async (place) =>
      listRows(ctx, { ...input, query: { ...input.query, pageSize, uncounted: true, ...place } });
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
        first.further ? longPages(first, read) : shortPages(first, read, columns),
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

/** The first column identifies a row. */
function shortPages(first: ListPage, read: ReadPage, [key = ""]: readonly string[]) {
  const numbered = ({ items, total }: ListPage) => ({ rows: items, total });
  const readNumbered = async (place: PageNumber) => numbered(await read(place));
  return wholeList(numbered(first), pageSize, readNumbered, (row) => csvCell(row, key));
}
