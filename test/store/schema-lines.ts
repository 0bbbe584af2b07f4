// Describes a schema as lines of text that are the same for both engines if the schemas are.

import type BetterSqlite3 from "better-sqlite3";
import type pg from "pg";

type Row = Record<string, string | number | null>;

/** Describes columns, constraints, indexes and triggers, without the tables of the engine. */
export function sqliteSchema(database: BetterSqlite3.Database): string[] {
  const all = (sql: string, ...params: string[]) => database.prepare(sql).all(...params) as Row[];
  const tables = all(
    `SELECT name, sql FROM sqlite_schema
     WHERE type = 'table' AND name NOT IN ('schema_migrations', 'sqlite_sequence')`,
  );
  const triggers = all("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'trigger'");
  return [
    ...tables.flatMap(({ name, sql }) => [
      ...sqliteColumns(all, `${name}`),
      ...sqliteReferences(all, `${name}`),
      ...sqliteIndexes(all, `${name}`),
      ...checksIn(`${sql}`).map((check) => `${name}: CHECK ${plain(check)}`),
    ]),
    ...triggers.map(({ name, tbl_name }) => `${tbl_name}: trigger ${name}`),
  ].sort();
}

type All = (sql: string, ...params: string[]) => Row[];

function sqliteColumns(all: All, table: string): string[] {
  const columns = all("SELECT * FROM pragma_table_info(?)", table);
  const key = columns.filter(({ pk }) => pk).sort((a, b) => Number(a.pk) - Number(b.pk));
  return [
    ...columns.map(({ name, type, notnull, dflt_value, pk }) =>
      // SQLite reports a column of a primary key as nullable.
      columnLine(table, name, type === "INTEGER" ? "number" : "text", notnull || pk, dflt_value),
    ),
    `${table}: PRIMARY KEY (${key.map(({ name }) => name).join(", ")})`,
  ];
}

function sqliteReferences(all: All, table: string): string[] {
  return all("SELECT * FROM pragma_foreign_key_list(?)", table).map(
    ({ from, table: other, to, on_delete }) => `${table}: ${from} -> ${other} (${to}) ${on_delete}`,
  );
}

function sqliteIndexes(all: All, table: string): string[] {
  const indexes = all(
    `SELECT l.name, l."unique", l.origin, s.sql FROM pragma_index_list(?) l
     LEFT JOIN sqlite_schema s ON s.name = l.name WHERE l.origin <> 'pk'`,
    table,
  );
  return indexes.map(({ name, unique, origin, sql }) => {
    if (origin === "u") {
      const columns = all("SELECT name FROM pragma_index_info(?)", `${name}`);
      return uniqueLine(table, columns.map((column) => column.name).join(", "));
    }
    const [, columns = "", where = ""] = /\((.*)\)\s*(?:WHERE (.*))?$/s.exec(
      `${sql}`.replace(/\)\s+WHERE/, ") WHERE"),
    )!;
    return indexLine(table, name, unique, columns, where);
  });
}

/** Returns the text in the parentheses of each CHECK. */
function checksIn(sql: string): string[] {
  return [...sql.matchAll(/\bCHECK \(/g)].map(({ index }) => {
    const begin = index + "CHECK (".length;
    let depth = 1;
    let end = begin;
    for (; depth > 0; end++) depth += { "(": 1, ")": -1 }[sql[end]!] ?? 0;
    return sql.slice(begin, end - 1);
  });
}

/** Describes the schema that the client's search path begins with. */
export async function postgresSchema(client: pg.Client): Promise<string[]> {
  const all = async (sql: string) => (await client.query<Row>(sql)).rows;
  const inSchema = "relnamespace = current_schema()::regnamespace";
  const columns = await all(
    `SELECT c.relname, a.attname, t.typname, a.attnotnull, pg_get_expr(d.adbin, d.adrelid) AS preset
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
       LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.${inSchema} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  const constraints = await all(
    `SELECT c.relname, n.contype, pg_get_constraintdef(n.oid, true) AS definition
     FROM pg_constraint n JOIN pg_class c ON c.oid = n.conrelid
     WHERE c.${inSchema} AND n.contype IN ('c', 'f', 'p', 'u')`,
  );
  const indexes = await all(
    `SELECT c.relname, x.relname AS name, i.indisunique,
       pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
     WHERE c.${inSchema}
       AND NOT EXISTS (SELECT 1 FROM pg_constraint n WHERE n.conindid = i.indexrelid)`,
  );
  const triggers = await all(
    `SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.${inSchema} AND NOT t.tgisinternal`,
  );
  return [
    ...columns.map(({ relname, attname, typname, attnotnull, preset }) =>
      columnLine(relname, attname, typname === "int8" ? "number" : typname, attnotnull, preset),
    ),
    ...constraints.map(({ relname, contype, definition }) =>
      constraintLine(`${relname}`, `${contype}`, `${definition}`),
    ),
    ...indexes.map(({ relname, name, indisunique, definition }) => {
      const [, on = "", where = ""] = /USING btree \((.*?)\)(?: WHERE \((.*)\))?$/.exec(
        `${definition}`,
      )!;
      return indexLine(relname, name, indisunique, on, where);
    }),
    ...triggers.map(({ relname, tgname }) => `${relname}: trigger ${tgname}`),
  ]
    .filter((line) => !/^(schema_migrations|write_groups)\b/.test(line))
    .sort();
}

function constraintLine(table: string, type: string, definition: string): string {
  const inside = definition.slice(definition.indexOf("(") + 1, definition.lastIndexOf(")"));
  if (type === "p") return `${table}: PRIMARY KEY (${inside})`;
  if (type === "u") return uniqueLine(table, inside);
  if (type === "c") return `${table}: CHECK ${plain(inside)}`;
  const [, from, other, to, rule = "NO ACTION"] =
    /^FOREIGN KEY \((.*?)\) REFERENCES (\w+)\((.*?)\)(?: ON DELETE (.*))?$/.exec(definition)!;
  return `${table}: ${from} -> ${other} (${to}) ${rule}`;
}

function columnLine(
  table: unknown,
  name: unknown,
  type: unknown,
  isNotNull: unknown,
  preset: unknown,
) {
  const rest = [...(isNotNull ? ["NOT NULL"] : []), ...(preset === null ? [] : [`= ${preset}`])];
  return plainCasts([`${table}.${name} ${type}`, ...rest].join(" "));
}

function uniqueLine(table: string, columns: string): string {
  return `${table}: UNIQUE (${columns})`;
}

function indexLine(
  table: unknown,
  name: unknown,
  isUnique: unknown,
  columns: string,
  where: string,
): string {
  const condition = where === "" ? "" : ` WHERE ${plain(where)}`;
  return `${table}: ${isUnique ? "unique " : ""}index ${name} (${plain(columns)})${condition}`;
}

/**
 * PostgreSQL stores a parsed expression, and prints it with its types and more parentheses. SQLite's
 * schema compares some columns with each value in turn, instead of with an IN list.
 */
function plain(expression: string): string {
  return plainCasts(expression)
    .replace(/= ANY \(ARRAY\[(.*?)\]\)/g, "IN ($1)")
    .replace(/^(\w+) = '\w+'( OR \1 = '\w+'){2,}$/, (text, column) => {
      return `${column} IN (${text.replaceAll(`${column} = `, "").replaceAll(" OR ", ", ")})`;
    })
    .replace(/(?<!IN |COALESCE)\(([^()]*)\)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

function plainCasts(text: string): string {
  return text.replace(/\((\d+)\)::bigint/g, "$1").replace(/::(text|bigint)(\[\])?/g, "");
}
