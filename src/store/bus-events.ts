// Events of the bus: the only SQL about them.

import type { Tx } from "./database.ts";

/** Deletes at most `limit` events received before `before` (Unix milliseconds), with their matches. */
export async function deleteBusEvents(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM bus_events WHERE id IN
       (SELECT id FROM bus_events WHERE received_at < ? ORDER BY received_at LIMIT ?)`,
    before,
    limit,
  );
}
