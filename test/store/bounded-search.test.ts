// Tests lists with pairs of their filters on a large database. `npm run test:long` uses every pair
// and a million audit events, and also measures the time of each call.

import { expect, test } from "vitest";
import type { CommandStatus, CommandType } from "../../src/domain/commands/commands.ts";
import { maxRowsCounted, maxRowsSearched } from "../../src/domain/limits.ts";
import { listAuditEvents } from "../../src/store/audit/audit-events.ts";
import type { BoundedList, BoundedPage } from "../../src/store/bounded-search.ts";
import type { Reader } from "../../src/store/database.ts";
import { listApiKeys } from "../../src/store/tables/access/api-keys.ts";
import { listBusEvents } from "../../src/store/tables/bus/bus-events.ts";
import { listCommands } from "../../src/store/tables/commands/commands.ts";
import { openTestApp } from "../helpers/app.ts";
import { isLong, size } from "../helpers/size.ts";
import {
  agentIds,
  generatedFrom,
  generateLists,
  routeIds,
  type Sizes,
  serviceIds,
  stepMs,
} from "./generated-lists.ts";

const sizes: Sizes = isLong
  ? { auditEvents: 1_000_000, commands: 200_000, busEvents: 100_000 }
  : { auditEvents: 5_500, commands: 11_000, busEvents: 5_000 };

const none: Sizes = { auditEvents: 1, commands: 1, busEvents: 1 };

type Filter = Record<string, string | number | string[]>;
interface ListUnderTest {
  sizes: Sizes;
  filters: Filter[];
  list(db: Reader, filter: BoundedPage): Promise<BoundedList<unknown>>;
  keyOf(item: never): string | number;
  /** If false, the list is sorted by key. The orders differ if a clock was set back. */
  isSortedByTime(filter: Filter): boolean;
  /** Selects the key and time of the same rows with plain SQL. */
  naive(filter: Filter): string;
}

const time = (part: number, size: number) => generatedFrom + Math.floor(part * size) * stepMs;

const hasTime = (filter: Filter) => "from" in filter || "to" in filter;

/** The values are common, rare, only in old rows, or in no row. */
const lists: Record<string, ListUnderTest> = {
  "audit events": {
    sizes: { ...none, auditEvents: sizes.auditEvents },
    filters: [
      { action: "command.created" },
      { action: "user.created" },
      { action: "command.*" },
      { actorType: "AGENT" },
      { actorType: "USER" },
      { actorType: "LOCAL" },
      { actorId: agentIds[3]! },
      { actorId: "nobody" },
      { targetType: "service" },
      { targetType: "command" },
      { targetId: serviceIds[2]! },
      { result: "SUCCESS" },
      { result: "DENIED" },
      ...times(sizes.auditEvents),
    ],
    list: listAuditEvents as never,
    keyOf: ({ seq }: { seq: number }) => seq,
    isSortedByTime: hasTime,
    naive: naiveOf("audit_events", "seq", "at", {
      ...{ actorType: "actor_type", actorId: "actor_id" },
      ...{ targetType: "target_type", targetId: "target_id" },
    }),
  },
  commands: {
    sizes: { ...none, commands: sizes.commands },
    filters: [
      { status: "SUCCEEDED" },
      { status: "CANCELLED" },
      { status: "PENDING" },
      { type: "ACTION_EXECUTE" },
      { action: "rotate" },
      { action: "rare" },
      { agentId: agentIds[3]! },
      { serviceId: serviceIds[2]! },
      { routeId: routeIds[0]! },
      ...times(sizes.commands),
    ],
    list: (db, { status, type, ...filter }: BoundedPage & Filter) =>
      listCommands(db, {
        ...filter,
        ...(status ? { status: [status].flat() as CommandStatus[] } : {}),
        ...(type ? { type: [type as CommandType] } : {}),
      }),
    keyOf: ({ id }: { id: string }) => id,
    isSortedByTime: hasTime,
    naive: naiveOf("commands WHERE type <> 'ACTION_PREPARE' AND", "id", "created_at", {
      ...{ agentId: "agent_id", serviceId: "service_id" },
      routeId: "source_kind = 'bus' AND source_route_id",
    }),
  },
  "bus events": {
    sizes: { ...none, busEvents: sizes.busEvents },
    filters: [
      { type: "log.full" },
      { type: "log.rare" },
      { source: "service-3" },
      { agentId: agentIds[3]! },
      { routeId: routeIds[1]! },
      ...times(sizes.busEvents),
    ],
    list: listBusEvents as never,
    keyOf: ({ id }: { id: string }) => id,
    isSortedByTime: (filter) => hasTime(filter) && !filter.routeId,
    naive: (filter) => {
      const matches = filter.routeId ? " JOIN bus_matches m ON m.event_id = e.id" : "";
      const columns = { type: "e.type", agentId: "e.agent_id", routeId: "m.route_id" };
      return naiveOf(`bus_events e${matches}`, "e.id", "e.received_at", columns)(filter);
    },
  },
};

