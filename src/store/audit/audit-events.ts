// The audit trail: rows are added, chained by HMAC, read, and never changed; the oldest are deleted
// below a checkpoint. The key is handed in: it lives in a file outside the database.
// (docs/decisions/0010-audit-trail.md)

import { createHmac, type KeyObject } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditEvent, ChainLink } from "../../domain/audit/audit-events.ts";
import { maxRowsCounted } from "../../domain/limits.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { type BoundedList, type BoundedPage, rowsOf } from "../bounded-list.ts";
import { findKeys, type Source } from "../bounded-search.ts";
import type { Reader, Tx } from "../database.ts";
import type { Page } from "../filters.ts";
import {
  type AuditFilter,
  auditConditions,
  auditFilters,
  countAuditEvents,
  hasTime,
  timeConditions,
} from "./filters.ts";
import { newestCheckpoint } from "./signatures.ts";

export type NewAuditEvent = Omit<AuditEvent, "seq" | "hash">;

/** Rows that are looked at before the event loop turns. */
const rowsPerTurn = 200;

interface AuditRow extends Omit<AuditEvent, "metadata"> {
  metadata: string;
}

const columns = `seq, id, at, actor_type AS "actorType", actor_id AS "actorId",
  actor_name AS "actorName", action, target_type AS "targetType", target_id AS "targetId", result,
  message, ip, user_agent AS "userAgent", request_id AS "requestId", metadata, hash`;

/** What the first row follows. */
export const genesis: ChainLink = { seq: 0, hash: "0".repeat(64) };

/** Adds a row behind the newest one; numbers and chains it. Answers its place in the chain. */
export async function appendAuditEvent(
  tx: Tx,
  key: KeyObject,
  wanted: NewAuditEvent,
): Promise<ChainLink> {
  const event = storable(wanted);
  const before = (await auditHead(tx)) ?? (await newestCheckpoint(tx)) ?? genesis;
  const seq = before.seq + 1;
  const hash = chainHash(key, before.hash, seq, event);
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
    hash,
  );
  return { seq, hash };
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

/** The newest row's place in the chain; undefined when there is no row. */
export async function auditHead(db: Reader): Promise<ChainLink | undefined> {
  return db.get("SELECT seq, hash FROM audit_events ORDER BY seq DESC LIMIT 1");
}

export async function findAuditLink(db: Reader, seq: number): Promise<ChainLink | undefined> {
  return db.get("SELECT seq, hash FROM audit_events WHERE seq = ?", seq);
}

const source: Source = { from: "audit_events", key: "seq", at: "at" };

/** Newest first. Of all of them the count is exact: their numbers have no gaps. */
export async function listAuditEvents(
  db: Reader,
  filter: AuditFilter & BoundedPage,
): Promise<BoundedList<AuditEvent>> {
  const conditions = auditConditions(filter);
  const before = filter.before && { ...filter.before, key: Number(filter.before.key) };
  const search = { ...filter, before, conditions };
  const { keys, ...extent } = await findKeys<number>(db, source, search);
  const items = await eventsOf(db, keys);
  if (conditions.length > 0 || hasTime(filter) || filter.before) return { items, ...extent };
  return { items, ...extent, total: await countAuditEvents(db), isLowerBound: false };
}

async function eventsOf(db: Reader, seqs: number[]): Promise<AuditEvent[]> {
  const rows = await rowsOf<number, AuditRow>(
    db,
    seqs,
    ({ seq }) => seq,
    (places) => `SELECT ${columns} FROM audit_events WHERE seq IN (${places})`,
  );
  return rows.map(toAuditEvent);
}

export interface EventsAfter {
  items: AuditEvent[];
  /** Rows that fit, those of earlier pages too. */
  found: number;
  /** The last row that was looked at or is on the page; null when the trail ends there. */
  next: number | null;
  /** When that row was written, and the page is not full because the search stopped there; else null. */
  searchedTo: number | null;
}

interface LookedAt {
  seq: number;
  at: number;
  fits: number;
}

