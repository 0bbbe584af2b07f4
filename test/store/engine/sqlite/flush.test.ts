// Commits are confirmed when the log is on disk. (docs/decisions/0003-group-commit.md)

import type fs from "node:fs";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import type { Tx } from "../../../../src/store/database.ts";
import { SqliteDatabase } from "../../../../src/store/engine/sqlite/database.ts";
import { openWriter } from "../../../../src/store/engine/sqlite/file.ts";
import { WriteGroups } from "../../../../src/store/engine/sqlite/write-groups.ts";
import { single } from "../../../../src/store/engine/write-queue.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { replaceBuiltin } from "../../../helpers/builtin.ts";

type Flush = PromiseWithResolvers<void>;

/** Write groups whose flushes end only when the test says so. */
function openGroups() {
  const file = join(temporaryFolder(), "flush.db");
  const writer = openWriter({ file, busyTimeoutMs: 0, create: true });
  writer.exec("CREATE TABLE things (name TEXT PRIMARY KEY) STRICT");
  const other = new BetterSqlite3(file, { timeout: 0 });
  onTestFinished(() => {
    other.close();
    writer.close();
  });
  const flushes: Flush[] = [];
  const seen = { unconfirmed: 0 };
  const groups = new WriteGroups(writer, {
    busyTimeoutMs: 0,
    now: Date.now,
    problemOfFiles: () => null,
    flush() {
      const flush: Flush = Promise.withResolvers();
      flushes.push(flush);
      return flush.promise;
    },
    onUnconfirmed() {
      seen.unconfirmed++;
    },
  });
  const run = <T>(work: (tx: Tx) => Promise<T>) => groups.add(single(work), null);
  const add = (name: string) => run((tx) => tx.run("INSERT INTO things (name) VALUES (?)", name));
  /** Resolves when the given flush was requested. */
  const requested = async (count: number): Promise<Flush> => {
    await expect.poll(() => flushes.length, { interval: 1 }).toBeGreaterThanOrEqual(count);
    return flushes[count - 1] as Flush;
  };
  return { file, other, groups, flushes, seen, run, add, requested };
}

const diskFailed = Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
const names = "SELECT name FROM things ORDER BY name";

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  const pending = Symbol("pending");
  return (await Promise.race([promise, pending])) === pending;
}

test("a write is confirmed after the flush, and the next group waits for it", async () => {
  const { groups, flushes, add, requested } = openGroups();
  const first = add("a");
  const flush = await requested(1);
  const second = add("b");
  expect(await isPending(Promise.race([first, second, groups.durable()]))).toBe(true);
  expect(flushes).toHaveLength(1);
  flush.resolve();
  expect(await first).toBe(1);
  await groups.durable();
  (await requested(2)).resolve();
  expect(await second).toBe(1);
});

test("a group waits while more writes arrive", async () => {
  const { flushes, add, requested } = openGroups();
  const writes = [add("a"), add("b")];
  await nextTurn();
  writes.push(add("c"));
  (await requested(1)).resolve();
  expect(await Promise.all(writes)).toEqual([1, 1, 1]);
  expect(flushes).toHaveLength(1);
});

test("writes that change nothing need no flush", async () => {
  const { run, flushes } = openGroups();
  expect(await run((tx) => tx.all(names))).toEqual([]);
  expect(flushes).toHaveLength(0);
});

test("after a failed flush, the log is moved into the database file", async () => {
  const { file, groups, seen, add, requested } = openGroups();
  const write = add("a");
  (await requested(1)).reject(diskFailed);
  expect(await write).toBe(1);
  expect(statSync(`${file}-wal`).size).toBe(0);
  expect(seen.unconfirmed).toBe(0);
  expect(groups.failure).toBeNull();
  await groups.durable();
});

test("while the log cannot be moved, nothing is confirmed", async () => {
  const { other, groups, run, seen, add, requested } = openGroups();
  const effects: string[] = [];
  other.exec("BEGIN");
  other.prepare(names).all();
  const write = run(async (tx) => {
    tx.afterCommit(() => effects.push("committed"));
    tx.afterRollback(() => effects.push("undone"));
    await tx.run("INSERT INTO things (name) VALUES ('a')");
  });
  (await requested(1)).reject(diskFailed);
  const doubt = { code: "UNAVAILABLE", cause: { reason: "IO_ERROR" } };
  const message = expect.stringContaining("may or may not have been made");
  await expect(write).rejects.toMatchObject({ ...doubt, message });
  expect(effects).toEqual([]);
  expect(seen.unconfirmed).toBe(1);
  expect(groups.failure).toMatchObject({ reason: "IO_ERROR" });
  const mayBeLost = expect.stringContaining("may still be lost");
  await expect(groups.durable()).rejects.toMatchObject({ ...doubt, message: mayBeLost });
  await expect(add("b")).rejects.toMatchObject(doubt);

  other.exec("ROLLBACK");
  const later = add("c");
  (await requested(2)).resolve();
  expect(await later).toBe(1);
  expect(groups.failure).toBeNull();
  await groups.durable();
  expect(other.prepare(names).pluck().all()).toEqual(["a", "c"]);
});

test("a write ends when the log is on disk, and a read waits for the effects of the commit", async () => {
  const disk = Promise.withResolvers<void>();
  const flushed: number[] = [];
  replaceBuiltin<typeof fs>("node:fs", ({ fdatasync, fstatSync }) => ({
    fdatasync: ((descriptor, callback) => {
      flushed.push(fstatSync(descriptor).ino);
      disk.promise.then(() => fdatasync(descriptor, callback));
    }) as typeof fdatasync,
  }));
  const file = join(temporaryFolder(), "read.db");
  const writer = openWriter({ file, busyTimeoutMs: 0, create: true });
  writer.exec("CREATE TABLE things (name TEXT PRIMARY KEY) STRICT");
  const database = new SqliteDatabase(writer, { busyTimeoutMs: 0, now: Date.now });
  onTestFinished(() => database.close());
  const seen: unknown[] = [];
  const write = database.write(async (tx) => {
    tx.afterCommit(() => seen.push("effect"));
    await tx.run("INSERT INTO things (name) VALUES ('a')");
  });
  await expect.poll(() => flushed, { interval: 1 }).toEqual([statSync(`${file}-wal`).ino]);
  const read = database.read.all<{ name: string }>(names).then((rows) => seen.push(rows));
  expect(await isPending(Promise.race([write, read]))).toBe(true);
  disk.resolve();
  await Promise.all([write, read]);
  expect(seen).toEqual(["effect", [{ name: "a" }]]);
});
