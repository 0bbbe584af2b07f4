// Stored events in the order in which they came in, without their envelopes: what a replay walks over.

import type { BusMatch } from "../../domain/bus/bus-events.ts";
import type { Reader } from "../database.ts";

/** Where a walk stands: behind this event. */
export interface WindowPlace {
  /** Unix milliseconds. */
  receivedAt: number;
  /** Empty: before all events of that millisecond. */
  id: string;
}

export interface WindowEvent extends WindowPlace {
  type: string;
  source: string;
  /** What became of it at the route that was named. */
  recorded: Pick<BusMatch, "outcome" | "commandId" | "reason"> | null;
}

interface WindowRow extends Omit<WindowEvent, "recorded"> {
  outcome: BusMatch["outcome"] | null;
  commandId: string | null;
  reason: string | null;
}

/**
 * At most `limit` events behind `after` that were received before `before` (Unix milliseconds), oldest
 * first, with what became of each at the route `routeId`; null names none.
 */
export async function listWindow(
  db: Reader,
  routeId: string | null,
  { after, before }: { after: WindowPlace; before: number },
  limit: number,
): Promise<WindowEvent[]> {
  const rows = await db.all<WindowRow>(
    `SELECT e.id, e.type, e.source, e.received_at AS "receivedAt", m.outcome,
       m.command_id AS "commandId", m.reason
     FROM bus_events e LEFT JOIN bus_matches m ON m.event_id = e.id AND m.route_id = ?
     WHERE (e.received_at, e.id) > (?, ?) AND e.received_at < ?
     ORDER BY e.received_at, e.id LIMIT ?`,
    routeId,
    after.receivedAt,
    after.id,
    before,
    limit,
  );
  return rows.map(toWindowEvent);
}

/** When the oldest event came in that is still kept, in Unix milliseconds; null when there is none. */
export async function oldestEventAt(db: Reader): Promise<number | null> {
  const row = await db.get<{ oldest: number | null }>(
    `SELECT MIN(received_at) AS "oldest" FROM bus_events`,
  );
  return row?.oldest ?? null;
}

/** When the newest event came in that is still kept, in Unix milliseconds; null when there is none. */
export async function newestEventAt(db: Reader): Promise<number | null> {
  const row = await db.get<{ newest: number | null }>(
    `SELECT MAX(received_at) AS "newest" FROM bus_events`,
  );
  return row?.newest ?? null;
}

function toWindowEvent({ outcome, commandId, reason, ...event }: WindowRow): WindowEvent {
  return { ...event, recorded: outcome && { outcome, commandId, reason } };
}
