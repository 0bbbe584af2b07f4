// Stores failed sign-ins.

import type { Reader, Tx } from "../../database.ts";
import { inserter } from "../../rows.ts";
import { all, run } from "../../sql-tag.ts";

/** Lists the times of up to `limit` failures after `since`, newest first. */
export async function listLoginFailures(
  db: Reader,
  source: string,
  { since, now, limit }: { since: number; now: number; limit: number },
): Promise<number[]> {
  const rows = await all(db)<{ at: number }>`SELECT at FROM login_failures
     WHERE source = ${source} AND at > ${since} AND at <= ${now} ORDER BY at DESC LIMIT ${limit}`;
  return rows.map(({ at }) => at);
}

export const insertLoginFailure = inserter("login_failures", ["id source at"]);

export async function deleteLoginFailures(tx: Tx, source: string): Promise<void> {
  await run(tx)`DELETE FROM login_failures WHERE source = ${source}`;
}

/**
 * Deletes failures up to `before`, and those after `now`, which can exist if the clock was set
 * back.
 */
export async function deleteOldLoginFailures(tx: Tx, before: number, now: number): Promise<void> {
  await run(tx)`DELETE FROM login_failures WHERE at <= ${before} OR at > ${now}`;
}
