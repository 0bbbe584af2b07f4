// Stores the audit trail. No row is ever changed, and pruning deletes only the oldest rows.
// (docs/decisions/0010-audit-trail.md)

import type { KeyObject } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditEvent, ChainLink } from "../../domain/audit/audit-events.ts";
import { maxRowsCounted } from "../../domain/limits.ts";
import { isJsonObject, type JsonObject } from "../../domain/payload/json.ts";
import { jsonOrUndefined } from "../../lib/json/json-or-undefined.ts";
import {
  type BoundedList,
  type BoundedPage,
  findKeys,
  rowsOf,
  type Source,
} from "../bounded-search.ts";
import { storableText } from "../columns.ts";
import type { Reader, Tx } from "../database.ts";
import { fitsOf, type Page } from "../filters.ts";
import { oncePerTx } from "../once-per-tx.ts";
import { rowsInserter } from "../rows.ts";
import { get, run } from "../sql-tag.ts";
import { chainHash, genesis, type NewAuditEvent } from "./chain-hash.ts";
import { type AuditFilter, auditFilters, countAuditEvents, filtersWithoutTime } from "./filters.ts";
import { newestCheckpoint } from "./signatures.ts";

const rowsPerTurn = 200;

interface AuditRow extends Omit<AuditEvent, "metadata"> {
  metadata: string;
}

const columns = `seq, id, at, actor_type AS "actorType", actor_id AS "actorId",
  actor_name AS "actorName", action, target_type AS "targetType", target_id AS "targetId", result,
  message, ip, user_agent AS "userAgent", request_id AS "requestId", metadata, hash`;

const insertRows = rowsInserter("audit_events", [
  "seq id at actor_type actor_id actor_name action target_type target_id result message ip",
  "user_agent request_id metadata hash",
]);

/** The end of the chain, including the rows that this transaction has added. */
const chainEnd = oncePerTx(async (tx) => ({ newest: await newestLink(tx) }));

/**
 * Appends the rows to the chain and returns their links. Once the transaction is durable, calls
 * `onCommit` with each link, in the order of the chain.
 */
export async function appendAuditEvents(
  tx: Tx,
  key: KeyObject,
  wanted: readonly NewAuditEvent[],
  onCommit: (link: ChainLink) => void,
): Promise<ChainLink[]> {
  const end = await chainEnd.get(tx);
  // Nothing is awaited from here until all rows have their places.
  const links: ChainLink[] = [];
  const rows = wanted.map((one) => {
    const event = storable(one);
    const seq = end.newest.seq + 1;
    const link = { seq, hash: chainHash(key, end.newest.hash, seq, event) };
    end.newest = link;
    links.push(link);
    tx.afterCommit(() => onCommit(link));
    return { ...event, ...link, metadata: JSON.stringify(event.metadata) };
  });
  await insertRows(tx, rows);
  return links;
}

async function newestLink(db: Reader): Promise<ChainLink> {
  return (await auditHead(db)) ?? (await newestCheckpoint(db)) ?? genesis;
}

/**
 * Replaces characters that a database cannot store, because the hash must cover what it will
 * return.
 */
function storable(event: NewAuditEvent): NewAuditEvent {
  const { actorName, targetId, message, userAgent } = event;
  return {
    ...event,
    actorName: actorName && storableText(actorName),
    targetId: targetId && storableText(targetId),
    message: message && storableText(message),
    userAgent: userAgent && storableText(userAgent),
  };
}

export async function auditHead(db: Reader): Promise<ChainLink | undefined> {
  return db.get("SELECT seq, hash FROM audit_events ORDER BY seq DESC LIMIT 1");
}

export async function findAuditLink(db: Reader, seq: number): Promise<ChainLink | undefined> {
  return get(db)`SELECT seq, hash FROM audit_events WHERE seq = ${seq}`;
}

/** Returns the newest rows of an action, newest first. */
export async function newestOfAction(
  db: Reader,
  action: string,
  limit: number,
): Promise<AuditEvent[]> {
  const rows = await db.all<AuditRow>(
    `SELECT ${columns} FROM audit_events WHERE action = ? ORDER BY seq DESC LIMIT ?`,
    action,
    limit,
  );
  return rows.map(toAuditEvent);
}

