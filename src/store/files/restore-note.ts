// Stores a note about a restore, which the next server writes to the audit trail. The restore
// itself cannot, because the schema may be too old for an audit row.

import { metadataOf, restoresOf } from "../../domain/audit/past-restores.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import type { PastRestore, RestoreNote } from "../../domain/storage/restores.ts";
import type { Reader, Tx } from "../database.ts";
import type { SqliteConnection } from "../engine/sqlite/file.ts";
import { deleteSetting, readSettings } from "../tables/settings.ts";

const setting = "restored";

export function leaveRestoreNote(connection: SqliteConnection, note: RestoreNote): void {
  connection
    .prepare("INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
    .run(setting, JSON.stringify(note), note.at);
}

/** Every restore of the database, oldest first, including one whose note is still there. */
export function pastRestores(connection: SqliteConnection): PastRestore[] {
  return [...recordedRestores(connection), ...notedRestores(connection)];
}

/**
 * The restores that the draft's trail will not record by itself: those of the replaced database, and
 * one of the draft for which there is still a note. A replaced trail whose last row the draft has is
 * not lost.
 */
export function restoresToKeep(
  draft: SqliteConnection,
  ofReplaced: readonly PastRestore[],
): PastRestore[] {
  const keyOf = ({ restoredAt, replacedHead }: PastRestore) =>
    `${restoredAt} ${replacedHead?.hash}`;
  const recorded = new Set(recordedRestores(draft).map(keyOf));
  const hashOf = draft.prepare("SELECT hash FROM audit_events WHERE seq = ?").pluck();
  const missing = [...notedRestores(draft), ...ofReplaced].filter((one) => {
    const { replacedHead } = one;
    const isLost = replacedHead !== null && hashOf.get(replacedHead.seq) !== replacedHead.hash;
    return isLost && !recorded.has(keyOf(one));
  });
  return [...new Map(missing.map((one) => [keyOf(one), one])).values()];
}

function recordedRestores(connection: SqliteConnection): PastRestore[] {
  const rows = connection
    .prepare("SELECT actor_name, metadata FROM audit_events WHERE action = ? ORDER BY seq")
    .all("backup.restored") as { actor_name: string | null; metadata: string }[];
  return rows.flatMap(({ actor_name, metadata }) => restoresOf(actor_name, JSON.parse(metadata)));
}

function notedRestores(connection: SqliteConnection): PastRestore[] {
  const text = connection.prepare("SELECT value FROM settings WHERE key = ?").pluck().get(setting);
  if (typeof text !== "string") return [];
  const note: RestoreNote = JSON.parse(text);
  return restoresOf(note.osUser, metadataOf(note) as unknown as JsonObject);
}

/** Whether there was a restore that the audit trail does not record yet. */
export async function hasRestoreNote(db: Reader): Promise<boolean> {
  return (await readSettings(db))[setting] !== undefined;
}

/** Returns the note and deletes it. */
export async function takeRestoreNote(tx: Tx): Promise<RestoreNote | null> {
  const note: Json | undefined = (await readSettings(tx))[setting];
  if (note === undefined) return null;
  await deleteSetting(tx, setting);
  return note as unknown as RestoreNote;
}
