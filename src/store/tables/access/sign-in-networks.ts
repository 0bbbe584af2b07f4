// Stores the networks that users signed in from, as `clientNetwork` derives them from addresses.

import type { Reader, Tx } from "../../database.ts";
import { get, run } from "../../sql-tag.ts";

export async function isSignInNetwork(
  db: Reader,
  userId: string,
  network: string,
): Promise<boolean> {
  const row = await get(db)`SELECT 1 FROM sign_in_networks WHERE user_id = ${userId}
     AND network = ${network}`;
  return row !== undefined;
}

/** Records a network, and keeps only the `most` networks that were used most recently. */
export async function noteSignInNetwork(
  tx: Tx,
  userId: string,
  network: string,
  most: number,
): Promise<void> {
  await run(tx)`INSERT INTO sign_in_networks (user_id, network, last_used_at)
     VALUES (${userId}, ${network}, ${tx.now})
     ON CONFLICT (user_id, network) DO UPDATE SET last_used_at = excluded.last_used_at`;
  await run(tx)`DELETE FROM sign_in_networks WHERE user_id = ${userId} AND network NOT IN (
       SELECT network FROM sign_in_networks WHERE user_id = ${userId}
       ORDER BY last_used_at DESC, network LIMIT ${most})`;
}
