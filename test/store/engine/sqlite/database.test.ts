// What only the SQLite engine does. writes.test.ts tests what the write groups of both engines do.

import { copyFileSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  describeStorageProblem,
  type StorageReason,
} from "../../../../src/domain/storage/failures.ts";
import type { Database, Tx } from "../../../../src/store/database.ts";
import { SqliteDatabase } from "../../../../src/store/engine/sqlite/database.ts";
import { openWriter } from "../../../../src/store/engine/sqlite/file.ts";
import { WriteGroups } from "../../../../src/store/engine/sqlite/write-groups.ts";
import { single } from "../../../../src/store/engine/write-queue.ts";
import { rowsInserter } from "../../../../src/store/rows.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { add, countIn, outcomesOf } from "../postgresql/engine.ts";

const unavailable = { code: "UNAVAILABLE", retryAfterSeconds: 1 };

/** The engine's clock advances whenever it is read. `other` is another connection to the file. */
function openEngine(busyTimeoutMs = 0, walLimitBytes?: number) {
  const file = join(temporaryFolder(), "engine.db");
  const writer = openWriter({ file, busyTimeoutMs, create: true });
  writer.exec("CREATE TABLE things (name TEXT PRIMARY KEY) STRICT");
  let time = 0;
  const database = new SqliteDatabase(writer, {
    busyTimeoutMs,
    now: () => ++time,
    ...(walLimitBytes === undefined ? {} : { walLimitBytes }),
  });
  const other = new BetterSqlite3(file, { timeout: 0 });
  onTestFinished(async () => {
    other.close();
    await database.close();
  });
  return {
    database,
    file,
    writer,
    other,
    commits: () => commitsIn(file),
    walBytes: () => statSync(`${file}-wal`).size,
    names: () => other.prepare("SELECT name FROM things ORDER BY rowid").pluck().all(),
  };
}

/** Counts the transactions in the log: their last frames contain the database size. */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at < log.length; at += frameBytes) if (log.readUInt32BE(at + 4) > 0) commits++;
  return commits;
}

test("while another connection holds the lock, writes are UNAVAILABLE and reads work; then both work", async () => {
  const { database, other, names } = openEngine();
  let effects = 0;
  const write = (name: string) =>
    database.write((tx) => {
      tx.afterCommit(() => effects++);
      return add(tx, name);
    });
  other.exec("BEGIN IMMEDIATE");
  await expect(write("a")).rejects.toMatchObject(unavailable);
  expect(await outcomesOf([write("b"), write("c")])).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
  expect(await countIn(database.read)).toBe(0);
  expect(effects).toBe(0);
  other.exec("ROLLBACK");
  await write("d");
  expect(names()).toEqual(["d"]);
  expect(effects).toBe(1);
});

test("a write that waits for the lock does not block the event loop", async () => {
  const { database, other, names } = openEngine(5000);
  other.exec("BEGIN IMMEDIATE");
  const writing = database.write((tx) => add(tx, "a"));
  // If the event loop were blocked, these would end only after the write has failed.
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(names()).toEqual([]);
  other.exec("ROLLBACK");
  await writing;
  expect(names()).toEqual(["a"]);
});

test("a full disk fails the whole transaction, and later writes work", async () => {
  const { database, writer, names } = openEngine();
  const limit = writer.pragma("max_page_count", { simple: true });
  const large = "x".repeat(100_000);
  writer.pragma("max_page_count = 10");
  const writes = ["small", large].map((name) => database.write((tx) => add(tx, name)));
  expect(await outcomesOf(writes)).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
  expect(names()).toEqual([]);
  await database.write((tx) => add(tx, "still fits"));
  writer.pragma(`max_page_count = ${limit}`);
  await database.write((tx) => add(tx, large));
  expect(names()).toEqual(["still fits", large]);
});

test("nothing is written after SQLite has ended the transaction, even by parallel work", async () => {
  const { database, names } = openEngine();
  await database.write((tx) => add(tx, "a"));
  // OR ROLLBACK ends the transaction, as a failing disk does.
  const end = (tx: Tx) => tx.run("INSERT OR ROLLBACK INTO things (name) VALUES ('a')");
  const late = rowsInserter("things", ["name"]);
  const writes = [
    database.write((tx) => add(tx, "before")),
    database.write((tx) =>
      Promise.all([end(tx), add(tx, "b"), late(tx, [{ name: "c" }]), countIn(tx)]),
    ),
  ];
  expect(await outcomesOf(writes)).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
  const caught = database.write((tx) => Promise.allSettled([end(tx), add(tx, "d")]));
  await expect(caught).rejects.toMatchObject(unavailable);
  expect(names()).toEqual(["a"]);
  await database.write((tx) => add(tx, "next"));
  expect(names()).toEqual(["a", "next"]);
});