function times(size: number): Filter[] {
  return [
    { from: time(0.1, size), to: time(0.9, size) },
    { from: time(0.5, size), to: time(0.502, size) },
    { to: time(0.005, size) },
  ];
}

/** `columns` maps filter names to column names where they differ. */
function naiveOf(from: string, key: string, at: string, columns: Record<string, string>) {
  const where = from.includes(" WHERE ") ? from : `${from} WHERE`;
  return (filter: Filter) =>
    `SELECT ${key} AS key, ${at} AS at FROM ${where} ${conditions(filter, { ...columns, at })}`;
}

function rowsByPlainSql(db: Reader, { naive, isSortedByTime }: ListUnderTest, filter: Filter) {
  const order = isSortedByTime(filter) ? "at DESC, key DESC" : "key DESC";
  return db.all<{ key: string | number; at: number }>(`${naive(filter)} ORDER BY ${order}`);
}

function conditions(filter: Filter, columns: Record<string, string>): string {
  const parts = Object.entries(filter).map(([name, value]) => {
    if (name === "from") return `${columns.at} >= ${value}`;
    if (name === "to") return `${columns.at} < ${value}`;
    const column = columns[name] ?? name;
    if (Array.isArray(value)) return `${column} IN ('${value.join("', '")}')`;
    if (String(value).endsWith("*")) return `${column} LIKE '${String(value).slice(0, -1)}%'`;
    return `${column} = '${value}'`;
  });
  return parts.join(" AND ") || "1";
}

/** Returns no filter, each filter alone, and pairs of filters with different names. */
function pairsOf(filters: Filter[]): Filter[] {
  const pairs = filters.flatMap((one, at) =>
    filters
      .slice(at + 1)
      .filter((other) => Object.keys(one).every((name) => !(name in other)))
      .map((other) => ({ ...one, ...other })),
  );
  // Many pairs use the same statement.
  return [{}, ...filters, ...pairs.filter((_, at) => isLong || at % 18 === 0)];
}

/** Counts the rows that a call reads or counts, and collects its statements. */
function watched(db: Reader) {
  const seen = { rows: 0, statements: new Map<string, unknown[]>() };
  const reader: Reader = {
    async get(sql, ...params) {
      seen.statements.set(sql, params);
      const row = await db.get<Record<string, number>>(sql, ...params);
      seen.rows += row?.count ?? 1;
      return row as never;
    },
    async all(sql, ...params) {
      seen.statements.set(sql, params);
      const rows = await db.all(sql, ...params);
      seen.rows += rows.length;
      return rows as never;
    },
  };
  return { seen, reader };
}

/** The statements whose plans were checked. Their parameters make no difference. */
const planned = new Set<string>();

