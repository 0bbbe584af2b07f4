// Stores the events of the bus and the routes that they matched.

import type {
  BusMatch,
  ListedBusEvent,
  ListedBusMatch,
  StoredBusEvent,
} from "../../../domain/bus/bus-events.ts";
import {
  type BoundedList,
  type BoundedPage,
  findKeys,
  rowsOf,
  type Source,
} from "../../bounded-search.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters } from "../../filters.ts";
import { finder, inserter, rowsInserter } from "../../rows.ts";
import { all, get, run } from "../../sql-tag.ts";

interface BusEventRow extends Omit<StoredBusEvent, "envelope"> {
  envelope: string;
}

const columns = `e.id, e.agent_id AS "agentId", e.depth, e.envelope,
  e.received_at AS "receivedAt"`;

const listedColumns = `e.id, e.agent_id AS "agentId", e.type, e.source,
  e.event_id AS "sourceEventId", e.subject, e.depth, e.causation_id AS "causationId",
  e.correlation_id AS "correlationId", e.received_at AS "receivedAt"`;

export interface BusEventFilter extends BoundedPage {
  type?: string | undefined;
  source?: string | undefined;
  agentId?: string | undefined;
  /** A route that the event matched. */
  routeId?: string | undefined;
}

export const findBusEvent = finder(
  `SELECT ${columns} FROM bus_events e WHERE e.id = ?`,
  toBusEvent,
);

/** `eventId` is the publisher's id, or the generated one if the publisher sent none. */
export async function findPublishedEvent(
  db: Reader,
  source: string,
  eventId: string,
): Promise<StoredBusEvent | null> {
  const row = await db.get<BusEventRow>(
    `SELECT ${columns} FROM bus_events e WHERE e.source = ? AND e.event_id = ?`,
    source,
    eventId,
  );
  return row ? toBusEvent(row) : null;
}

const source: Source = { from: "bus_events e", key: "e.id", at: "e.received_at" };
/** With a route filter, events are found through their matches. */
const sourceOfRoute: Source = {
  from: "bus_matches m JOIN bus_events e ON e.id = m.event_id",
  key: "m.event_id",
  at: "e.received_at",
};

/** The newest events come first. */
export async function listBusEvents(
  db: Reader,
  filter: BusEventFilter,
): Promise<BoundedList<ListedBusEvent>> {
  const { type, source: publisher, agentId, routeId, from, to, ...page } = filter;
  const ofRoute = routeId !== undefined;
  const conditions = new Filters()
    .add("m.route_id = ?", routeId)
    .add("e.type = ?", type, !ofRoute)
    .add("e.source = ?", publisher, !ofRoute)
    .add("e.agent_id = ?", agentId, !ofRoute)
    .add("e.received_at >= ?", ofRoute ? from : undefined, false)
    .add("e.received_at < ?", ofRoute ? to : undefined, false).all;
  const search = { ...page, ...(ofRoute ? {} : { from, to }), conditions };
  const { keys, ...extent } = await findKeys<string>(db, ofRoute ? sourceOfRoute : source, search);
  const items = await rowsOf<string, ListedBusEvent>(
    db,
    keys,
    ({ id }) => id,
    (places) => `SELECT ${listedColumns} FROM bus_events e WHERE e.id IN (${places})`,
  );
  return { items, ...extent };
}

/** Takes the id of an event or a bus command. Returns the greatest depth if several match. */
export async function findCauseDepth(db: Reader, causationId: string): Promise<number | null> {
  const row = await get(db)<{ depth: number | null }>`SELECT MAX(depth) AS "depth" FROM (
     SELECT depth FROM bus_events WHERE id = ${causationId}
     UNION ALL SELECT depth FROM bus_events WHERE event_id = ${causationId}
     UNION ALL SELECT COALESCE(e.depth, 0) FROM commands c
       LEFT JOIN bus_events e ON e.id = c.source_id
       WHERE c.id = ${causationId} AND c.source_kind = 'bus') AS causes`;
  return row?.depth ?? null;
}

const insertRows = rowsInserter("bus_events", [
  "id agent_id source event_id type subject depth causation_id correlation_id envelope received_at",
]);

export async function insertBusEvents(tx: Tx, events: readonly StoredBusEvent[]): Promise<void> {
  await insertRows(tx, events.map(toRow));
}

function toRow(event: StoredBusEvent) {
  const { envelope } = event;
  return {
    ...event,
    source: envelope.source,
    eventId: envelope.id,
    type: envelope.type,
    subject: envelope.subject ?? null,
    causationId: envelope.causationid ?? null,
    correlationId: envelope.correlationid ?? null,
    envelope: JSON.stringify(envelope),
  };
}

const insertMatch = inserter("bus_matches", [
  "event_id route_id route_name outcome command_id reason",
]);

export async function insertBusMatch(tx: Tx, eventId: string, match: BusMatch): Promise<void> {
  await insertMatch(tx, { ...match, eventId });
}

/** Lists the matches, those of the oldest route first. */
export async function listBusMatches(db: Reader, eventId: string): Promise<ListedBusMatch[]> {
  type Row = Omit<ListedBusMatch, "routeDeleted"> & { routeDeleted: number };
  const rows = await all(db)<Row>`SELECT m.route_id AS "routeId",
       COALESCE(r.name, m.route_name) AS "routeName", r.id IS NULL AS "routeDeleted", m.outcome,
       m.command_id AS "commandId", c.status AS "commandStatus", m.reason
     FROM bus_matches m LEFT JOIN bus_routes r ON r.id = m.route_id
       LEFT JOIN commands c ON c.id = m.command_id
     WHERE m.event_id = ${eventId} ORDER BY m.route_id`;
  return rows.map((row) => ({ ...row, routeDeleted: row.routeDeleted === 1 }));
}

/** Also deletes the events' matches. `before` is in Unix milliseconds. */
export async function deleteBusEvents(tx: Tx, before: number, limit: number): Promise<number> {
  return run(tx)`DELETE FROM bus_events WHERE id IN
     (SELECT id FROM bus_events WHERE received_at < ${before} ORDER BY received_at
      LIMIT ${limit})`;
}

function toBusEvent(row: BusEventRow): StoredBusEvent {
  return { ...row, envelope: JSON.parse(row.envelope) };
}
