import { expect, test } from "vitest";
import { StorageWatch } from "../../../src/core/monitoring/storage-watch.ts";
import type { Database, StorageState } from "../../../src/store/database.ts";

/** Watches a storage whose write-ahead log has the state that the test sets. */
function openWatch() {
  const idle = { failure: null, stoppedSince: null, pendingWrites: 0, heldLog: null };
  const state: StorageState = { ...idle, commits: 1 };
  const rest = { isStorageDoubtful: () => false, now: () => 100_000 };
  const db = { storage: () => state, ...rest } as unknown as Database;
  const logged: string[] = [];
  const note = (level: string) => (_fields: object, message?: string) =>
    void logged.push(`${level}: ${message}`);
  const log = {
    warn: note("warn"),
    info: note("info"),
    error: note("error"),
    debug: note("debug"),
  };
  const watch = new StorageWatch(db);
  const look = () => watch.look({ log, monotonic: () => 0 }, async () => undefined);
  return { state, watch, look, logged };
}

test("a log that another process makes long is reported once, and its end once", async () => {
  const { state, watch, look, logged } = openWatch();
  await look();
  expect([watch.warning(), logged]).toEqual([null, []]);
  state.heldLog = { sizeBytes: 300_000_000, since: 0 };
  await look();
  state.heldLog = { sizeBytes: 400_000_000, since: 0 };
  await look();
  expect(logged).toEqual([expect.stringMatching(/^warn: the write-ahead log grows: .*sqlite3/)]);
  expect(watch.warning()).toMatch(
    /^The write-ahead log has grown to 400 MB: .* into the database file\.$/,
  );
  state.heldLog = null;
  await look();
  await look();
  expect(watch.warning()).toBeNull();
  expect(logged.slice(1)).toEqual(["info: the write-ahead log was moved into the database file"]);
});

test.each([
  [null, null],
  [90_001, null],
  [90_000, expect.stringMatching(/^No write has succeeded for 10 s/)],
])("a write that has waited since %s is reported: %s", (stoppedSince, message) => {
  const { state, watch } = openWatch();
  state.stoppedSince = stoppedSince;
  expect(watch.problem()?.message ?? null).toEqual(message);
  state.failure = { reason: "DISK_FULL", since: 0 };
  expect(watch.problem()).toMatchObject({ reason: "DISK_FULL" });
});
