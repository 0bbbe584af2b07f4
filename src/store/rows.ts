import { filled, placeholders } from "./blocks.ts";
import type { Reader, RowsStatement, SqlValue, Tx } from "./database.ts";
import { type Filters, type Listed, limitOf, orderOf, type Page, type Sorts } from "./filters.ts";

export async function idsOf(db: Reader, sql: string, ...params: SqlValue[]): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql, ...params);
  return rows.map(({ id }) => id);
}

/** Returns a function that finds one item by its key, or returns null. `sql` has one parameter. */
export function finder<Item, Row = Item>(
  sql: string,
  toItem: (row: Row) => Item = (row) => row as unknown as Item,
) {
  return async (db: Reader, key: string): Promise<Item | null> => {
    const row = await db.get<Row>(sql, key);
    return row ? toItem(row) : null;
  };
}

/** A statement has one of these numbers of keys, so that there are few different statements. */
const listSizes = [1, 8, 16, 32, 64];
const longestList = 64;

interface KeyedRow {
  key: string;
}

/**
 * Finds the items for many keys. The statement returns the key of each row as "key", in addition to
 * `Row`. `sqlFor` gets the placeholders of an IN list, and puts other parameters before this list.
 */
export function listFinder<Item, Row extends object>(
  sqlFor: (places: string) => string,
  toItem: (row: Row) => Item,
) {
  const texts = listSizes.map((size) => sqlFor(placeholders(size)));
  const rowsOf = (db: Reader, keys: readonly string[], params: readonly SqlValue[]) => {
    const at = listSizes.findIndex((size) => size >= keys.length);
    return db.all<KeyedRow>(texts[at] ?? "", ...params, ...filled(keys, listSizes[at] ?? 0));
  };
  return async (
    db: Reader,
    keys: readonly string[],
    ...params: SqlValue[]
  ): Promise<Map<string, Item>> => {
    const lists: Promise<KeyedRow[]>[] = [];
    for (let from = 0; from < keys.length; from += longestList) {
      lists.push(rowsOf(db, keys.slice(from, from + longestList), params));
    }
    const rows = (await Promise.all(lists)).flat();
    return new Map(rows.map(({ key, ...row }) => [key, toItem(row as Row)]));
  };
}

/** The query's parameters are `before` (Unix milliseconds) and the maximum number of rows. */
export function idsBefore(sql: string) {
  return (db: Reader, before: number, limit: number) => idsOf(db, sql, before, limit);
}

/** `source` is a table, or the text after FROM. */
export async function countOf(db: Reader, source: string, filters: Filters): Promise<number> {
  const row = await db.get<{ total: number }>(
    `SELECT COUNT(*) AS "total" FROM ${source} ${filters.where}`,
    ...filters.params,
  );
  return row?.total ?? 0;
}

/**
 * `id` is the name of the key column. The page's keys are found first, so that SQLite computes the
 * other columns only for the rows of the page. `filtered` is the part of `source` that the filters
 * and `sorts` need. The rows are not counted if the page itself shows that it is the last one.
 */
export async function pageOf<Row, Item>(
  db: Reader,
  [columns, source, id, filtered = source]: readonly [
    columns: string,
    source: string,
    id: string,
    filtered?: string,
  ],
  filters: Filters,
  page: Page,
  toItem: (row: Row) => Item,
  sorts: Sorts = {},
): Promise<Listed<Item>> {
  const [order, ...orderParams] = orderOf(page, sorts, id);
  const rows = await db.all<Row>(
    `SELECT ${columns} FROM ${source} WHERE ${id} IN
       (SELECT ${id} FROM ${filtered} ${filters.where} ORDER BY ${order} LIMIT ? OFFSET ?)
     ORDER BY ${order}`,
    ...filters.params,
    ...orderParams,
    ...limitOf(page),
    ...orderParams,
  );
  const items = rows.map(toItem);
  const before = (page.page - 1) * page.pageSize;
  const isLast = items.length < page.pageSize && (items.length > 0 || before === 0);
  return { items, total: isLast ? before + items.length : await countOf(db, filtered, filters) };
}

type Words<T extends string> = T extends `${infer A} ${infer B}` ? A | Words<B> : T;
type CamelCase<T extends string> = T extends `${infer A}_${infer B}`
  ? `${A}${Capitalize<CamelCase<B>>}`
  : T;
/** Maps the columns' names to camel case. */
type RowOf<Columns extends string> = { [Name in CamelCase<Words<Columns>>]: SqlValue };

