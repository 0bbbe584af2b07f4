// Compares a schema with the one that the migrations create, because SQLite's own checks do not
// find an added trigger or view.

import BetterSqlite3 from "better-sqlite3";
import { loadMigrations } from "../migrations.ts";
import type { SqliteConnection } from "./file.ts";
import { appliedMigrations, migrate } from "./migrate.ts";

/** SQLite creates these tables itself when it needs them. */
const ownOfSqlite = /^(sqlite_stat\d|sqlite_sequence)$/;

/** Returns null if nothing is missing or unexpected. Call `pendingMigrations` first. */
export function schemaProblem(connection: SqliteConnection): string | null {
  const found = objectsIn(connection);
  const expected = expectedObjects(appliedMigrations(connection).length);
  for (const [name, sql] of found) {
    const wanted = expected.get(name);
    if (wanted === undefined) return `it has a ${name} that this program did not create`;
    if (wanted !== sql) return `its ${name} differs from this program's`;
  }
  for (const name of expected.keys()) {
    if (!found.has(name)) return `it has no ${name}`;
  }
  return null;
}

/**
 * The expected objects by the number of migrations. This cache helps only the tests, which run many
 * commands in one process.
 */
const expectedBy = new Map<number, ReadonlyMap<string, string>>();

function expectedObjects(version: number): ReadonlyMap<string, string> {
  const known = expectedBy.get(version);
  if (known) return known;
  const model = new BetterSqlite3(":memory:");
  try {
    migrate(model, () => 0, loadMigrations().slice(0, version), true);
    const expected = objectsIn(model);
    expectedBy.set(version, expected);
    return expected;
  } finally {
    model.close();
  }
}

/** Returns the SQL of each object. An index that belongs to a constraint has no SQL. */
function objectsIn(connection: SqliteConnection): Map<string, string> {
  const rows = connection.prepare(
    "SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema",
  );
  const objects = rows.all() as { type: string; name: string; tableName: string; sql: string }[];
  const made = objects.filter(({ type, name }) => type !== "table" || !ownOfSqlite.test(name));
  return new Map(
    made.map(({ type, name, tableName, sql }) => [`${type} ${name}`, `${tableName} ${sql ?? ""}`]),
  );
}
