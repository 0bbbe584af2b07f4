// What a group writes together instead of once for each work: rows that are appended, and amounts
// that are added. (docs/decisions/0022-postgresql-writes.md)

import type { Increment, RowInsert, SqlValue } from "../../database.ts";
import type { BoundStatement } from "./session.ts";
import { toValue } from "./values.ts";

interface Sum {
  to: Increment;
  amount: number;
  key: SqlValue[];
}

export class LaterWrites {
  readonly #rows = new Map<RowInsert, (readonly SqlValue[])[]>();
  readonly #sums = new Map<string, Sum>();
  readonly #tables = new Set<string>();

  append(row: RowInsert, values: readonly SqlValue[]): void {
    this.#tables.add(row.table);
    const rows = this.#rows.get(row);
    if (rows) rows.push(values);
    else this.#rows.set(row, [values]);
  }

  add(to: Increment, amount: number, key: SqlValue[]): void {
    this.#tables.add(to.table);
    const id = JSON.stringify([to.sql, ...key]);
    const sum = this.#sums.get(id);
    if (sum) sum.amount += amount;
    else this.#sums.set(id, { to, amount, key });
  }

  /** Whether these must be written before the statement, which may depend on them. */
  mustPrecede(sql: string): boolean {
    if (this.#tables.size === 0) return false;
    const words = wordsOf(sql);
    // A deletion also deletes rows of tables that it does not name.
    if (words.has("DELETE")) return true;
    for (const table of this.#tables) if (words.has(table)) return true;
    return false;
  }

  /** Returns the statements that write everything, and forgets it. */
  take(): BoundStatement[] {
    const statements = [
      ...[...this.#rows].map(([row, rows]) => insertOf(row, rows)),
      ...[...this.#sums.values()].map(
        ({ to, amount, key }): BoundStatement => [to.sql, amount, ...key],
      ),
    ];
    this.clear();
    return statements;
  }

  clear(): void {
    this.#rows.clear();
    this.#sums.clear();
    this.#tables.clear();
  }
}

/** Many rows are one parameter, so that their number does not change the statement. */
function insertOf(row: RowInsert, rows: (readonly SqlValue[])[]): BoundStatement {
  const [first] = rows;
  if (rows.length === 1 && first) return [row.sql, ...first];
  const { columns } = row;
  const objects = rows.map((values) =>
    Object.fromEntries(columns.map((name, at) => [name, toValue(values[at] ?? null)])),
  );
  return [insertAllOf(row), JSON.stringify(objects)];
}

const insertsOfAll = new WeakMap<RowInsert, string>();

/** The table's row type gives each value its type. */
function insertAllOf(row: RowInsert): string {
  const known = insertsOfAll.get(row);
  if (known !== undefined) return known;
  const names = row.columns.join(", ");
  const sql = `INSERT INTO ${row.table} (${names})
    SELECT ${names} FROM json_populate_recordset(NULL::${row.table}, ?)`;
  insertsOfAll.set(row, sql);
  return sql;
}

/** Some statements depend on the caller's filters, so the number of texts has no natural limit. */
const mostTexts = 2048;
const wordsOfTexts = new Map<string, ReadonlySet<string>>();

function wordsOf(sql: string): ReadonlySet<string> {
  const known = wordsOfTexts.get(sql);
  if (known !== undefined) return known;
  const words = new Set(sql.match(/\w+/g));
  if (wordsOfTexts.size >= mostTexts) wordsOfTexts.clear();
  wordsOfTexts.set(sql, words);
  return words;
}