describe("the state of the storage", () => {
  const failed = (database: Database) => outcomesOf([database.write((tx) => add(tx, "x"))]);
  const noChange = (database: Database) =>
    database.write((tx) => tx.run("DELETE FROM things WHERE name = 'nobody'"));

  test.each<{ what: string; sql: string; undo: string; reason: StorageReason }>([
    {
      what: "read-only",
      sql: "PRAGMA query_only = ON",
      undo: "PRAGMA query_only = OFF",
      reason: "READ_ONLY",
    },
    {
      what: "full",
      sql: "PRAGMA max_page_count = 1",
      undo: "PRAGMA max_page_count = 100000",
      reason: "DISK_FULL",
    },
  ])("$what is reported until a write has changed something", async (fault) => {
    const { database, writer } = openEngine();
    const fine = { failure: null, stoppedSince: null, pendingWrites: 0, heldLog: null };
    expect(database.storage()).toEqual({ ...fine, commits: 0 });
    writer.exec(fault.sql);
    const large = () => database.write((tx) => add(tx, "x".repeat(100_000)));
    await expect(large()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining(
        `nothing was changed. ${describeStorageProblem(fault.reason)}`,
      ),
    });
    const { since } = database.storage().failure!;
    const failed = { failure: { reason: fault.reason, since }, stoppedSince: since };
    expect(since).toEqual(expect.any(Number));
    expect(database.storage()).toEqual({ ...fine, ...failed, commits: 0 });
    writer.exec(fault.undo);
    await noChange(database);
    expect(database.storage()).toEqual({ ...fine, ...failed, commits: 0 });
    await large();
    expect(database.storage()).toEqual({ ...fine, commits: 1 });
  });

  test.each([
    ["deleted", "FILE_MISSING"],
    ["replaced", "FILE_REPLACED"],
  ])(
    "while the file is %s, nothing is committed; when it is back, writes work",
    async (how, reason) => {
      const { database, file, names } = openEngine();
      for (const path of [file, `${file}-wal`, `${file}-shm`]) {
        renameSync(path, `${path}.away`);
        if (how === "replaced") copyFileSync(`${path}.away`, path);
        expect(await failed(database)).toEqual(["UNAVAILABLE"]);
        expect(database.storage().failure).toMatchObject({ reason });
        renameSync(`${path}.away`, path);
      }
      expect(names()).toEqual([]);
      await database.write((tx) => add(tx, "back"));
      expect(database.storage().failure).toBeNull();
      expect(names()).toEqual(["back"]);
    },
  );
});

test("reads that fail because of the storage are UNAVAILABLE, with the error as the cause", async () => {
  const { database, file, writer } = openEngine();
  await database.write((tx) => add(tx, "a"));
  writer.pragma("wal_checkpoint(TRUNCATE)");
  writer.pragma("shrink_memory"); // empties the cache of pages
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, 4096));
  await expect(database.read.all("SELECT * FROM things")).rejects.toMatchObject({
    ...unavailable,
    cause: { access: "read", reason: "DAMAGED" },
  });
  await expect(database.read.all("SELECT nonsense")).rejects.toMatchObject({
    code: "SQLITE_ERROR",
  });
});

test("a write that joins others in waiting for the lock waits no longer than they do", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { database, other } = openEngine(300);
  other.exec("BEGIN IMMEDIATE");
  const write = (name: string) => outcomesOf([database.write((tx) => add(tx, name))]);
  const first = write("first");
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  const second = write("second");
  vi.advanceTimersByTime(300);
  // If the second write waited after the first, it would not end, because no more time passes.
  expect([await first, await second]).toEqual([["UNAVAILABLE"], ["UNAVAILABLE"]]);
  expect(database.storage().failure).toMatchObject({ reason: "LOCKED" });
});

test("a write that arrives during the wait for the lock joins the waiting transaction", async () => {
  const { database, other, commits, names } = openEngine(5000);
  const before = commits();
  other.exec("BEGIN IMMEDIATE");
  const writes: Promise<number>[] = [];
  for (const name of ["a", "b", "c"]) {
    writes.push(database.write((tx) => add(tx, name)));
    for (let turn = 0; turn < 3; turn++) await nextTurn();
  }
  other.exec("ROLLBACK");
  await Promise.all(writes);
  expect(names()).toEqual(["a", "b", "c"]);
  expect(commits() - before).toBe(1);
});

test("another connection's writes are reported once, and our own are not", async () => {
  const { database, other } = openEngine();
  let told = 0;
  const stop = database.onForeignChange(() => told++);
  const toldInNextTurn = async () => {
    await nextTurn();
    database.checkForeignChange();
    return told;
  };
  await database.write((tx) => add(tx, "ours"));
  expect(await toldInNextTurn()).toBe(0);
  other.exec("INSERT INTO things VALUES ('theirs')");
  // A later write of our own must not hide the other connection's write.
  await database.write((tx) => add(tx, "ours again"));
  expect(await toldInNextTurn()).toBe(1);
  expect(await toldInNextTurn()).toBe(1);
  other.exec("BEGIN; INSERT INTO things VALUES ('undone'); ROLLBACK");
  expect(await toldInNextTurn()).toBe(1);
  other.exec("INSERT INTO things VALUES ('more')");
  stop();
  expect(await toldInNextTurn()).toBe(1);
});

