import { describe, expect, test, vi } from "vitest";
import { ConnectionLost } from "../../../../src/store/engine/postgresql/connection/losses.ts";
import type { Session } from "../../../../src/store/engine/postgresql/connection/session.ts";
import { QuickReads } from "../../../../src/store/engine/postgresql/quick-reads.ts";
import { readerConnections } from "../../../../src/store/engine/postgresql/reader-connections.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import { add, countIn, openEngine } from "./engine.ts";

const present = { gone: false, onGone: () => () => undefined };

/** Returns the statements that are running on other connections to this database. */
async function running(other: Awaited<ReturnType<typeof openEngine>>["other"]): Promise<string[]> {
  const { rows } = await other.query(
    `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
     AND pid <> pg_backend_pid()`,
  );
  return rows.map(({ query }) => query);
}

describe.skipIf(!hasPostgres)("reads", () => {
  test("return numbers, text and null, as SQLite's do", async () => {
    const { database } = await openEngine();
    await database.write((tx) => Promise.all(["a", "b"].map((name) => add(tx, name))));
    const row = await database.read.get(
      `SELECT COUNT(*) AS "count", SUM(id) AS "sum", AVG(id) AS "mean", MIN(name) AS "first",
         NULL AS "nothing", COUNT(*) = ? AS "isTwo" FROM things`,
      2,
    );
    expect(row).toEqual({ count: 2, sum: 3, mean: 1.5, first: "a", nothing: null, isTwo: 1 });
    expect(await database.read.get("SELECT name FROM things WHERE name = ?", "c")).toBeUndefined();
    const large = await database.read.get(`SELECT 9007199254740993::bigint AS "large"`);
    expect(large).toEqual({ large: 9007199254740992 });
    await expect(database.read.get("SELECT nonsense")).rejects.toMatchObject({ code: "42703" });
  });

  test("change nothing", async () => {
    const { database } = await openEngine();
    await expect(database.read.all("DELETE FROM things")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      cause: { reason: "READ_ONLY" },
    });
  });

  test("that take long are stopped on the server when their caller leaves", async () => {
    const { database, other } = await openEngine();
    const leaving: (() => void)[] = [];
    const caller = {
      gone: false,
      onGone(leave: () => void) {
        leaving.push(leave);
        return () => undefined;
      },
    };
    const reading = database.bulkReader(caller).get("SELECT pg_sleep(60)");
    const refused = expect(reading).rejects.toThrow("The read was stopped.");
    await vi.waitFor(async () => expect(await running(other)).toHaveLength(1), 60_000);
    for (const leave of leaving) leave();
    await refused;
    await vi.waitFor(async () => expect(await running(other)).toEqual([]), 60_000);
    expect(await countIn(database.bulkReader(present))).toBe(0);
  });

  test("that take long do not delay others", async () => {
    const { database, other } = await openEngine();
    const slow = [1, 2, 3].map((seconds) =>
      database.bulkReader(present).get(`SELECT pg_sleep(60 + ${seconds})`),
    );
    const refused = Promise.allSettled(slow);
    await vi.waitFor(async () => expect(await running(other)).toHaveLength(2), 60_000);
    expect(await countIn(database.read)).toBe(0);
    await database.close();
    for (const each of await refused) {
      expect(each).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE" } });
    }
    await vi.waitFor(async () => expect(await running(other)).toEqual([]), 60_000);
  });

  test("run again if a migration has changed the type of a column", async () => {
    const { database, other } = await openEngine();
    await database.write((tx) => add(tx, "a"));
    const readers = [database.read, database.bulkReader(present)];
    const rows = () => Promise.all(readers.map((reader) => reader.all("SELECT id FROM things")));
    expect(await rows()).toEqual([[{ id: 1 }], [{ id: 1 }]]);
    await other.query("ALTER TABLE things ALTER COLUMN id TYPE INTEGER");
    expect(await rows()).toEqual([[{ id: 1 }], [{ id: 1 }]]);
  });

  test("of the statistics contain the server's version and the size", async () => {
    const { database, other } = await openEngine();
    await other.query(
      "CREATE TABLE schema_migrations (version BIGINT, name TEXT, checksum TEXT, applied_at BIGINT);" +
        "INSERT INTO schema_migrations VALUES (1, '0001-things.sql', '', 5)",
    );
    expect(await database.stats()).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+/),
      fileName: expect.stringMatching(/^test_/),
      sizeBytes: expect.any(Number),
      walBytes: 0,
      pageSizeBytes: 8192,
      migrations: [{ version: 1, name: "0001-things.sql", appliedAt: 5 }],
    });
  });
});

test("a read that still waits for its connection when the database closes opens no other one", async () => {
  const opening = Promise.withResolvers<Session>();
  let connections = 0;
  const quickReads = new QuickReads(async () => {
    connections++;
    throw new ConnectionLost(new Error("on purpose"));
  });
  const ignore = { onResponse: () => undefined, onEnd: () => undefined };
  const reader = readerConnections(() => opening.promise, quickReads)("", ignore);
  reader.send({ id: 1, sql: "SELECT 1", params: [], form: "all" });
  reader.kill();
  await quickReads.close();
  const session = {
    destroy: vi.fn(),
    query: () => Promise.reject(new ConnectionLost(new Error("the connection was closed"))),
  };
  opening.resolve(session as unknown as Session);
  // The second time is after the attempt to cancel the read.
  await vi.waitFor(() => expect(session.destroy).toHaveBeenCalledTimes(2), 60_000);
  expect(connections).toBe(0);
});
