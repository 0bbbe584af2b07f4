// Reads stored events, without their envelopes, in the order in which they arrived.

import type { BusMatch } from "../../../domain/bus/bus-events.ts";
import type { Reader } from "../../database.ts";
import { all } from "../../sql-tag.ts";

/** The position after which a replay continues. */
interface WindowPosition {
  receivedAt: number; // Unix milliseconds
  /** An empty id comes before all events of that millisecond. */
  id: string;
}

export interface WindowEvent extends WindowPosition {
  type: string;
  source: string;
  /** The event's outcome at the route, if there was one. */
  recorded: Pick<BusMatch, "outcome" | "commandId" | "reason"> | null;
}

interface WindowRow extends Omit<WindowEvent, "recorded"> {
  outcome: BusMatch["outcome"] | null;
  commandId: string | null;
  reason: string | null;
}

/**
 * Lists the events between `after` and `before` (Unix milliseconds), oldest first, with their
 * outcomes at the route.
 */
export async function listWindow(
  db: Reader,
  routeId: string | null,
  { after, before }: { after: WindowPosition; before: number },
  limit: number,
): Promise<WindowEvent[]> {
  const rows = await all(db)<WindowRow>`SELECT e.id, e.type, e.source,
       e.received_at AS "receivedAt", m.outcome, m.command_id AS "commandId", m.reason
     FROM bus_events e LEFT JOIN bus_matches m ON m.event_id = e.id AND m.route_id = ${routeId}
     WHERE (e.received_at, e.id) > (${after.receivedAt}, ${after.id})
       AND e.received_at < ${before} ORDER BY e.received_at, e.id LIMIT ${limit}`;
  return rows.map(toWindowEvent);
}

/**
 * Returns the time at which the oldest or newest event was received, in Unix milliseconds; null if
 * there are no events.
 */
async function receivedAt(db: Reader, which: "MIN" | "MAX"): Promise<number | null> {
  const row = await db.get<{ at: number | null }>(
    `SELECT ${which}(received_at) AS "at" FROM bus_events`,
  );
  return row?.at ?? null;
}

export const oldestEventAt = (db: Reader) => receivedAt(db, "MIN");
export const newestEventAt = (db: Reader) => receivedAt(db, "MAX");

function toWindowEvent({ outcome, commandId, reason, ...event }: WindowRow): WindowEvent {
  return { ...event, recorded: outcome && { outcome, commandId, reason } };
}
