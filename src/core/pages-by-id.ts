// Reads a list of any length in the order of its ids, so that each statement reads only a part.

/**
 * Yields at least one page. The last page has fewer rows than `limit`, or none. `read` returns at
 * most `limit` rows, with the next ids after `after`.
 */
export async function* pagesById<Row>(
  limit: number,
  read: (page: { after: string; limit: number }) => Promise<Row[]>,
  idOf: (row: Row) => string,
): AsyncGenerator<Row[], void> {
  for (let after = ""; ; ) {
    const rows = await read({ after, limit });
    yield rows;
    const last = rows[limit - 1];
    if (last === undefined) return;
    after = idOf(last);
  }
}
