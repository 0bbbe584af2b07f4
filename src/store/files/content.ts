// Checks whether a database has content that always comes with a row in the audit trail.

import type { Database, Reader } from "../database.ts";
import type { Connection } from "../engine/sqlite-file.ts";

/** These tables can have rows before the trail has any. */
const silentTables = [
  "schema_migrations",
  "settings",
  "counters",
  "command_outcomes",
  "command_errors",
  "write_groups",
];

const tableNames = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  postgresql: `SELECT tablename AS "name" FROM pg_tables WHERE schemaname = current_schema()`,
};

export async function hasContent(
  db: Reader,
  engine: Database["engine"] = "sqlite",
): Promise<boolean> {
  const query = contentQuery(await db.all<{ name: string }>(tableNames[engine]));
  return (await db.get<{ found: number }>(query))?.found === 1;
}

/** Does the same as `hasContent` while the database is being opened. */
export function hasContentNow(connection: Connection): boolean {
  const tables = connection.prepare(tableNames.sqlite).all() as { name: string }[];
  return connection.prepare(contentQuery(tables)).pluck().get() === 1;
}

function contentQuery(tables: { name: string }[]): string {
  const telling = tables.filter(({ name }) => !silentTables.includes(name));
  const found = telling.map(({ name }) => `EXISTS (SELECT 1 FROM "${name.replaceAll('"', '""')}")`);
  return `SELECT CASE WHEN ${found.join(" OR ") || "1 = 0"} THEN 1 ELSE 0 END AS "found"`;
}
