// What a restore leaves in the database that it puts in place: the next server writes it into the audit
// trail. The restore itself cannot: the schema may be older than what a row is written with.

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

/** Whether a restore was not written into the audit trail yet. */
export async function hasRestoreNote(db: Reader): Promise<boolean> {
  return (await readSettings(db))[setting] !== undefined;
}

/** Answers it once; null when there is none. */
export async function takeRestoreNote(tx: Tx): Promise<RestoreNote | null> {
  const note: Json | undefined = (await readSettings(tx))[setting];
  if (note === undefined) return null;
  await deleteSetting(tx, setting);
  return note as unknown as RestoreNote;
}
