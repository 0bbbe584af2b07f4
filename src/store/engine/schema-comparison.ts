// Whether a database has the very schema that its migrations make. A trigger or a view that somebody has added
// would run with every change, and SQLite's own checks find nothing wrong with it.

import BetterSqlite3 from "better-sqlite3";
import { appliedMigrations, loadMigrations, migrate } from "./migrate.ts";
import type { Connection } from "./sqlite-file.ts";

/** What SQLite makes by itself: it may be there or not. */
const ownOfSqlite = /^(sqlite_stat\d|sqlite_sequence)$/;

/**
 * What does not belong there, or is missing, in words; null when the schema is as it should be. The history must
 * be one that this program knows (`pendingMigrations`).
 */
export function schemaProblem(connection: Connection): string | null {
  const found = objectsIn(connection);
  const expected = expectedObjects(appliedMigrations(connection).length);
  for (const [name, sql] of found) {
    const wanted = expected.get(name);
    if (wanted === undefined) return `it has a ${name} that this program did not make`;
    if (wanted !== sql) return `its ${name} is not as this program makes it`;
  }
  for (const name of expected.keys()) {
    if (!found.has(name)) return `it lacks the ${name}`;
  }
  return null;
}

function expectedObjects(version: number): Map<string, string> {
  const model = new BetterSqlite3(":memory:");
  try {
    migrate(model, () => 0, loadMigrations().slice(0, version), false);
    return objectsIn(model);
  } finally {
    model.close();
  }
}

/** The text of each by its kind and name; of an index that a constraint brings, none. */
function objectsIn(connection: Connection): Map<string, string> {
  const rows = connection.prepare(
    "SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema",
  );
  const objects = rows.all() as { type: string; name: string; tableName: string; sql: string }[];
  const made = objects.filter(({ type, name }) => type !== "table" || !ownOfSqlite.test(name));
  return new Map(
    made.map(({ type, name, tableName, sql }) => [`${type} ${name}`, `${tableName} ${sql ?? ""}`]),
  );
}
