// A small read that shows whether the database can be read.

import type { Reader } from "../database.ts";

/**
 * Reads one row. Unlike a bare `SELECT 1`, this begins a transaction, and reads from the file if
 * the file has changed.
 */
export async function probeDatabase(db: Reader): Promise<void> {
  await db.get("SELECT 1 FROM settings LIMIT 1");
}
