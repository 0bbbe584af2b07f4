// Events of the bus, and what became of them at the routes that they matched: the only SQL about them.

import type {
  BusMatch,
  ListedBusEvent,
  ListedBusMatch,
  StoredBusEvent,
} from "../domain/bus-events.ts";
import type { Reader, Tx } from "./database.ts";
import { Filters, type Listed, limitOf, type Page } from "./filters.ts";

interface BusEventRow extends Omit<StoredBusEvent, "envelope"> {
  envelope: string;
}

const columns = `e.id, e.agent_id AS "agentId", e.depth, e.envelope,
  e.received_at AS "receivedAt"`;

const listedColumns = `e.id, e.agent_id AS "agentId", e.type, e.source,
  e.event_id AS "sourceEventId", e.subject, e.depth, e.causation_id AS "causationId",
  e.correlation_id AS "correlationId", e.received_at AS "receivedAt"`;

export interface BusEventFilter extends Page {
  type?: string | undefined;
  source?: string | undefined;
  agentId?: string | undefined;
  /** A route that the event matched. */
  routeId?: string | undefined;
  /** Received at or after, and before; Unix milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
}

export async function findBusEvent(db: Reader, id: string): Promise<StoredBusEvent | null> {
  const row = await db.get<BusEventRow>(`SELECT ${columns} FROM bus_events e WHERE e.id = ?`, id);
  return row ? toBusEvent(row) : null;
}

/** The event with this id of this source: the publisher's id, where it gave one. */
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

/** Newest first. */
export async function listBusEvents(
  db: Reader,
  filter: BusEventFilter,
): Promise<Listed<ListedBusEvent>> {
  const { page, pageSize, routeId, from, to, ...others } = filter;
  const ofRoute = routeId !== undefined;
  // A route's events are found by it, whatever else is asked of them.
  const text = (column: string) => (ofRoute ? `COALESCE(${column}, '')` : column);
  const filters = new Filters()
    .add("m.route_id = ?", routeId)
    .add(`${text("e.type")} = ?`, others.type)
    .add(`${text("e.source")} = ?`, others.source)
    .add(`${text("e.agent_id")} = ?`, others.agentId)
    .add("e.received_at >= ?", from)
    .add("e.received_at < ?", to);
  const inTime = (from ?? to) !== undefined;
  const alone = inTime && !ofRoute && Object.values(others).every((value) => value === undefined);
  const tables = ofRoute ? "bus_matches m JOIN bus_events e ON e.id = m.event_id" : "bus_events e";
  // The order is the same: each is found in its own index.
  const order = ofRoute ? "m.event_id DESC" : alone ? "e.received_at DESC, e.id DESC" : "e.id DESC";
  const items = await db.all<ListedBusEvent>(
    `SELECT ${listedColumns} FROM ${tables} ${filters.where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...filters.params,
    ...limitOf({ page, pageSize }),
  );
  const count = await db.get<{ total: number }>(
    `SELECT COUNT(*) AS "total" FROM ${tables} ${filters.where}`,
    ...filters.params,
  );
  return { items, total: count?.total ?? 0 };
}

/**
 * The depth of what this id names: an event, by our id or its publisher's, or a command that the bus
 * made. Null when it names none. Where several sources have used the id, the greatest depth counts.
 */
export async function findCauseDepth(db: Reader, causationId: string): Promise<number | null> {
  const row = await db.get<{ depth: number | null }>(
    `SELECT MAX(depth) AS "depth" FROM (
       SELECT depth FROM bus_events WHERE id = ?
       UNION ALL SELECT depth FROM bus_events WHERE event_id = ?
       UNION ALL SELECT COALESCE(e.depth, 0) FROM commands c
         LEFT JOIN bus_events e ON e.id = c.source_id WHERE c.id = ? AND c.source_kind = 'bus')`,
    causationId,
    causationId,
    causationId,
  );
  return row?.depth ?? null;
}

export async function insertBusEvent(tx: Tx, event: StoredBusEvent): Promise<void> {
  const { envelope } = event;
  await tx.run(
    `INSERT INTO bus_events (id, agent_id, source, event_id, type, subject, depth, causation_id,
       correlation_id, envelope, received_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.id,
    event.agentId,
    envelope.source,
    envelope.id,
    envelope.type,
    envelope.subject ?? null,
    event.depth,
    envelope.causationid ?? null,
    envelope.correlationid ?? null,
    JSON.stringify(envelope),
    event.receivedAt,
  );
}

export async function insertBusMatch(tx: Tx, eventId: string, match: BusMatch): Promise<void> {
  await tx.run(
    `INSERT INTO bus_matches (event_id, route_id, route_name, outcome, command_id, reason)
     VALUES (?, ?, ?, ?, ?, ?)`,
    eventId,
    match.routeId,
    match.routeName,
    match.outcome,
    match.commandId,
    match.reason,
  );
}

/** In the order of the routes. */
export async function listBusMatches(db: Reader, eventId: string): Promise<ListedBusMatch[]> {
  const rows = await db.all<Omit<ListedBusMatch, "routeDeleted"> & { routeDeleted: number }>(
    `SELECT m.route_id AS "routeId", COALESCE(r.name, m.route_name) AS "routeName",
       r.id IS NULL AS "routeDeleted", m.outcome, m.command_id AS "commandId",
       c.status AS "commandStatus", m.reason
     FROM bus_matches m LEFT JOIN bus_routes r ON r.id = m.route_id
       LEFT JOIN commands c ON c.id = m.command_id
     WHERE m.event_id = ? ORDER BY m.route_id`,
    eventId,
  );
  return rows.map((row) => ({ ...row, routeDeleted: row.routeDeleted === 1 }));
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

function toBusEvent(row: BusEventRow): StoredBusEvent {
  return { ...row, envelope: JSON.parse(row.envelope) };
}
