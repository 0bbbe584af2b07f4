// Common query results: ids and counts.

import type { Reader, SqlValue } from "./database.ts";
import type { Filters } from "./filters.ts";

/** The column `id` of each row. */
export async function idsOf(db: Reader, sql: string, ...params: SqlValue[]): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql, ...params);
  return rows.map(({ id }) => id);
}

/** The query has two parameters: `before` (Unix milliseconds), and the maximum number of rows. */
export function idsBefore(sql: string) {
  return (db: Reader, before: number, limit: number) => idsOf(db, sql, before, limit);
}

/** Counts the rows of `source` (a table, or the text after FROM) that match the filters. */
export async function countOf(db: Reader, source: string, filters: Filters): Promise<number> {
  const row = await db.get<{ total: number }>(
    `SELECT COUNT(*) AS "total" FROM ${source} ${filters.where}`,
    ...filters.params,
  );
  return row?.total ?? 0;
}
