// Checkpoints by another process. The test plays the part of that process.
// (docs/decisions/0021-reader-processes.md)

import { copyFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import type {
  ReaderEvents,
  ReadRequest,
  StartReader,
} from "../../../../src/domain/storage/reader-process.ts";
import type { Tx } from "../../../../src/store/database.ts";
import { Checkpointer } from "../../../../src/store/engine/sqlite/checkpointer.ts";
import { SqliteDatabase } from "../../../../src/store/engine/sqlite/database.ts";
import { openWriter, type SqliteConnection } from "../../../../src/store/engine/sqlite/file.ts";
import { openReaderProcess } from "../../../../src/store/engine/sqlite/reader-process.ts";
import { WalFile } from "../../../../src/store/engine/sqlite/wal-file.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { replaceBuiltin } from "../../../helpers/builtin.ts";
import { until } from "../../../helpers/process/process.ts";

const now = 1_700_000_000_000;
/** Logs are measured in pages, so the smallest pages make the tests fast. */
const pageBytes = 512;
const frameBytes = pageBytes + 24;

function openSmallPages(file: string): SqliteConnection {
  const writer = openWriter({ file, busyTimeoutMs: 0, create: true });
  writer.pragma("journal_mode = DELETE");
  writer.pragma(`page_size = ${pageBytes}`);
  writer.exec("VACUUM");
  writer.pragma("journal_mode = WAL");
  return writer;
}

/** A database whose checkpoints run only when the test calls `checkpoint`. */
function openDatabase({ walLimitBytes = Infinity, smallBytes = Infinity } = {}) {
  const file = join(temporaryFolder(), "log.db");
  const writer = openSmallPages(file);
  writer.exec("CREATE TABLE pages (content BLOB) STRICT");
  const requests: ReadRequest[] = [];
  const started: { events: ReaderEvents; isKilled: boolean; priority: string | undefined }[] = [];
  const respond = openReaderProcess(file);
  const database = new SqliteDatabase(writer, {
    busyTimeoutMs: 0,
    now: () => now,
    walLimitBytes,
    smallBytes,
    startReader(_file, events, priority) {
      const process = { events, isKilled: false, priority };
      started.push(process);
      const kill = () => {
        process.isKilled = true;
      };
      return { send: (request) => void requests.push(request), kill };
    },
  });
  onTestFinished(() => database.close());
  let responses = 0;
  const requested = async (count: number) => {
    while (requests.length < count) await nextTurn();
  };
  const checkpoint = async (count: number) => {
    await requested(count);
    const response = respond(requests[count - 1] as ReadRequest);
    responses = count;
    started.at(-1)?.events.onResponse(response);
  };
  const writePages = (count: number) =>
    database.write((tx: Tx) =>
      tx.run(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
         INSERT INTO pages (content) SELECT zeroblob(${pageBytes}) FROM numbers`,
        count,
      ),
    );
  /** Writes the pages as one row, which is faster. Each page also has the number of the next one. */
  const writeLong = (count: number) =>
    database.write((tx: Tx) =>
      tx.run("INSERT INTO pages (content) VALUES (zeroblob(?))", count * (pageBytes - 4)),
    );
  const logPages = () => Math.floor(statSync(`${file}-wal`).size / frameBytes);
  /** Reads the present state until `end` is called. */
  const beginRead = () => {
    const reader = new BetterSqlite3(file, { readonly: true });
    onTestFinished(() => void reader.close());
    reader.exec("BEGIN; SELECT COUNT(*) FROM pages");
    reader.prepare("SELECT COUNT(*) FROM pages").get();
    return { end: () => void reader.exec("COMMIT") };
  };
  /** Responds to all requests until `work` has ended. */
  const responding = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    void work.finally(() => {
      isOver = true;
    });
    for (; !isOver; await nextTurn())
      if (responses < requests.length) await checkpoint(responses + 1);
    return work;
  };
  const opened = { database, file, started, requests, requested, checkpoint, responding };
  return { ...opened, writePages, writeLong, logPages, beginRead };
}

/** Ends each pause between checkpoints at once. No other timer has the option `ref: false`. */
function skipPauses() {
  replaceBuiltin<typeof import("node:timers/promises")>("node:timers/promises", (real) => ({
    setTimeout: async (ms, value, options) =>
      options?.ref === false ? (value as never) : real.setTimeout(ms, value, options),
  }));
}

/** A checkpointer whose process by default never responds, and its database. */
function openCheckpointer(hasRoom: () => boolean, start?: StartReader) {
  const file = join(temporaryFolder(), "log.db");
  const writer = openSmallPages(file);
  onTestFinished(() => void writer.close());
  writer.exec("CREATE TABLE pages (content BLOB) STRICT");
  const requests: ReadRequest[] = [];
  const log = new WalFile(file);
  const checkpointer = new Checkpointer({
    ...{ writer, log, limitBytes: Infinity, now: () => now, hasRoom },
    start:
      start ?? (() => ({ send: (request) => void requests.push(request), kill: () => undefined })),
    betweenGroups: (work) => work(),
  });
  onTestFinished(() => {
    checkpointer.close();
    log.close();
  });
  return { checkpointer, writer, file, log, requests };
}

/**
 * Renames the files of an open database, and creates another one with a short log in their place.
 */
function replaceFiles(file: string) {
  const away = (end: string) => `${file}.away${end}`;
  for (const end of ["", "-wal", "-shm"]) renameSync(`${file}${end}`, away(end));
  const other = openSmallPages(file);
  onTestFinished(() => void other.close());
  other.exec("CREATE TABLE others (content BLOB) STRICT");
  return { other, away };
}

test("if no process can be started, SQLite moves the log in this process", async () => {
  const { checkpointer, writer } = openCheckpointer(
    () => false,
    (_file, { onEnd }) => {
      queueMicrotask(() => onEnd(new Error("spawn ENOMEM")));
      return { send: () => undefined, kill: () => undefined };
    },
  );
  await checkpointer.run();
  expect(writer.pragma("wal_autocheckpoint", { simple: true })).toBe(16_000);
});

test("a long log is moved into the file, and begins anew although writes continued", async () => {
  const { database, started, requests, checkpoint, requested, writePages, logPages } =
    openDatabase();
  await writePages(4_000);
  await requested(1);
  await writePages(10);
  await checkpoint(1);
  await requested(2);
  const during = writePages(10);
  const lengthBefore = logPages();
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(logPages()).toBe(lengthBefore);
  await checkpoint(2);
  await during;
  await writePages(1_000);
  expect(logPages()).toBe(lengthBefore);
  expect(requests).toEqual([
    { id: 1, checkpoint: "PASSIVE" },
    { id: 2, checkpoint: "PASSIVE" },
  ]);
  expect(started.map(({ priority }) => priority)).toEqual(["prompt"]);
  const [count] = await database.read.all<{ n: number }>("SELECT COUNT(*) AS n FROM pages");
  expect(count).toEqual({ n: 5_020 });
});

test.each([
  ["left alone while the disk has room", true, 0],
  ["moved early if the disk is almost full, because it would fill it", false, 1],
])("a log of medium length is %s", async (_, hasRoom, expected) => {
  const { checkpointer, writer, requests } = openCheckpointer(() => hasRoom);
  const insert = writer.prepare(`INSERT INTO pages VALUES (zeroblob(400 * ${pageBytes}))`);
  insert.run();
  checkpointer.noteCommit();
  expect(requests).toHaveLength(0);
  insert.run();
  checkpointer.noteCommit();
  expect(requests).toHaveLength(expected);
});

test("room for the log is reserved, which loses nothing, also for other processes and after a crash", async () => {
  const { database, file, writePages, logPages, requests } = openDatabase();
  await writePages(10);
  await database.tidy();
  const reserved = logPages();
  expect(reserved).toBeGreaterThanOrEqual(6_000);
  await writePages(10);
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  other.prepare("INSERT INTO pages SELECT content FROM pages LIMIT 5").run();
  await writePages(10);
  await database.tidy();
  expect(logPages()).toBe(reserved);
  expect(requests).toEqual([]);
  const count = "SELECT COUNT(*) AS n FROM pages";
  expect(await database.read.get(count)).toEqual({ n: 35 });
  // A crash leaves the files without the index that is shared in memory.
  const copy = join(temporaryFolder(), "crashed.db");
  for (const end of ["", "-wal"]) copyFileSync(`${file}${end}`, `${copy}${end}`);
  const crashed = new BetterSqlite3(copy);
  onTestFinished(() => void crashed.close());
  expect(crashed.prepare(count).get()).toEqual({ n: 35 });
});

test("while the log of another database has the name, room is reserved in our own, which loses nothing", async () => {
  let steps = 0;
  const { checkpointer, writer, file, log } = openCheckpointer(() => ++steps <= 10);
  writer.exec(`INSERT INTO pages VALUES (zeroblob(400 * ${pageBytes}))`);
  await log.flush();
  const { other, away } = replaceFiles(file);
  const otherBytes = statSync(`${file}-wal`).size;
  const ownBytes = statSync(away("-wal")).size;
  expect(otherBytes).toBeLessThan(ownBytes);
  await checkpointer.reserve();
  expect(steps).toBeLessThan(10);
  expect(statSync(`${file}-wal`).size).toBe(otherBytes);
  expect(statSync(away("-wal")).size).toBeGreaterThanOrEqual(6_000 * frameBytes);
  other.close();
  // A crash leaves the files without the index that is shared in memory.
  for (const end of ["", "-wal"]) renameSync(away(end), `${file}${end}`);
  const crashed = new BetterSqlite3(file);
  onTestFinished(() => void crashed.close());
  expect(crashed.prepare("SELECT COUNT(*) AS n FROM pages").get()).toEqual({ n: 1 });
});

test("no process works on files that have replaced the database", async () => {
  const { database, file, started, writePages } = openDatabase({ walLimitBytes: 0, smallBytes: 0 });
  await writePages(100);
  const caller = { gone: false, onGone: () => () => undefined };
  expect(database.bulkReader(caller)).not.toBe(database.read);
  replaceFiles(file);
  const tidied = database.tidy();
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(started).toEqual([]);
  await tidied;
  const [count] = await database.bulkReader(caller).all("SELECT COUNT(*) AS n FROM pages");
  expect(count).toEqual({ n: 100 });
  expect(started).toEqual([]);
});

test("no room is reserved while another process writes", async () => {
  const { database, file, writePages, logPages } = openDatabase();
  await writePages(10);
  const before = logPages();
  const other = new BetterSqlite3(file);
  onTestFinished(() => void other.close());
  other.exec("BEGIN IMMEDIATE");
  await database.tidy();
  expect(logPages()).toBe(before);
  other.exec("ROLLBACK");
  expect(await writePages(1)).toBe(1);
});

test("the processes for checkpoints and for reads end with the database", async () => {
  const { database, started, requested, writeLong } = openDatabase({ smallBytes: 0 });
  await writeLong(4_000);
  const caller = { gone: false, onGone: () => () => undefined };
  const read = database.bulkReader(caller).all("SELECT 1");
  const refused = expect(read).rejects.toThrow("The read was stopped.");
  await requested(2);
  await database.close();
  await refused;
  expect(started.map(({ isKilled }) => isKilled)).toEqual([true, true]);
});

test("a log that a reader needs is moved by the process when the reader is gone", async () => {
  skipPauses();
  const { database, requests, responding, writePages, writeLong, logPages, beginRead } =
    openDatabase({ walLimitBytes: 64 * frameBytes });
  await writePages(1);
  const reader = beginRead();
  await writeLong(20_000);
  await responding(database.tidy());
  expect(logPages()).toBeGreaterThan(20_000);
  expect(requests.every((each) => "checkpoint" in each && each.checkpoint === "PASSIVE")).toBe(
    true,
  );
  reader.end();
  // The writer itself must not move the log: that would block the event loop.
  await writePages(1);
  expect(logPages()).toBeGreaterThan(20_000);
  await until("the pause after a checkpoint", async () => {
    await responding(database.tidy());
    return logPages() === 0;
  });
  expect(requests.at(-1)).toMatchObject({ checkpoint: "TRUNCATE" });
});

test("a log that a reader makes long is reported until it is moved", async () => {
  skipPauses();
  const { database, responding, writeLong, beginRead } = openDatabase({ walLimitBytes: 0 });
  await writeLong(1);
  const reader = beginRead();
  await writeLong(1_000);
  await responding(database.tidy());
  expect(database.storage().heldLog).toBeNull();
  await writeLong(65_536);
  await until("the report", async () => {
    await responding(database.tidy());
    return database.storage().heldLog !== null;
  });
  const { heldLog } = database.storage();
  expect(heldLog?.since).toBe(now);
  expect(heldLog?.sizeBytes).toBeGreaterThan(65_536 * frameBytes);
  reader.end();
  await until("the end of the report", async () => {
    await responding(database.tidy());
    return database.storage().heldLog === null;
  });
});

test("a log that becomes long because the process hangs is reported", async () => {
  const { database, requested, responding, writeLong } = openDatabase();
  await writeLong(4_000);
  await requested(1);
  await writeLong(50_000);
  expect(database.storage().heldLog).toBeNull();
  await writeLong(16_000);
  expect(database.storage().heldLog).toMatchObject({ since: now });
  await until("the end of the report", async () => {
    await responding(database.tidy());
    return database.storage().heldLog === null;
  });
});

test("a checkpoint for which writes stopped waiting does not end the process after the next one", async () => {
  replaceBuiltin<typeof import("node:timers/promises")>("node:timers/promises", () => ({
    setTimeout: async (_ms, value) => value as never,
  }));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let isKilled = false;
  const { checkpointer } = openCheckpointer(
    () => false,
    (_file, { onResponse }) => ({
      send({ id }) {
        // Each run sends two requests. The second one of the first run takes too long.
        if (id !== 2) onResponse({ id, rows: [] });
      },
      kill() {
        isKilled = true;
      },
    }),
  );
  await checkpointer.run();
  vi.advanceTimersByTime(30_000);
  await checkpointer.run();
  vi.advanceTimersByTime(40_000);
  expect(isKilled).toBe(false);
});

test("without a process, SQLite moves the log itself", async () => {
  const { database, started, requested, writeLong, logPages } = openDatabase();
  await writeLong(4_000);
  await requested(1);
  started[0]?.events.onEnd(new Error("platform read-database ended with SIGKILL"));
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  await writeLong(12_500);
  const length = logPages();
  await writeLong(100);
  expect(logPages()).toBe(length);
  expect(database.storage().heldLog).toBeNull();
});
