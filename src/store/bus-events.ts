// Events of the bus: the only SQL about them.

import type { StoredBusEvent } from "../domain/bus-events.ts";
import type { Reader, Tx } from "./database.ts";

interface BusEventRow extends Omit<StoredBusEvent, "envelope"> {
  envelope: string;
}

const columns = `id, agent_id AS "agentId", depth, envelope, received_at AS "receivedAt"`;

export async function findBusEvent(db: Reader, id: string): Promise<StoredBusEvent | null> {
  const row = await db.get<BusEventRow>(`SELECT ${columns} FROM bus_events WHERE id = ?`, id);
  return row ? { ...row, envelope: JSON.parse(row.envelope) } : null;
}

/** Deletes at most `limit` events received before `before` (Unix milliseconds), with their matches. */
export async function deleteBusEvents(tx: Tx, before: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM bus_events WHERE id IN
       (SELECT id FROM bus_events WHERE received_at < ? ORDER BY received_at LIMIT ?)`,
    before,
    limit,
  );
}
