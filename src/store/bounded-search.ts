// Finds one page of a long list, newest first, by combined filters, and how many there are, without ever looking
// at more than some thousand rows: however many filters a caller combines, the event loop is held for
// milliseconds. What was not looked at is said: the count is a lower bound, and `next` goes on from there.
//
// Of the filters one finds the rows in its index (the driver), the others are looked at on each of these rows.
// A filter that few rows pass is the driver, and then nothing is left out; when there is none, the newest
// rows are looked at until there are too many.

import { maxRowsCounted, maxRowsSearched } from "../domain/limits.ts";
import type { Reader, SqlValue } from "./database.ts";

/** Of a row in its list: when it came, and its key, which grows. */
export interface Cursor {
  at: number;
  key: string | number;
}

/** The table with the columns of key and time. Each has an index: the time's ends in the key. */
export interface Source {
  from: string;
  key: string;
  at: string;
}

export interface Condition {
  sql: string;
  params: SqlValue[];
  /** There is an index that finds these rows in the order of the key. */
  isIndexed: boolean;
}

export interface Search {
  conditions: Condition[];
  /** From then on, and before then; Unix milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only rows behind this one. */
  before?: Cursor | undefined;
  page: number;
  pageSize: number;
}

/** How much of the list is known. */
export interface Extent {
  total: number;
  /** There are as many rows or more. */
  isLowerBound: boolean;
  /** The row that the next page begins behind; null at the end. */
  next: Cursor | null;
  /** When the search ended before its end: rows older than this were not looked at. */
  searchedTo: number | null;
}

export interface FoundKeys<Key> extends Extent {
  keys: Key[];
}

interface Scanned {
  key: string | number;
  fits: number;
}

interface Driver {
  where: Condition[];
  /** Looked at on each row. */
  rest: Condition[];
  orderBy: string;
}

export async function findKeys<Key extends string | number>(
  db: Reader,
  source: Source,
  search: Search,
): Promise<FoundKeys<Key>> {
  const { page, pageSize } = search;
  const { where, rest, orderBy } = await driverOf(db, source, search);
  const limit = rest.length > 0 ? maxRowsSearched : maxRowsCounted;
  const scanned = await db.all<Scanned>(
    `SELECT ${source.key} AS "key", ${allOf(rest) || "1"} AS "fits"
     FROM ${source.from} ${whereOf(where)} ORDER BY ${orderBy} LIMIT ?`,
    ...paramsOf(rest),
    ...paramsOf(where),
    limit + 1,
  );
  const isWhole = scanned.length <= limit;
  if (!isWhole) scanned.pop();
  const found = scanned.filter(({ fits }) => fits === 1);
  const begin = (page - 1) * pageSize;
  const end = begin + pageSize;
  const oldest = isWhole ? undefined : scanned.at(-1);
  const last = end < found.length ? found[end - 1] : oldest;
  // Where every row that is found is wanted, there is one more for sure.
  const more = isWhole || rest.length > 0 ? 0 : 1;
  return {
    keys: found.slice(begin, end).map(({ key }) => key as Key),
    total: found.length + more,
    isLowerBound: !isWhole,
    next: last ? await cursorAt(db, source, last.key) : null,
    searchedTo: oldest && rest.length > 0 ? (await cursorAt(db, source, oldest.key)).at : null,
  };
}

/** Looked up for the one row: an index of a filter has no time in it. */
async function cursorAt(
  db: Reader,
  { from, key, at }: Source,
  ofKey: Cursor["key"],
): Promise<Cursor> {
  const row = await db.get<{ at: number }>(
    `SELECT ${at} AS "at" FROM ${from} WHERE ${key} = ? LIMIT 1`,
    ofKey,
  );
  return { at: row?.at ?? 0, key: ofKey };
}

/** A list in a range of time is in the order of time, any other in that of the key: it is the same. */
async function driverOf(db: Reader, source: Source, search: Search): Promise<Driver> {
  const { conditions, before } = search;
  const time = timeOf(source, search);
  const byKey = `${source.key} DESC`;
  const byTime = `${source.at} DESC, ${source.key} DESC`;
  const behind = before ? [conditionBehind(source, before, time !== null)] : [];
  const driveBy = (driver: Condition | null, orderBy: string): Driver => {
    const where = [...(driver ? [driver] : []), ...behind];
    const rest = [...conditions, ...(time ? [time] : [])].filter((each) => each !== driver);
    return { where, rest, orderBy };
  };
  const indexed = conditions.filter(({ isIndexed }) => isIndexed);
  const isAlone = conditions.length + (time ? 1 : 0) === 1;
  if (time && isAlone) return driveBy(time, byTime);
  if (isAlone || indexed.length === 0)
    return driveBy(time ?? indexed[0] ?? null, time ? byTime : byKey);

  const probes: { condition: Condition; count: number; last: string | number }[] = [];
  for (const condition of indexed) {
    const probe = await probeOf(db, source, [condition, ...(time ? [] : behind)], byKey);
    probes.push({ condition, ...probe });
  }
  probes.sort((a, b) => a.count - b.count || (a.last < b.last ? -1 : 1));
  const [best] = probes;
  const timeCount = time ? (await probeOf(db, source, [time, ...behind], byTime)).count : null;
  const isSmall = best !== undefined && best.count <= maxRowsSearched;
  if (time && !(isSmall && best.count <= (timeCount ?? 0))) return driveBy(time, byTime);
  // The plus keeps SQLite from walking along the index of time instead.
  const sorted = `+${source.at} DESC, +${source.key} DESC`;
  return driveBy(best?.condition ?? null, time ? sorted : byKey);
}

/** How many rows pass, as far as it matters; and how far back so many of them lie. */
async function probeOf(db: Reader, source: Source, where: Condition[], orderBy: string) {
  const row = await db.get<{ count: number; last: string | number }>(
    `SELECT COUNT(*) AS "count", MIN(looked.k) AS "last" FROM
       (SELECT ${source.key} AS k FROM ${source.from} ${whereOf(where)} ORDER BY ${orderBy} LIMIT ?) looked`,
    ...paramsOf(where),
    maxRowsSearched + 1,
  );
  return { count: row?.count ?? 0, last: row?.last ?? 0 };
}

function timeOf({ at }: Source, { from, to }: Search): Condition | null {
  const bounds = [
    ...(from === undefined ? [] : [{ sql: `${at} >= ?`, param: from }]),
    ...(to === undefined ? [] : [{ sql: `${at} < ?`, param: to }]),
  ];
  if (bounds.length === 0) return null;
  const sql = bounds.map((bound) => bound.sql).join(" AND ");
  return { sql, params: bounds.map(({ param }) => param), isIndexed: true };
}

function conditionBehind({ at, key }: Source, before: Cursor, inTime: boolean): Condition {
  return inTime
    ? { sql: `(${at}, ${key}) < (?, ?)`, params: [before.at, before.key], isIndexed: true }
    : { sql: `${key} < ?`, params: [before.key], isIndexed: true };
}

function allOf(conditions: Condition[]): string {
  return conditions.map(({ sql }) => `(${sql})`).join(" AND ");
}

function whereOf(conditions: Condition[]): string {
  return conditions.length === 0 ? "" : `WHERE ${conditions.map(({ sql }) => sql).join(" AND ")}`;
}

function paramsOf(conditions: Condition[]): SqlValue[] {
  return conditions.flatMap(({ params }) => params);
}