/**
 * Prepares an INSERT. Each text in `columns` has names that are separated by spaces. `rest` is the
 * SQL after the values. Other properties of a row are ignored.
 */
export function inserter<Columns extends string>(
  table: string,
  columns: readonly Columns[],
  rest = "",
) {
  const { names, valuesOf } = split(columns);
  const places = placeholders(names.length);
  const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places}) ${rest}`;
  return (tx: Tx, row: RowOf<Columns>) => tx.run(sql, ...valuesOf(row));
}

/** Prepares an INSERT of many rows, with columns as in `inserter`. */
export function rowsInserter<Columns extends string>(table: string, columns: readonly Columns[]) {
  const { names, valuesOf } = split(columns);
  const list = names.join(", ");
  const statement: RowsStatement = {
    columns: names,
    one: `INSERT INTO ${table} (${list}) VALUES (${placeholders(names.length)})`,
    // The table's row type gives each value its type.
    all: `INSERT INTO ${table} (${list})
      SELECT ${list} FROM json_populate_recordset(NULL::${table}, ?)`,
  };
  return (tx: Tx, rows: readonly RowOf<Columns>[]) => tx.runAll(statement, rows.map(valuesOf));
}

/** The SQL of an UPDATE. `each` returns the SQL for a value of the row. */
interface RowsUpdate<Name extends string> {
  set: (each: (name: Name) => string) => string;
  where: (each: (name: Name) => string) => string;
}

/** Prepares an UPDATE of many rows. `types` has the names and types of their values. */
export function rowsUpdater<Name extends string>(
  table: string,
  types: Record<Name, "text" | "bigint">,
  { set, where }: RowsUpdate<Name>,
) {
  const columns: Name[] = [];
  const mark = (name: Name) => {
    columns.push(name);
    return "?";
  };
  const field = (name: Name) => `each_row.${name}`;
  const fields = Object.entries(types).map(([name, type]) => `${name} ${type}`);
  const statement: RowsStatement = {
    columns,
    one: `UPDATE ${table} SET ${set(mark)} WHERE ${where(mark)}`,
    all: `UPDATE ${table} SET ${set(field)}
      FROM json_to_recordset(?) AS each_row (${fields.join(", ")}) WHERE ${where(field)}`,
  };
  return (tx: Tx, rows: readonly Record<Name, SqlValue>[]) =>
    tx.runAll(
      statement,
      rows.map((row) => columns.map((name) => row[name])),
    );
}

/** Prepares an UPDATE by id, with columns as in `inserter`. */
export function updater<Columns extends string>(table: string, columns: readonly Columns[]) {
  const { names, valuesOf } = split(columns);
  const settings = names.map((name) => `${name} = ?`).join(", ");
  const sql = `UPDATE ${table} SET ${settings} WHERE id = ?`;
  return (tx: Tx, row: RowOf<Columns | "id">) => tx.run(sql, ...valuesOf(row), row.id);
}

/** Prepares a DELETE by id, which returns whether the row existed. */
export function deleter(table: string) {
  const sql = `DELETE FROM ${table} WHERE id = ?`;
  return async (tx: Tx, id: string): Promise<boolean> => (await tx.run(sql, id)) === 1;
}

/**
 * Prepares the writes of objects that files can declare, with columns as in `inserter`. An update
 * keeps the columns in `fixed`.
 */
export function declaredRows<Columns extends string, Fixed extends string, Item>(
  table: string,
  columns: readonly Columns[],
  fixed: Fixed,
  toRow: (item: Item) => RowOf<Columns | Fixed>,
) {
  const insert = inserter<string>(table, [...columns, fixed]);
  const update = updater<string>(table, columns);
  const setFile = updater(table, ["declared_file"]);
  return {
    insert: (tx: Tx, item: Item) => insert(tx, toRow(item)),
    /** The caller has checked the version in `tx`. */
    update: (tx: Tx, item: Item) => update(tx, toRow(item)),
    /** Records which file now declares the object, and changes nothing else. */
    setFile: (tx: Tx, id: string, file: string | null) => setFile(tx, { id, declaredFile: file }),
    delete: deleter(table),
  };
}

function split(columns: readonly string[]) {
  const names = columns.join(" ").split(" ");
  const keys = names.map((name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()));
  const valuesOf = (row: object) => keys.map((key) => row[key as keyof typeof row] as SqlValue);
  return { names, valuesOf };
}