/** No statement may scan a table, except from its newest row, or sort more than a few rows. */
async function checkPlans(db: Reader, statements: Map<string, unknown[]>): Promise<void> {
  for (const [sql, params] of statements) {
    if (planned.has(sql)) continue;
    planned.add(sql);
    const plan = await db.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN ${sql}`,
      ...(params as never[]),
    );
    const details = plan.map(({ detail }) => detail).join("; ");
    const isWalk = / LIMIT \?/.test(sql) && !/ WHERE /.test(sql);
    if (!isWalk && !/^SELECT \(SELECT MIN/.test(sql)) {
      expect(details, sql).not.toMatch(/SCAN (?!looked|CONSTANT|\(subquery)/);
    }
    // SQLite seeks to only one upper bound. If there were two, it could begin at the wrong one, and
    // read every row from there to the cursor.
    if (/at, \S+\) < \(\?, \?\)/.test(sql)) expect(sql).not.toMatch(/at < \?/);
    if (!/ORDER BY \+/.test(sql)) expect(details, sql).not.toContain("TEMP B-TREE");
  }
}

/** Makes one call and measures its CPU time, which other programs do not change. */
async function callOnce(db: Reader, { list }: ListUnderTest, filter: Filter, page: BoundedPage) {
  const { seen, reader } = watched(db);
  const began = process.threadCpuUsage();
  const answer = await list(reader, { ...filter, ...page });
  const { user, system } = process.threadCpuUsage(began);
  const given = Object.keys(filter).length;
  const most = maxRowsCounted + 1200 + (given + 1) * (maxRowsSearched + 1) + 10;
  expect(seen.rows, JSON.stringify(filter)).toBeLessThan(most);
  await checkPlans(db, seen.statements);
  return { answer, ms: (user + system) / 1000 };
}

/** Returns random numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * sides);
  };
}

/** Chooses random filters with different names. A command filter may have several statuses. */
function throwFilter({ filters }: ListUnderTest, roll: (sides: number) => number): Filter {
  const filter: Filter = {};
  for (let wanted = 1 + roll(3); wanted > 0; wanted--) {
    const one = filters[roll(filters.length)]!;
    if (Object.keys(one).some((name) => name in filter)) continue;
    Object.assign(filter, one);
  }
  const several = [
    ["SUCCEEDED", "CANCELLED"],
    ["PENDING", "CANCELLED"],
    ["FAILED", "SUCCEEDED"],
  ];
  if ("status" in filter && roll(2) === 0) filter.status = several[roll(several.length)]!;
  return filter;
}

test("an empty list of wanted values matches nothing", async () => {
  const app = openTestApp();
  await generateLists(app, none, "set back");
  const { read } = app.database;
  const page = { page: 1, pageSize: 10 };
  expect(await listCommands(read, page)).toMatchObject({ total: 1 });
  expect(await listCommands(read, { ...page, status: [] })).toMatchObject({ items: [], total: 0 });
  expect(await listApiKeys(read, { ...page, status: [] }, 0)).toEqual({ items: [], total: 0 });
});

test.each(Object.keys(lists))(
  "%s lists are complete with every filter and with several, after a row, and if the clock was set back",
  async (name) => {
    const tested = lists[name]!;
    const opened = openTestApp();
    await generateLists(opened, tested.sizes, "set back");
    const db = opened.database.read;
    const roll = dice(20_260_101);
    const thrown = Array.from({ length: size(3, 60) }, () => throwFilter(tested, roll));
    const calls: { ms: number; filter: Filter }[] = [];
    for (const filter of [...pairsOf(tested.filters), ...thrown]) {
      const rows = await rowsByPlainSql(db, tested, filter);
      const inTime = tested.isSortedByTime(filter);
      // Only the first pages, in the usual size, are measured, because there are a million rows.
      const isMeasured = isLong && !thrown.includes(filter);
      let before: BoundedPage["before"];
      let done = 0;
      for (let round = 0; round === 0 || (before && !(isMeasured && round === 5)); round++) {
        const page = isMeasured ? 1 : 1 + roll(3);
        const size = isMeasured ? 200 : 300 + roll(900);
        const what = JSON.stringify({ filter, before, page, size });
        const wanted = { before, page, pageSize: size };
        const { answer, ms } = await callOnce(db, tested, filter, wanted);
        if (isMeasured) calls.push({ ms, filter });
        const found = answer.items.map((item) => tested.keyOf(item as never));
        const begin = done + (page - 1) * size;
        const expected = rows.slice(begin, begin + size).map(({ key }) => key);
        if (answer.isLowerBound) {
          expect(found, what).toEqual(expected.slice(0, found.length));
          expect(answer.total, what).toBeLessThanOrEqual(rows.length - done);
        } else {
          expect(found, what).toEqual(expected);
          expect(answer.total, what).toBe(rows.length - done);
        }
        const { next } = answer;
        before = next ?? undefined;
        expect(answer.searchedTo === null || next !== null, what).toBe(true);
        const isBehind = (row: (typeof rows)[0]) =>
          next === null || (inTime && row.at !== next.at ? row.at < next.at : row.key < next.key);
        const last = done;
        done = next === null ? rows.length : rows.length - rows.filter(isBehind).length;
        // The cursor skips only rows of earlier pages.
        expect(done, what).toBeLessThanOrEqual(begin + found.length);
        if (next === null) expect(begin + size, what).toBeGreaterThanOrEqual(rows.length);
        else expect(done, what).toBeGreaterThanOrEqual(last);
      }
    }
    if (name !== "audit events") await expectPagesWithoutTotal(tested, db);
    if (!isLong) return;
    calls.sort((a, b) => b.ms - a.ms);
    const p99 = calls[Math.floor(calls.length / 100)]!.ms;
    const slowest = calls
      .slice(0, 3)
      .map((one) => `${one.ms.toFixed(1)} ${JSON.stringify(one.filter)}`);
    console.log(`${name}: ${calls.length} calls, p99 ${p99.toFixed(1)} ms; ${slowest.join(", ")}`);
    expect(p99).toBeLessThan(50);
  },
);

/** Checks that pages without a total read only a few rows more than they return. */
async function expectPagesWithoutTotal(tested: ListUnderTest, db: Reader): Promise<void> {
  for (const filter of [{}, ...tested.filters.slice(isLong ? 0 : -5)]) {
    const what = JSON.stringify(filter);
    const expected = await rowsByPlainSql(db, tested, filter);
    const found: (string | number)[] = [];
    let before: BoundedPage["before"];
    do {
      const { seen, reader } = watched(db);
      const page = { ...filter, before, page: 1, pageSize: 500, uncounted: true } as const;
      const { items, next } = await tested.list(reader, page);
      found.push(...items.map((item) => tested.keyOf(item as never)));
      // A page reads its rows and the next one, and looks them up.
      if (what === "{}") expect(seen.rows).toBeLessThanOrEqual(3 * 500 + 10);
      before = next ?? undefined;
    } while (before);
    expect(found, what).toEqual(expected.map(({ key }) => key));
  }
}
