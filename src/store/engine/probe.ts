import type { Reader } from "../database.ts";

/** Unlike `SELECT 1`, this begins a transaction and reads the file if it has changed. */
export async function probeDatabase(db: Reader): Promise<void> {
  await db.get("SELECT 1 FROM settings LIMIT 1");
}
