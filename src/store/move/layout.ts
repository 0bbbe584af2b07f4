// Finds out which tables and columns a move copies, from the schema of the database itself.

import type { Reader } from "../database.ts";

export interface TableLayout {
  name: string;
  columns: ColumnLayout[];
  /** The columns of the primary key, in its order. */
  key: string[];
}

interface ColumnLayout {
  name: string;
  isNumber: boolean;
}

/** The tables that are not moved, with the reasons. */
export const notMoved: Readonly<Record<string, string>> = {
  schema_migrations: "each engine has its own migrations, and the target has applied them",
  write_groups: "it belongs to processes that have ended, and SQLite has no such table",
  nodes: "no server runs during a move, and each server writes its own row",
  login_failures: "none counts for longer than 15 minutes",
  one_time_secrets:
    "no secret may be written to the disk of an SQLite database; they expire after 5 minutes",
};

interface Reference {
  table: string;
  /** The table whose rows must be inserted first. */
  needs: string;
}

/** Returns the tables of an SQLite database, each after the tables that it refers to. */
export async function sqliteLayout(db: Reader): Promise<TableLayout[]> {
  const columns = await db.all<ColumnRow>(
    `SELECT t.name AS "table", c.name AS "name", c.type = 'INTEGER' AS "isNumber", c.pk AS "key"
     FROM sqlite_schema t, pragma_table_xinfo(t.name) c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY t.name, c.cid`,
  );
  const references = await db.all<Reference>(
    `SELECT t.name AS "table", f."table" AS "needs"
     FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`,
  );
  return layoutOf(columns, references);
}

/** Like `sqliteLayout`, for the schema that a PostgreSQL connection works in. */
export async function postgresLayout(db: Reader): Promise<TableLayout[]> {
  const columns = await db.all<ColumnRow>(
    `SELECT c.relname::text AS "table", a.attname::text AS "name",
       CASE a.atttypid::regtype::text WHEN 'bigint' THEN 1 ELSE 0 END AS "isNumber",
       COALESCE(array_position(k.conkey, a.attnum), 0) AS "key"
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
       AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum`,
  );
  const references = await db.all<Reference>(
    `SELECT c.relname::text AS "table", o.relname::text AS "needs" FROM pg_constraint f
       JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class o ON o.oid = f.confrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND f.contype = 'f'`,
  );
  return layoutOf(columns, references);
}

interface ColumnRow {
  table: string;
  name: string;
  isNumber: number;
  /** The column's place in the primary key, from 1; 0 if the column is not part of the key. */
  key: number;
}

function layoutOf(rows: ColumnRow[], references: Reference[]): TableLayout[] {
  const names = [...new Set(rows.map(({ table }) => table))].filter((name) => !(name in notMoved));
  const layouts = names.map((name) => {
    const columns = rows.filter(({ table }) => table === name);
    const key = columns.filter((column) => column.key > 0).sort((a, b) => a.key - b.key);
    if (key.length === 0) throw new Error(`the table ${name} has no primary key`);
    return {
      name,
      columns: columns.map((column) => ({ name: column.name, isNumber: column.isNumber === 1 })),
      key: key.map((column) => column.name),
    };
  });
  return sorted(layouts, references);
}

function sorted(layouts: TableLayout[], references: Reference[]): TableLayout[] {
  const done: TableLayout[] = [];
  for (let left = layouts; left.length > 0; ) {
    const waits = ({ name }: TableLayout) =>
      references.some(
        ({ table, needs }) =>
          table === name && needs !== name && left.some((other) => other.name === needs),
      );
    const next = left.filter((layout) => !waits(layout));
    if (next.length === 0) throw new Error("the references between the tables form a cycle");
    done.push(...next);
    left = left.filter(waits);
  }
  return done;
}

/**
 * Returns what only one of two databases with the same schema version has; null if their layouts
 * are equal.
 */
export function layoutDifference(source: TableLayout[], target: TableLayout[]): string | null {
  const [ours, theirs] = [source, target].map(
    (layouts) =>
      new Set(
        layouts.flatMap(({ name, columns, key }) => [
          `${name}: primary key ${key.join(", ")}`,
          ...columns.map(
            (column) => `${name}.${column.name}${column.isNumber ? ", a number" : ""}`,
          ),
        ]),
      ),
  ) as [Set<string>, Set<string>];
  const extra = [...ours].find((part) => !theirs.has(part));
  if (extra !== undefined) return `only the source has ${extra}`;
  const missing = [...theirs].find((part) => !ours.has(part));
  return missing === undefined ? null : `only the target has ${missing}`;
}

export function quotedColumns({ columns }: TableLayout): string {
  return columns.map(({ name }) => `"${name}"`).join(", ");
}

/** Selects all columns as text. Both engines return the rows in the same order, by primary key. */
export function selectTexts({ name, columns, key }: TableLayout): string {
  const texts = columns.map(({ name: column, isNumber }) =>
    isNumber ? `CAST(t."${column}" AS TEXT) AS "${column}"` : `t."${column}"`,
  );
  // Without the `t.`, PostgreSQL would sort by the texts.
  const order = key.map((column) => `t."${column}"`).join(", ");
  return `SELECT ${texts.join(", ")} FROM "${name}" t ORDER BY ${order}`;
}