const source: Source = { from: "audit_events", key: "seq", at: "at" };

/**
 * The newest rows come first. Without filters, the count is exact, because row numbers have no
 * gaps.
 */
export async function listAuditEvents(
  db: Reader,
  filter: AuditFilter & BoundedPage,
): Promise<BoundedList<AuditEvent>> {
  const { from, to } = filter;
  const conditions = filtersWithoutTime(filter).all;
  const before = filter.before && { ...filter.before, key: Number(filter.before.key) };
  const search = { ...filter, before, conditions };
  const { keys, ...extent } = await findKeys<number>(db, source, search);
  const items = await eventsOf(db, keys);
  if (conditions.length > 0 || (from ?? to) !== undefined || before) return { items, ...extent };
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

interface EventsAfter {
  items: AuditEvent[];
  /** The number of matching rows, including those on earlier pages. */
  found: number;
  /** The row after which the next page begins; null if this page ends the trail. */
  next: number | null;
  /**
   * If the search stopped before the page was full, the time of the last row that it read, in Unix
   * milliseconds; otherwise null.
   */
  searchedTo: number | null;
}

interface LookedAt {
  seq: number;
  at: number;
  fits: number;
}

/**
 * The oldest rows come first. Stops after `maxRowsCounted` rows, or when `shouldContinue` returns
 * false.
 */
export async function listAuditEventsAfter(
  db: Reader,
  afterSeq: number,
  filter: AuditFilter & Page,
  shouldContinue: () => boolean,
): Promise<EventsAfter> {
  const { page, pageSize } = filter;
  const wanted = page * pageSize;
  const filters = auditFilters(filter);
  const found: number[] = [];
  let last: LookedAt | undefined;
  let isEnd = false;
  for (let looked = 0; found.length < wanted && looked < maxRowsCounted && !isEnd; ) {
    if (last) await nextTurn();
    if (!shouldContinue()) break;
    const rows = await db.all<LookedAt>(
      `SELECT seq, at, ${fitsOf(filters.all)} AS "fits" FROM audit_events WHERE seq > ? ORDER BY seq LIMIT ?`,
      ...filters.params,
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

/** The rows whose numbers are greater than `after` and at most `upTo`. */
interface RowRange {
  after: number;
  upTo: number;
}

/** The oldest rows come first. */
export async function readAuditEvents(
  db: Reader,
  { after, upTo }: RowRange,
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

/** Returns the number of the last of the next `limit` rows; undefined if there are none. */
export async function endOfNextRows(
  db: Reader,
  { after, upTo }: RowRange,
  limit: number,
): Promise<number | undefined> {
  const row = await get(db)<{ seq: number | null }>`SELECT MAX(seq) AS "seq" FROM
     (SELECT seq FROM audit_events WHERE seq > ${after} AND seq <= ${upTo}
      ORDER BY seq LIMIT ${limit}) AS next_rows`;
  return row?.seq ?? undefined;
}

/** The oldest rows come first. The range must be short, because all of it is read. */
export async function filterAuditEvents(
  db: Reader,
  { after, upTo }: RowRange,
  filter: AuditFilter,
): Promise<AuditEvent[]> {
  const filters = auditFilters(filter).always("seq > ? AND seq <= ?", after, upTo);
  const rows = await db.all<AuditRow>(
    `SELECT ${columns} FROM audit_events ${filters.where} ORDER BY seq`,
    ...filters.params,
  );
  return rows.map(toAuditEvent);
}

/** Returns how many rows were deleted. The checkpoint must already exist. */
export function deleteOldestAuditEvents(tx: Tx, upTo: number): Promise<number> {
  return run(tx)`DELETE FROM audit_events WHERE seq <= ${upTo}`;
}

function toAuditEvent(row: AuditRow): AuditEvent {
  return { ...row, metadata: metadataOf(row.metadata) };
}

/** Shows unreadable metadata as text, so that the rest of the row can be read. */
function metadataOf(text: string): JsonObject {
  return parseMetadata(text) ?? { unreadable: text };
}

/** Returns null unless the text is a JSON object. Only other programs write anything else. */
export function parseMetadata(text: string): JsonObject | null {
  const value = jsonOrUndefined(text);
  return isJsonObject(value) ? value : null;
}
