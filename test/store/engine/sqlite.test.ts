import { copyFileSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  describeStorageProblem,
  type StorageReason,
} from "../../../src/domain/storage/failures.ts";
import type { Database, Tx } from "../../../src/store/database.ts";
import { SqliteDatabase } from "../../../src/store/engine/sqlite.ts";
import { openWriter } from "../../../src/store/engine/sqlite-file.ts";
import { temporaryFolder } from "../../helpers/app.ts";

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

function add(tx: Tx, name: string): Promise<number> {
  return tx.run("INSERT INTO things (name) VALUES (?)", name);
}

async function countIn(db: Pick<Tx, "get">): Promise<number | undefined> {
  return (await db.get<{ count: number }>(`SELECT COUNT(*) AS "count" FROM things`))?.count;
}

/** Returns the value of each write, or the code or message of its failure. */
async function outcomesOf(writes: Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(writes);
  return settled.map((each) =>
    each.status === "fulfilled" ? each.value : (each.reason.code ?? each.reason.message),
  );
}

const failing: Record<string, (tx: Tx) => Promise<never>> = {
  "after a change": async (tx) => {
    await add(tx, "gone");
    throw new Error("on purpose");
  },
  "after a read": async (tx) => {
    await countIn(tx);
    throw new Error("on purpose");
  },
  "at once": async () => {
    throw new Error("on purpose");
  },
};

test("writes in the same turn share one transaction, in their order", async () => {
  const { database, commits, names } = openEngine();
  const before = commits();
  const wanted = Array.from({ length: 20 }, (_, index) => `thing ${index}`);
  const times = await Promise.all(
    wanted.map((name, index) =>
      database.write(async (tx) => {
        expect(await countIn(tx)).toBe(index);
        await add(tx, name);
        return tx.now;
      }),
    ),
  );
  expect(new Set(times).size).toBe(1);
  expect(commits() - before).toBe(1);
  expect(names()).toEqual(wanted);
  const later = await database.write(async (tx) => {
    await add(tx, "later");
    return tx.now;
  });
  expect(later).not.toBe(times[0]);
  expect(commits() - before).toBe(2);
});

test.each(Object.entries(failing))(
  "a write that fails %s leaves nothing and does not affect the others",
  async (_when, fail) => {
    const { database, commits, names } = openEngine();
    const before = commits();
    const effects: string[] = [];
    const standing: string[] = [];
    const work = (name: string, then?: typeof fail) => async (tx: Tx) => {
      tx.afterCommit(() => effects.push(`${name} of ${names().length}`));
      standing.push(name);
      tx.afterRollback(() => standing.splice(standing.indexOf(name), 1));
      await (then ? then(tx) : add(tx, name));
      return name;
    };
    const writes = [work("a"), work("b", fail), work("c"), work("d", fail), work("e")];
    expect(await outcomesOf(writes.map((each) => database.write(each)))).toEqual([
      "a",
      "on purpose",
      "c",
      "on purpose",
      "e",
    ]);
    expect(names()).toEqual(["a", "c", "e"]);
    expect(commits() - before).toBe(1);
    // The effects ran when all writes were durable, and only for writes that did not fail.
    expect(effects).toEqual(["a of 3", "c of 3", "e of 3"]);
    // However often each write ran, only one run of each successful write remains.
    expect(standing).toEqual(["a", "c", "e"]);
  },
);

test.each(Object.entries(failing))(
  "a lone write that fails %s changes nothing",
  async (_, fail) => {
    const { database, names } = openEngine();
    let effects = 0;
    const write = database.write((tx) => {
      tx.afterCommit(() => effects++);
      return fail(tx);
    });
    await expect(write).rejects.toThrow("on purpose");
    await database.write((tx) => add(tx, "next"));
    expect(names()).toEqual(["next"]);
    expect(effects).toBe(0);
  },
);

test("a statement that the schema refuses rejects with SQLite's message", async () => {
  const { database, names } = openEngine();
  await database.write((tx) => add(tx, "a"));
  const writes = ["b", "a", "c"].map((name) => database.write((tx) => add(tx, name)));
  expect(await outcomesOf(writes)).toEqual([1, "SQLITE_CONSTRAINT_PRIMARYKEY", 1]);
  expect(names()).toEqual(["a", "b", "c"]);
});

