// A move takes every table and column of the schema, according to the schema itself.

import BetterSqlite3 from "better-sqlite3";
import { describe, expect, inject, test } from "vitest";
import { readerOf } from "../../../src/store/engine/sqlite/statements.ts";
import {
  layoutDifference,
  notMoved,
  postgresLayout,
  selectTexts,
  sqliteLayout,
  type TableLayout,
} from "../../../src/store/move/layout.ts";
import { atEnd, perFile } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { migratedPostgres } from "../../helpers/postgres-schema.ts";

function openTemplate(): BetterSqlite3.Database {
  const database = new BetterSqlite3(inject("templateDatabase"), { readonly: true });
  atEnd(() => database.close());
  return database;
}

function sqliteColumns(database: BetterSqlite3.Database): string[] {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck();
  return (tables.all() as string[]).flatMap((table) =>
    (database.pragma(`table_info(${table})`) as { name: string }[]).map(
      ({ name }) => `${table}.${name}`,
    ),
  );
}

function columnsOf(layout: TableLayout[]): string[] {
  return layout.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
}

const isMoved = (column: string) => !Object.hasOwn(notMoved, column.split(".")[0] ?? "");

test("every table and column of SQLite's schema is moved, except for the listed tables", async () => {
  const database = openTemplate();
  const all = sqliteColumns(database);
  const layout = await sqliteLayout(readerOf(database));
  expect(columnsOf(layout).sort()).toEqual(all.filter(isMoved).sort());
  expect(layout.length).toBeGreaterThan(20);
  // Of the tables that are not moved, only PostgreSQL's own table may be missing on SQLite.
  const known = new Set(all.map((column) => column.split(".")[0]));
  expect(Object.keys(notMoved).filter((table) => !known.has(table))).toEqual(["write_groups"]);
  expect(known.has("sqlite_sequence")).toBe(false);
});

test("a table comes after those that it refers to", async () => {
  const database = openTemplate();
  const names = (await sqliteLayout(readerOf(database))).map(({ name }) => name);
  const references = database
    .prepare(
      `SELECT t.name AS "from", f."table" AS "to"
       FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`,
    )
    .all() as { from: string; to: string }[];
  expect(references.length).toBeGreaterThan(5);
  for (const { from, to } of references) {
    expect([from, names.indexOf(to) < names.indexOf(from)]).toEqual([from, true]);
  }
});

test("rows are read in the order of the key, and numbers as texts", () => {
  const table = {
    name: "a",
    columns: [
      { name: "n", isNumber: true },
      { name: "t", isNumber: false },
    ],
    key: ["t", "n"],
  };
  expect(selectTexts(table)).toBe(
    'SELECT CAST(t."n" AS TEXT) AS "n", t."t" FROM "a" t ORDER BY t."t", t."n"',
  );
});

test("a difference between two schemas is named", () => {
  const table = (columns: string[]): TableLayout => ({
    name: "a",
    columns: columns.map((name) => ({ name, isNumber: false })),
    key: ["x"],
  });
  const [one, other] = [[table(["x"])], [table(["x", "y"])]];
  expect(layoutDifference(one, one)).toBeNull();
  expect(layoutDifference(one, other)).toBe("only the target has a.y");
  expect(layoutDifference(other, one)).toBe("only the source has a.y");
});

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  const client = perFile(migratedPostgres);

  const reader = () => {
    // The layout's statements have no parameters.
    const all = async <Row>(sql: string) =>
      (await client().query(sql)).rows.map((row) => ({ ...row, key: Number(row.key) })) as Row[];
    return { all, get: async <Row>(sql: string) => (await all<Row>(sql))[0] };
  };

  test("every table and column is moved, except for the listed tables, as on SQLite", async () => {
    const { rows } = await client().query<{ column: string }>(
      `SELECT table_name || '.' || column_name AS column FROM information_schema.columns
       WHERE table_schema = current_schema()`,
    );
    const layout = await postgresLayout(reader());
    const all = rows.map(({ column }) => column);
    expect(columnsOf(layout).sort()).toEqual(all.filter(isMoved).sort());
    const sqlite = await sqliteLayout(readerOf(openTemplate()));
    expect(layoutDifference(sqlite, layout)).toBeNull();
  });

  test("no number is drawn from a sequence, which a move would have to continue", async () => {
    expect((await client().query("SELECT * FROM pg_sequences")).rows).toEqual([]);
  });
});
