// Builds the filters and reads the rows of the lists that bounded-search.ts searches.

import type { Condition, Cursor, Extent } from "./bounded-search.ts";
import type { Reader, SqlValue } from "./database.ts";
import type { Page } from "./filters.ts";

export interface BoundedPage extends Page {
  /** Times are in Unix milliseconds: `from` is inclusive, `to` is exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  before?: Cursor | undefined;
  /** Whether the total is not needed. */
  uncounted?: true | undefined;
}

export interface BoundedList<T> extends Extent {
  items: T[];
}

/** Conditions must be constants in src/store, never user input. */
export class Conditions {
  readonly all: Condition[] = [];

  /** Does nothing if `value` is undefined. */
  add(sql: string, value: SqlValue | undefined, isIndexed = true): this {
    if (value !== undefined) this.all.push({ sql, params: [value], isIndexed });
    return this;
  }

  /** With several values, an index does not return rows in the order of the key. */
  oneOf(column: string, values: readonly string[] | undefined): this {
    if (values === undefined) return this;
    if (values.length === 1) return this.add(`${column} = ?`, values[0]);
    return this.always(`${column} IN (${values.map(() => "?").join(", ")})`, [...values], false);
  }

  always(sql: string, params: SqlValue[], isIndexed: boolean): this {
    this.all.push({ sql, params, isIndexed });
    return this;
  }
}

/** Returns the rows in the order of `keys`. `sqlFor` gets the placeholders of an IN list. */
export async function rowsOf<Key extends SqlValue, Row>(
  db: Reader,
  keys: readonly Key[],
  keyOf: (row: Row) => Key,
  sqlFor: (places: string) => string,
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const rows = await db.all<Row>(sqlFor(keys.map(() => "?").join(", ")), ...keys);
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}