test("after a check for other connections' writes has failed, the next call checks again", () => {
  const { database, writer, other } = openEngine();
  let told = 0;
  database.onForeignChange(() => told++);
  other.exec("INSERT INTO things VALUES ('theirs')");
  const failing = vi.spyOn(Object.getPrototypeOf(writer.prepare("SELECT 1")), "get");
  onTestFinished(() => failing.mockRestore());
  failing.mockImplementationOnce(() => {
    throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_READ" });
  });
  expect(() => database.checkForeignChange()).toThrow(expect.objectContaining(unavailable));
  database.checkForeignChange();
  expect(told).toBe(1);
});

test("writes are pending until they are durable", async () => {
  const { database } = openEngine();
  expect(database.storage().pendingWrites).toBe(0);
  const inGroup: number[] = [];
  const write = (name: string) =>
    database.write(async (tx) => {
      await add(tx, name);
      inGroup.push(database.storage().pendingWrites);
    });
  const writes = ["a", "b"].map(write);
  expect(database.storage().pendingWrites).toBe(2);
  await writes[0];
  expect(database.storage().pendingWrites).toBe(0);
  // Writes in the running transaction count as well.
  expect(inGroup).toEqual([2, 2]);
  await outcomesOf([database.write(() => Promise.reject(new Error("no")))]);
  expect(database.storage().pendingWrites).toBe(0);
});

test("the statistics contain the engine's version, the sizes and the schema version", async () => {
  const { database, file } = openEngine();
  const stats = await database.stats();
  expect(stats).toMatchObject({
    version: expect.stringMatching(/^3\.\d+\.\d+$/),
    fileName: basename(file),
    sizeBytes: statSync(file).size,
    walBytes: statSync(`${file}-wal`).size,
    pageSizeBytes: 4096,
  });
  expect(stats.pageCount).toBeGreaterThan(1);
  await database.write((tx) => add(tx, "x".repeat(100_000)));
  const grown = await database.stats();
  expect(grown.pageCount).toBeGreaterThan(stats.pageCount);
  expect(grown.walBytes).toBeGreaterThan(stats.walBytes);
});

describe("the write-ahead log", () => {
  const limit = 400_000;
  /** One of these writes stays below the limit, and two exceed it. */
  const large = (name: string) => name + "x".repeat(limit / 4);
  const openGrown = async (limitBytes?: number) => {
    const engine = openEngine(0, limitBytes);
    const grow = (name: string) => engine.database.write((tx) => add(tx, large(name)));
    await grow("a");
    return { ...engine, grow };
  };

  test("is truncated only when it has grown beyond its limit", async () => {
    const { database, walBytes, grow, names } = await openGrown(limit);
    const small = walBytes();
    await database.tidy();
    expect(walBytes()).toBe(small);
    await grow("b");
    expect(walBytes()).toBeGreaterThan(limit);
    await database.tidy();
    expect(walBytes()).toBe(0);
    await grow("c");
    expect(names()).toHaveLength(3);
  });

  test("is truncated at the next write while a reader uses an old state", async () => {
    const { database, other, walBytes, grow, names } = await openGrown(limit);
    other.exec("BEGIN");
    expect(names()).toHaveLength(1);
    await grow("b");
    const before = walBytes();
    await database.tidy();
    expect(walBytes()).toBe(before);
    other.exec("COMMIT");
    await database.tidy();
    expect(walBytes()).toBe(0);
    expect(names()).toHaveLength(2);
  });

  test("is truncated between two transactions, and not after close", async () => {
    const { database, walBytes, grow, names } = await openGrown(limit);
    await grow("b");
    let tidied = Promise.resolve();
    await database.write(async (tx) => {
      await add(tx, "before");
      tidied = database.tidy();
      await add(tx, "after");
    });
    await tidied;
    expect(walBytes()).toBe(0);
    expect(names()).toHaveLength(4);
    await grow("c");
    await grow("d");
    await database.close();
    await database.tidy();
  });
});

test("work between groups runs while neither a group nor other such work runs", async () => {
  const file = join(temporaryFolder(), "engine.db");
  const writer = openWriter({ file, busyTimeoutMs: 0, create: true });
  onTestFinished(() => void writer.close());
  const groups = new WriteGroups(writer, {
    ...{ busyTimeoutMs: 0, now: () => 0, problemOfFiles: () => null },
    ...{ flush: async () => undefined, onUnconfirmed: () => undefined },
  });
  const seen: string[] = [];
  const note = (what: string) => async () => void seen.push(what);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const all = [
    groups.betweenGroups(() => held.then(note("first"))),
    groups.betweenGroups(note("second")),
    groups.add(single(note("write")), null),
  ];
  await nextTurn();
  release();
  await Promise.all(all);
  expect(seen).toEqual(["first", "second", "write"]);
});
