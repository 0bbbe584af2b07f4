// Reads a whole list by page numbers while rows are added and removed, and misses no row that stays
// in it, unless the order of these rows changes.

export interface PageNumber {
  page: number;
  pageSize: number;
}

export interface NumberedPage<Row> {
  rows: readonly Row[];
  total: number;
}

/** The number of rows that are remembered, to recognize those that move to a later page. */
const rowsRemembered = 10_000;

/** Gives up after this many pages without a new row. */
const mostFruitless = 20;

/**
 * Returns new rows only. `first` is page 1 with `largest` rows. Each further page must begin with a
 * row that was already read. If it does not, because rows before it have left the list, an earlier
 * page is read instead.
 */
export async function* wholeList<Row>(
  first: NumberedPage<Row>,
  largest: number,
  read: (place: PageNumber) => Promise<NumberedPage<Row>>,
  keyOf: (row: Row) => unknown,
): AsyncGenerator<Row[], void> {
  const seen = new Set<unknown>();
  const isNew = (row: Row) => !seen.has(keyOf(row));
  let fruitless = 0;
  let place: PageNumber = { page: 1, pageSize: largest };
  let found = first;
  for (;;) {
    const rows = found.rows.filter(isNew);
    for (const row of rows) {
      seen.add(keyOf(row));
      if (seen.size > rowsRemembered) seen.delete(seen.values().next().value);
    }
    yield rows;
    fruitless = rows.length > 0 ? 0 : fruitless + 1;
    if (fruitless > mostFruitless) throw new Error("the list changes faster than it can be read");
    const end = place.page * place.pageSize;
    if (end >= found.total) return;
    place = pageFrom(end - 1, largest);
    found = await read(place);
    while (place.page > 1 && found.rows.slice(0, 1).every(isNew)) {
      place = pageFrom(Math.max(0, startOf(place) - largest / 2), largest);
      found = await read(place);
    }
  }
}

function startOf({ page, pageSize }: PageNumber): number {
  return (page - 1) * pageSize;
}

/**
 * Of the pages that contain the row with this index, returns one that ends as late as possible. A
 * smaller page can end later: after rows 0 to 199, page 2 with 199 rows begins with row 199.
 */
function pageFrom(index: number, largest: number): PageNumber {
  let best: PageNumber = { page: 1, pageSize: 1 };
  for (let pageSize = largest; pageSize > largest / 2; pageSize--) {
    const page = Math.floor(index / pageSize) + 1;
    if (page * pageSize > best.page * best.pageSize) best = { page, pageSize };
  }
  return best;
}
