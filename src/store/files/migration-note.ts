// Stores a note about a migration until its audit row is written. The migration itself cannot write
// this row, because that requires the service's keys.

import type { Tx } from "../database.ts";
import { deleteSetting, findSetting } from "../tables/settings.ts";

const setting = "migrated";

/**
 * Stores the first migration that is not in the audit trail yet. Its parameters are the version and
 * the time in Unix milliseconds. Runs in the transaction of the migration.
 */
export const leaveMigrationNote = `INSERT INTO settings (key, value, updated_at)
  VALUES ('${setting}', ?, ?) ON CONFLICT (key) DO NOTHING`;

/** Deletes the note. Returns the names of the migrations that the trail does not contain yet. */
export async function takeMigrationNote(tx: Tx): Promise<string[]> {
  const first = await findSetting<number>(tx, setting);
  if (first === undefined) return [];
  await deleteSetting(tx, setting);
  const rows = await tx.all<{ name: string }>(
    "SELECT name FROM schema_migrations WHERE version >= ? ORDER BY version",
    first,
  );
  return rows.map(({ name }) => name);
}
