// Stores the networks that users signed in from, as `clientNetwork` derives them from addresses.

import type { Reader, Tx } from "../database.ts";

export async function isSignInNetwork(
  db: Reader,
  userId: string,
  network: string,
): Promise<boolean> {
  const row = await db.get(
    "SELECT 1 FROM sign_in_networks WHERE user_id = ? AND network = ?",
    userId,
    network,
  );
  return row !== undefined;
}

/** Records a network, and keeps only the `most` networks that were used most recently. */
export async function noteSignInNetwork(
  tx: Tx,
  userId: string,
  network: string,
  most: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO sign_in_networks (user_id, network, last_used_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id, network) DO UPDATE SET last_used_at = excluded.last_used_at`,
    userId,
    network,
    tx.now,
  );
  await tx.run(
    `DELETE FROM sign_in_networks WHERE user_id = ? AND network NOT IN (
       SELECT network FROM sign_in_networks WHERE user_id = ?
       ORDER BY last_used_at DESC, network LIMIT ?)`,
    userId,
    userId,
    most,
  );
}
