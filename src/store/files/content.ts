// Checks whether a database has content that always comes with a row in the audit trail.

import type { Reader } from "../database.ts";
import type { SqliteConnection } from "../engine/sqlite/file.ts";

/**
 * All versions of the schema have these tables, so older databases can be checked. The other tables
 * are left out, because they can have rows before the trail has any, or only have rows that belong
 * to rows of these tables.
 */
export const tablesInTrail = [
  "agent_labels",
  "agent_tokens",
  "agents",
  "api_keys",
  "audit_checkpoints",
  "audit_events",
  "bus_events",
  "bus_matches",
  "bus_routes",
  "command_results",
  "commands",
  "registration_tokens",
  "service_actions",
  "services",
  "sessions",
  "users",
];

/** `tables` are the tables that exist; by default, all that this file lists. */
export async function hasContent(db: Reader, tables = tablesInTrail): Promise<boolean> {
  return (await db.get<{ found: number }>(contentQuery(tables)))?.found === 1;
}

/** Like `hasContent`, but for a database that is being opened. Its schema may be older. */
export function hasContentNow(connection: SqliteConnection): boolean {
  const names = "SELECT name FROM sqlite_schema WHERE type = 'table'";
  const tables = connection.prepare(names).pluck().all() as string[];
  return connection.prepare(contentQuery(tables)).pluck().get() === 1;
}

function contentQuery(tables: string[]): string {
  const telling = tablesInTrail.filter((table) => tables.includes(table));
  const found = telling.map((table) => `EXISTS (SELECT 1 FROM ${table})`);
  return `SELECT ${["1 = 0", ...found].join(" OR ")} AS "found"`;
}
