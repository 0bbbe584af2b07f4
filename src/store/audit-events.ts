// The audit trail: rows are added, chained by HMAC, and never changed.
// The key is handed in: it lives in a file outside the database. (`decisions.md` 7; `trust.md` "Audit")

import { createHmac, type KeyObject } from "node:crypto";
import type { AuditEvent } from "../domain/audit-events.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import type { Reader, Tx } from "./database.ts";
import { Filters, type Listed, limitOf, type Page } from "./filters.ts";

export type NewAuditEvent = Omit<AuditEvent, "seq" | "hash">;

interface AuditRow extends Omit<AuditEvent, "metadata"> {
  metadata: string;
}

const columns = `seq, id, at, actor_type AS "actorType", actor_id AS "actorId",
  actor_name AS "actorName", action, target_type AS "targetType", target_id AS "targetId", result,
  message, ip, user_agent AS "userAgent", request_id AS "requestId", metadata, hash`;

/** The hash before the first row. */
const genesis = "0".repeat(64);

/** Adds a row behind the newest one; numbers and chains it. */
export async function appendAuditEvent(
  tx: Tx,
  key: KeyObject,
  wanted: NewAuditEvent,
): Promise<void> {
  const event = storable(wanted);
  const last = await tx.get<{ seq: number; hash: string }>(
    `SELECT seq, hash FROM audit_events ORDER BY seq DESC LIMIT 1`,
  );
  const head = last ?? (await newestCheckpoint(tx)) ?? { seq: 0, hash: genesis };
  const seq = head.seq + 1;
  await tx.run(
    `INSERT INTO audit_events (seq, id, at, actor_type, actor_id, actor_name, action, target_type,
       target_id, result, message, ip, user_agent, request_id, metadata, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    event.id,
    event.at,
    event.actorType,
    event.actorId,
    event.actorName,
    event.action,
    event.targetType,
    event.targetId,
    event.result,
    event.message,
    event.ip,
    event.userAgent,
    event.requestId,
    JSON.stringify(event.metadata),
    chainHash(key, head.hash, seq, event),
  );
}

/** Half of a surrogate pair would come back as another character, and the hash would not fit. */
function storable(event: NewAuditEvent): NewAuditEvent {
  return {
    ...event,
    actorName: event.actorName?.toWellFormed() ?? null,
    targetId: event.targetId?.toWellFormed() ?? null,
    message: event.message?.toWellFormed() ?? null,
    userAgent: event.userAgent?.toWellFormed() ?? null,
  };
}

/** HMAC-SHA256(key, hash before, seq, canonical JSON of the row), hexadecimal. */
export function chainHash(
  key: KeyObject,
  before: string,
  seq: number,
  event: NewAuditEvent,
): string {
  return createHmac("sha256", key)
    .update(`${before}\n${seq}\n${canonicalJson(event)}`)
    .digest("hex");
}

async function newestCheckpoint(tx: Tx): Promise<{ seq: number; hash: string } | undefined> {
  return tx.get("SELECT seq, hash FROM audit_checkpoints ORDER BY seq DESC LIMIT 1");
}

export interface AuditFilter extends Page {
  /** Exact, or a beginning with `*` behind it. */
  action?: string | undefined;
  actorType?: string | undefined;
  actorId?: string | undefined;
  targetType?: string | undefined;
  targetId?: string | undefined;
  result?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

export async function listAuditEvents(
  db: Reader,
  filter: AuditFilter,
): Promise<Listed<AuditEvent>> {
  const filters = auditFilters(filter);
  const { from, to, page: _page, pageSize: _pageSize, ...others } = filter;
  const inTime = (from ?? to) !== undefined;
  const alone = inTime && Object.values(others).every((value) => value === undefined);
  // The order is the same; a range of time alone is found in its own index.
  const order = alone ? "at DESC, seq DESC" : "seq DESC";
  const rows = await db.all<AuditRow>(
    `SELECT ${columns} FROM audit_events ${filters.where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...filters.params,
    ...limitOf(filter),
  );
  const count = await db.get<{ total: number }>(
    `SELECT COUNT(*) AS "total" FROM audit_events ${filters.where}`,
    ...filters.params,
  );
  return { items: rows.map(toAuditEvent), total: count?.total ?? 0 };
}

/** The number of the newest row; 0 when there is none. */
export async function findNewestAuditSeq(db: Reader): Promise<number> {
  const row = await db.get<{ seq: number | null }>(`SELECT MAX(seq) AS "seq" FROM audit_events`);
  return row?.seq ?? 0;
}

/** Rows behind this number, oldest first. */
export async function listAuditEventsAfter(
  db: Reader,
  seq: number,
  limit: number,
): Promise<AuditEvent[]> {
  const rows = await db.all<AuditRow>(
    `SELECT ${columns} FROM audit_events WHERE seq > ? ORDER BY seq LIMIT ?`,
    seq,
    limit,
  );
  return rows.map(toAuditEvent);
}

/** The second half of a condition lets the engine use the partial index of the rarer values. */
function auditFilters(filter: AuditFilter): Filters {
  const filters = new Filters()
    .add("actor_id = ?", filter.actorId)
    .add("target_id = ?", filter.targetId)
    .add(exceptCommon("actor_type", "AGENT", filter.actorType), filter.actorType)
    .add(exceptCommon("target_type", "command", filter.targetType), filter.targetType)
    .add(exceptCommon("result", "SUCCESS", filter.result), filter.result)
    .add("at >= ?", filter.from)
    .add("at < ?", filter.to);
  if (filter.action?.endsWith("*")) {
    const prefix = filter.action.slice(0, -1);
    filters.always("action >= ? AND action < ?", prefix, `${prefix}\u{10ffff}`);
  } else {
    filters.add("action = ?", filter.action);
  }
  return filters;
}

function exceptCommon(column: string, common: string, value: string | undefined): string {
  return value === common ? `${column} = ?` : `${column} = ? AND ${column} <> '${common}'`;
}

function toAuditEvent(row: AuditRow): AuditEvent {
  return { ...row, metadata: JSON.parse(row.metadata) };
}
