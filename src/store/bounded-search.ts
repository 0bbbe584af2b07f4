// Finds one page of a long list, newest first, and counts the matches. Reads at most a few thousand
// rows, so that it never blocks for long. If more rows remain, the count is a lower bound.

import { maxRowsCounted, maxRowsSearched } from "../domain/limits.ts";
import { placeholders } from "./blocks.ts";
import type { Reader, SqlValue } from "./database.ts";
import { type Condition, fitsOf, type Page, paramsOf, whereOf } from "./filters.ts";

/**
 * The position of a row in its list. `at` is in Unix milliseconds. Newer rows have greater keys.
 */
export interface Cursor {
  at: number;
  key: string | number;
}

/**
 * The key and the time must each have an index. The key is the last column of the index on time.
 */
export interface Source {
  from: string;
  key: string;
  at: string;
}

export interface BoundedPage extends Page {
  /** Times are in Unix milliseconds: `from` is inclusive, `to` is exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  /** If this is set, only rows after this position in the list are found. */
  before?: Cursor | undefined;
  /**
   * Whether the total is not needed. A page without filters then reads only the rows up to its end.
   */
  uncounted?: true | undefined;
}

interface Search extends BoundedPage {
  conditions: Condition[];
}

export interface Extent {
  total: number;
  /** Whether there may be more matches than `total`. */
  isLowerBound: boolean;
  /** The row after which the next page begins; null if no row remains. */
  next: Cursor | null;
  /**
   * If the search stopped early, the time before which no rows were read, in Unix milliseconds;
   * otherwise null.
   */
  searchedTo: number | null;
}

export interface BoundedList<T> extends Extent {
  items: T[];
}

interface FoundKeys<Key> extends Extent {
  keys: Key[];
}

interface Scanned {
  key: string | number;
  fits: number;
}

/** One filter finds rows in its index. The other filters are checked on each row. */
interface Driver {
  where: Condition[];
  rest: Condition[];
  orderBy: string;
}

export async function findKeys<Key extends string | number>(
  db: Reader,
  source: Source,
  search: Search,
): Promise<FoundKeys<Key>> {
  const { page, pageSize, uncounted } = search;
  const { where, rest, orderBy } = await driverOf(db, source, search);
  const counted = uncounted ? page * pageSize : maxRowsCounted;
  const limit = rest.length > 0 ? maxRowsSearched : counted;
  const scanned = await db.all<Scanned>(
    `SELECT ${source.key} AS "key", ${fitsOf(rest)} AS "fits"
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
  // If every row matches, the row beyond the limit is one more match.
  const more = isWhole || rest.length > 0 ? 0 : 1;
  return {
    keys: found.slice(begin, end).map(({ key }) => key as Key),
    total: found.length + more,
    isLowerBound: !isWhole,
    next: last ? await cursorAt(db, source, last.key) : null,
    searchedTo: oldest && rest.length > 0 ? (await cursorAt(db, source, oldest.key)).at : null,
  };
}

/** Returns the rows in the order of `keys`. `sqlFor` gets the placeholders of an IN list. */
export async function rowsOf<Key extends SqlValue, Row>(
  db: Reader,
  keys: readonly Key[],
  keyOf: (row: Row) => Key,
  sqlFor: (places: string) => string,
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const rows = await db.all<Row>(sqlFor(placeholders(keys.length)), ...keys);
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** Reading the time needs its own query, because a filter's index does not contain the time. */
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

/**
 * Chooses the index to read: that of the filter with the fewest matches, or one that returns the
 * newest rows first.
 */
async function driverOf(db: Reader, source: Source, search: Search): Promise<Driver> {
  const { conditions, before, from, to } = search;
  const inTime = from !== undefined || to !== undefined;
  const time = timeOf(source, search);
  const byKey = `${source.key} DESC`;
  const byTime = `${source.at} DESC, ${source.key} DESC`;
  const behind = before ? [conditionBehind(source, before, inTime)] : [];
  const driveBy = (driver: Condition | null, orderBy: string): Driver => {
    const where = [...(driver ? [driver] : []), ...behind];
    const rest = [...conditions, ...(time ? [time] : [])].filter((each) => each !== driver);
    return { where, rest, orderBy };
  };
  const indexed = conditions.filter(({ isIndexed }) => isIndexed);
  const isAlone = conditions.length + (inTime ? 1 : 0) === 1;
  if (inTime && (isAlone || indexed.length === 0)) return driveBy(time, byTime);
  if (isAlone || indexed.length === 0) return driveBy(indexed[0] ?? null, byKey);

  const probes: { condition: Condition; count: number; last: string | number }[] = [];
  for (const condition of indexed) {
    const probe = await probeOf(db, source, [condition, ...(inTime ? [] : behind)], byKey);
    probes.push({ condition, ...probe });
  }
  probes.sort((a, b) => a.count - b.count || (a.last < b.last ? -1 : 1));
  const [best] = probes;
  if (inTime) {
    const { count } = await probeOf(db, source, [...(time ? [time] : []), ...behind], byTime);
    const isSmall = best !== undefined && best.count <= Math.min(count, maxRowsSearched);
    if (!isSmall) return driveBy(time, byTime);
  }
  // The plus sign keeps the planner from using the index on time.
  const sorted = `+${source.at} DESC, ${source.key} DESC`;
  return driveBy(best?.condition ?? null, inTime ? sorted : byKey);
}

/** Counts the matching rows up to the limit, and finds the oldest of them. */
async function probeOf(db: Reader, source: Source, where: Condition[], orderBy: string) {
  const row = await db.get<{ count: number; last: string | number }>(
    `SELECT COUNT(*) AS "count", MIN(looked.k) AS "last" FROM
       (SELECT ${source.key} AS k FROM ${source.from} ${whereOf(where)} ORDER BY ${orderBy} LIMIT ?) looked`,
    ...paramsOf(where),
    maxRowsSearched + 1,
  );
  return { count: row?.count ?? 0, last: row?.last ?? 0 };
}

/**
 * Omits `to` if all rows after the cursor are older anyway. Otherwise, SQLite would begin at `to`
 * instead of at the cursor.
 */
function timeOf({ at }: Source, { from, to, before }: Search): Condition | null {
  const isImplied = before !== undefined && to !== undefined && before.at < to;
  const bounds = [
    ...(from === undefined ? [] : [{ sql: `${at} >= ?`, param: from }]),
    ...(to === undefined || isImplied ? [] : [{ sql: `${at} < ?`, param: to }]),
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
