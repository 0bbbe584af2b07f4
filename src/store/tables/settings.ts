// Stores settings and other single values by name, as JSON.

import type { Json } from "../../domain/payload/json.ts";
import type { Reader, Tx } from "../database.ts";
import { get, run } from "../sql-tag.ts";

export async function readSettings(db: Reader): Promise<Record<string, Json>> {
  const rows = await db.all<{ key: string; value: string }>("SELECT key, value FROM settings");
  return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]));
}

/**
 * Returns undefined if no value has been stored. The caller must know the type of the value. Only
 * other programs store null.
 */
export async function findSetting<T extends Json>(db: Reader, key: string): Promise<T | undefined> {
  const row = await get(db)<{ value: string }>`SELECT value FROM settings WHERE key = ${key}`;
  return row && (JSON.parse(row.value) as T);
}

export async function writeSetting(
  tx: Tx,
  key: string,
  value: Json,
  updatedAt = tx.now,
): Promise<void> {
  await run(tx)`INSERT INTO settings (key, value, updated_at)
     VALUES (${key}, ${JSON.stringify(value)}, ${updatedAt})
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`;
}

export async function deleteSetting(tx: Tx, key: string): Promise<void> {
  await run(tx)`DELETE FROM settings WHERE key = ${key}`;
}

/** Unlike `SELECT 1`, this begins a transaction and reads the file if it has changed. */
export async function probeDatabase(db: Reader): Promise<void> {
  await db.get("SELECT 1 FROM settings LIMIT 1");
}
