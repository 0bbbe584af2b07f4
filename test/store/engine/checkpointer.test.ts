// Checkpoints by another process, which the test plays. (docs/decisions/0021-reader-processes.md)

import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { ReaderEvents, ReadRequest } from "../../../src/domain/storage/reader-process.ts";
import type { Tx } from "../../../src/store/database.ts";
import { openReaderProcess } from "../../../src/store/engine/reader-process.ts";
import { SqliteDatabase } from "../../../src/store/engine/sqlite.ts";
import { openWriter } from "../../../src/store/engine/sqlite-file.ts";
import { temporaryFolder } from "../../helpers/app.ts";

const pageBytes = 4096;
const frameBytes = pageBytes + 24;

/** A database whose checkpoints run only when the test calls `checkpoint`. */
function openDatabase() {
  const file = join(temporaryFolder(), "log.db");
  const writer = openWriter({ file, busyTimeoutMs: 0, create: true });
  writer.exec("CREATE TABLE pages (content BLOB) STRICT");
  const requests: ReadRequest[] = [];
  const started: { events: ReaderEvents; isKilled: boolean }[] = [];
  const respond = openReaderProcess(file);
  const database = new SqliteDatabase(writer, {
    busyTimeoutMs: 0,
    now: Date.now,
    startReader(_file, events) {
      const process = { events, isKilled: false };
      started.push(process);
      const kill = () => {
        process.isKilled = true;
      };
      return { send: (request) => void requests.push(request), kill };
    },
  });
  onTestFinished(() => database.close());
  const requested = async (count: number) => {
    while (requests.length < count) await nextTurn();
  };
  const checkpoint = async (count: number) => {
    await requested(count);
    const response = respond(requests[count - 1] as ReadRequest);
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
  const logPages = () => Math.floor(statSync(`${file}-wal`).size / frameBytes);
  return { database, started, requests, requested, checkpoint, writePages, logPages };
}

test("a short log is left alone", async () => {
  const { database, started, writePages } = openDatabase();
  await writePages(100);
  await database.write((tx) => tx.all("SELECT 1"));
  expect(started).toEqual([]);
});

test("a long log is moved into the file, and begins anew although writes continue", async () => {
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
    { id: 1, checkpoint: true },
    { id: 2, checkpoint: true },
  ]);
  expect(started).toHaveLength(1);
  const [count] = await database.read.all<{ n: number }>("SELECT COUNT(*) AS n FROM pages");
  expect(count).toEqual({ n: 5_020 });
});

test("writes continue if the process ends before the checkpoint", async () => {
  const { started, requested, writePages } = openDatabase();
  await writePages(4_000);
  await requested(1);
  started[0]?.events.onEnd(new Error("platform read-database ended with SIGKILL"));
  await requested(2);
  const waiting = writePages(1);
  started[1]?.events.onEnd(new Error("platform read-database ended with SIGKILL"));
  expect(await waiting).toBe(1);
});

test("the process ends with the database", async () => {
  const { database, started, requested, writePages } = openDatabase();
  await writePages(4_000);
  await requested(1);
  await database.close();
  expect(started.map(({ isKilled }) => isKilled)).toEqual([true]);
});
