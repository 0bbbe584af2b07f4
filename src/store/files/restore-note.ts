// The note that a restore leaves in the restored database. The next server writes it to the audit
// trail. The restore itself cannot, because the schema may be too old for a row.

import type { Json } from "../../domain/payload/json.ts";
import type { RestoreNote } from "../../domain/storage/restores.ts";
import type { Reader, Tx } from "../database.ts";
import type { Connection } from "../engine/sqlite-file.ts";
import { deleteSetting, readSettings } from "../tables/settings.ts";

const setting = "restored";

export function leaveRestoreNote(connection: Connection, note: RestoreNote): void {
  connection
    .prepare("INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
    .run(setting, JSON.stringify(note), note.at);
}

/** Whether a restore has not been recorded in the audit trail yet. */
export async function hasRestoreNote(db: Reader): Promise<boolean> {
  return (await readSettings(db))[setting] !== undefined;
}

/** Returns and deletes the note; null without one. */
export async function takeRestoreNote(tx: Tx): Promise<RestoreNote | null> {
  const note: Json | undefined = (await readSettings(tx))[setting];
  if (note === undefined) return null;
  await deleteSetting(tx, setting);
  return note as unknown as RestoreNote;
}
