// Stores secrets that agents have generated for operators. Only servers on PostgreSQL use this: a
// server on SQLite keeps them in memory.

import type { Reader, Tx } from "../../database.ts";
import { Filters } from "../../filters.ts";
import { countOf, inserter } from "../../rows.ts";
import { get, run } from "../../sql-tag.ts";

export const insertOneTimeSecret = inserter("one_time_secrets", ["command_id sealed until"]);

/** Returns the secret in the form in which it was stored, or null if `until` has passed. */
export async function findOneTimeSecret(
  db: Reader,
  commandId: string,
  now: number,
): Promise<string | null> {
  const row = await get(db)<{ sealed: string }>`SELECT sealed FROM one_time_secrets
     WHERE command_id = ${commandId} AND until > ${now}`;
  return row?.sealed ?? null;
}

/** Returns false if the secret was taken in the meantime. */
export async function deleteOneTimeSecret(tx: Tx, commandId: string): Promise<boolean> {
  return (await run(tx)`DELETE FROM one_time_secrets WHERE command_id = ${commandId}`) === 1;
}

export async function hasOldOneTimeSecrets(db: Reader, now: number): Promise<boolean> {
  const row = await get(db)`SELECT 1 FROM one_time_secrets WHERE until <= ${now} LIMIT 1`;
  return row !== undefined;
}

export async function deleteOldOneTimeSecrets(tx: Tx, now: number): Promise<void> {
  await run(tx)`DELETE FROM one_time_secrets WHERE until <= ${now}`;
}

export function countOneTimeSecrets(db: Reader, now: number): Promise<number> {
  return countOf(db, "one_time_secrets", new Filters().add("until > ?", now));
}
