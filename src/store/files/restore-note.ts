// Stores a note about a restore until the next server writes the audit row. The restore itself
// cannot write this row, because the schema may be too old for it.

import { newestRestores, restoresOf } from "../../domain/audit/past-restores.ts";
import type { PastRestore, RestoreNote } from "../../domain/storage/restores.ts";
import { parseMetadata } from "../audit/audit-events.ts";
import type { Reader, Tx } from "../database.ts";
import type { SqliteConnection } from "../engine/sqlite/file.ts";
import { deleteSetting, findSetting } from "../tables/settings.ts";

const setting = "restored";

/** `at` is in Unix milliseconds. */
export function leaveRestoreNote(
  connection: SqliteConnection,
  at: number,
  note: RestoreNote,
): void {
  connection
    .prepare("INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
    .run(setting, JSON.stringify(note), at);
}

/** Returns every restore of the database, including one whose note is still there. */
export function pastRestores(connection: SqliteConnection): PastRestore[] {
  return [...notedRestores(connection), ...recordedRestores(connection)];
}

/**
 * Returns the restores that the draft's trail will not record by itself, newest first: those of the
 * replaced database, and the draft's own restore if its note is still there.
 */
export function restoresToKeep(
  draft: SqliteConnection,
  ofReplaced: readonly PastRestore[],
): PastRestore[] {
  const keyOf = ({ restoredAt, replacedHead }: PastRestore) =>
    `${restoredAt} ${replacedHead?.hash}`;
  const recorded = new Set(recordedRestores(draft).map(keyOf));
  const all = [...notedRestores(draft), ...ofReplaced].map((one) => [keyOf(one), one] as const);
  const missing = new Map(all.filter(([key]) => !recorded.has(key)));
  return newestRestores([...missing.values()]);
}

function recordedRestores(connection: SqliteConnection): PastRestore[] {
  const rows = connection
    .prepare("SELECT actor_name, metadata FROM audit_events WHERE action = ?")
    .all("backup.restored") as { actor_name: string | null; metadata: string }[];
  return rows.flatMap((row) => restoresOf(row.actor_name, parseMetadata(row.metadata) ?? {}));
}

function notedRestores(connection: SqliteConnection): PastRestore[] {
  const text = connection.prepare("SELECT value FROM settings WHERE key = ?").pluck().get(setting);
  const note = parseMetadata(String(text));
  return note === null ? [] : restoresOf(String(note.osUser), note);
}

/** Whether there was a restore that the audit trail does not record yet. */
export async function hasRestoreNote(db: Reader): Promise<boolean> {
  return (await findSetting(db, setting)) !== undefined;
}

/** Returns the note and deletes it. */
export async function takeRestoreNote(tx: Tx): Promise<RestoreNote | null> {
  const note = await findSetting(tx, setting);
  if (note === undefined) return null;
  await deleteSetting(tx, setting);
  return note as unknown as RestoreNote;
}