test("a write that awaits something else is refused, with all writes in its transaction", async () => {
  const { database, names } = openEngine();
  let effects = 0;
  let standing = 0;
  const write = (wait: boolean) =>
    database.write(async (tx) => {
      tx.afterCommit(() => effects++);
      standing++;
      tx.afterRollback(() => standing--);
      await add(tx, `waits: ${wait}`);
      if (wait) await nextTurn();
    });
  expect(await outcomesOf([write(false), write(true)])).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
  expect(names()).toEqual([]);
  expect(effects).toBe(0);
  expect(standing).toBe(0);
  await write(false);
  expect(names()).toEqual(["waits: false"]);
  expect({ effects, standing }).toEqual({ effects: 1, standing: 1 });
});

test("a write that never ends does not delay the others", async () => {
  const { database, names } = openEngine();
  let late: Tx | undefined;
  const stuck = database.write(async (tx) => {
    late = tx;
    await add(tx, "stuck");
    await new Promise(() => undefined);
  });
  expect(await outcomesOf([stuck])).toEqual(["UNAVAILABLE"]);
  await database.write((tx) => add(tx, "next"));
  expect(names()).toEqual(["next"]);
  await expect(add(late!, "too late")).rejects.toThrow("awaited something other than");
  expect(names()).toEqual(["next"]);
});

test("a write requested by another write, or by its effect, runs in its own transaction", async () => {
  const { database, names } = openEngine();
  const inner: Promise<number>[] = [];
  const outer = await database.write(async (tx) => {
    inner.push(database.write(async (next) => next.now));
    tx.afterCommit(() => inner.push(database.write(async (next) => add(next, "effect"))));
    await add(tx, "outer");
    return tx.now;
  });
  expect(await inner[0]).toBeGreaterThan(outer);
  await Promise.all(inner);
  expect(names()).toEqual(["outer", "effect"]);
});

test("readers see committed data, and writers their own changes", async () => {
  const { database } = openEngine();
  const seen = await database.write(async (tx) => {
    await add(tx, "a");
    return { reader: await countIn(database.read), writer: await countIn(tx) };
  });
  expect(seen).toEqual({ reader: 0, writer: 1 });
  expect(await countIn(database.read)).toBe(1);
});

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
    const fine = { failure: null, stoppedSince: null, heldLog: null };
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

  test("an error in a statement does not count as a storage failure", async () => {
    const { database } = openEngine();
    await database.write((tx) => add(tx, "a"));
    expect(await outcomesOf([database.write((tx) => add(tx, "a"))])).toEqual([
      "SQLITE_CONSTRAINT_PRIMARYKEY",
    ]);
    expect(database.storage()).toMatchObject({ failure: null, commits: 1, heldLog: null });
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
  // If the second one waited after the first one, it would not end, because no more time passes.
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

test("the queue's depth counts the writes that are not durable yet", async () => {
  const { database } = openEngine();
  expect(database.queueDepth()).toBe(0);
  const inGroup: number[] = [];
  const write = (name: string) =>
    database.write(async (tx) => {
      await add(tx, name);
      inGroup.push(database.queueDepth());
    });
  const writes = ["a", "b"].map(write);
  expect(database.queueDepth()).toBe(2);
  await writes[0];
  expect(database.queueDepth()).toBe(0);
  // Writes in the running transaction count as well.
  expect(inGroup).toEqual([2, 2]);
  await outcomesOf([database.write(() => Promise.reject(new Error("no")))]);
  expect(database.queueDepth()).toBe(0);
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

  test("is rarely checkpointed by default", async () => {
    const { database, walBytes, grow } = await openGrown();
    await grow("b");
    const before = walBytes();
    await database.tidy();
    expect(walBytes()).toBe(before);
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

  test("is truncated at the next write while another process writes", async () => {
    const { database, other, walBytes, grow } = await openGrown(limit);
    await grow("b");
    other.exec("BEGIN IMMEDIATE");
    const before = walBytes();
    await database.tidy();
    expect(walBytes()).toBe(before);
    other.exec("COMMIT");
    await database.tidy();
    expect(walBytes()).toBe(0);
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

test("close waits for the writes that have arrived, and accepts no more", async () => {
  const { database, names } = openEngine();
  let closed = false;
  const arrived = ["a", "b"].map((name) =>
    database.write(async (tx) => {
      await add(tx, name);
      return closed;
    }),
  );
  const closing = database.close().then(() => {
    closed = true;
  });
  const late = outcomesOf([lateWrite(database)]);
  await closing;
  expect(await Promise.all(arrived)).toEqual([false, false]);
  expect(await late).toEqual(["UNAVAILABLE"]);
  expect(names()).toEqual(["a", "b"]);
});

function lateWrite(database: Database): Promise<number> {
  return database.write((tx) => add(tx, "late"));
}