/**
 * The next rows behind this number that a filter lets through, oldest first, until the page is full or
 * `maxRowsCounted` rows were looked at. A few are looked at in each turn of the event loop; `goOn` is asked
 * in between.
 */
export async function listAuditEventsAfter(
  db: Reader,
  afterSeq: number,
  filter: AuditFilter & Page,
  goOn: () => boolean,
): Promise<EventsAfter> {
  const { page, pageSize } = filter;
  const wanted = page * pageSize;
  const conditions = [...auditConditions(filter), ...timeConditions(filter)];
  const fits = conditions.map(({ sql }) => `(${sql})`).join(" AND ") || "1";
  const params = conditions.flatMap((condition) => condition.params);
  const found: number[] = [];
  let last: LookedAt | undefined;
  let isEnd = false;
  for (let looked = 0; found.length < wanted && looked < maxRowsCounted && !isEnd; ) {
    if (last) await nextTurn();
    if (!goOn()) break;
    const rows = await db.all<LookedAt>(
      `SELECT seq, at, ${fits} AS "fits" FROM audit_events WHERE seq > ? ORDER BY seq LIMIT ?`,
      ...params,
      last?.seq ?? afterSeq,
      rowsPerTurn + 1,
    );
    isEnd = rows.length <= rowsPerTurn;
    if (!isEnd) rows.pop();
    found.push(...rows.filter((row) => row.fits === 1).map(({ seq }) => seq));
    looked += rows.length;
    last = rows.at(-1) ?? last;
  }
  const items = await eventsOf(db, found.slice(wanted - pageSize, wanted));
  const whole = { items, found: Math.min(found.length, wanted) };
  if (isEnd && found.length <= wanted) return { ...whole, next: null, searchedTo: null };
  const lastOfPage = found[wanted - 1];
  if (lastOfPage !== undefined) return { ...whole, next: lastOfPage, searchedTo: null };
  return { ...whole, next: last?.seq ?? null, searchedTo: last?.at ?? null };
}

/** A part of the trail: after the one number, up to the other. */
export interface Stretch {
  after: number;
  upTo: number;
}

/** The next rows of a stretch, oldest first, at most `limit`. */
export async function readAuditEvents(
  db: Reader,
  { after, upTo }: Stretch,
  limit: number,
): Promise<AuditEvent[]> {
  const rows = await db.all<AuditRow>(
    `SELECT ${columns} FROM audit_events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
    after,
    upTo,
    limit,
  );
  return rows.map(toAuditEvent);
}

/** The number of the last of the next `limit` rows of a stretch; undefined when there are none. */
export async function endOfNextRows(
  db: Reader,
  { after, upTo }: Stretch,
  limit: number,
): Promise<number | undefined> {
  const row = await db.get<{ seq: number | null }>(
    `SELECT MAX(seq) AS "seq" FROM
       (SELECT seq FROM audit_events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?) AS next_rows`,
    after,
    upTo,
    limit,
  );
  return row?.seq ?? undefined;
}

/** All rows of a stretch that a filter lets through, oldest first. The stretch is to be short. */
export async function filterAuditEvents(
  db: Reader,
  { after, upTo }: Stretch,
  filter: AuditFilter,
): Promise<AuditEvent[]> {
  const filters = auditFilters(filter).always("seq > ? AND seq <= ?", after, upTo);
  const rows = await db.all<AuditRow>(
    `SELECT ${columns} FROM audit_events ${filters.where} ORDER BY seq`,
    ...filters.params,
  );
  return rows.map(toAuditEvent);
}

/** Deletes the rows up to this number; answers how many. The checkpoint must be there already. */
export function deleteOldestAuditEvents(tx: Tx, upTo: number): Promise<number> {
  return tx.run("DELETE FROM audit_events WHERE seq <= ?", upTo);
}

function toAuditEvent(row: AuditRow): AuditEvent {
  return { ...row, metadata: metadataOf(row.metadata) };
}

/** What somebody else wrote into the file must not keep the rest from being read: it is shown as it is. */
function metadataOf(text: string): JsonObject {
  return parseMetadata(text) ?? { unreadable: text };
}

/** Null for what is no JSON object: something other than this program wrote it. */
export function parseMetadata(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}
