// Stores a note about a restore, which the next server writes to the audit trail. The restore
// itself cannot, because the schema may be too old for an audit row.

import type { Json } from "../../domain/payload/json.ts";
import type { RestoreNote } from "../../domain/storage/restores.ts";
import type { Reader, Tx } from "../database.ts";
import type { SqliteConnection } from "../engine/sqlite/file.ts";
import { deleteSetting, readSettings } from "../tables/settings.ts";

const setting = "restored";

export function leaveRestoreNote(connection: SqliteConnection, note: RestoreNote): void {
  connection
    .prepare("INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
    .run(setting, JSON.stringify(note), note.at);
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
