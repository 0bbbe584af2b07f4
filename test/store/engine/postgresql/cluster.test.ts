// What the processes of a cluster see of each other.

import { describe, expect, test, vi } from "vitest";
import type { Database, Tx } from "../../../../src/store/database.ts";
import { cuttingProxy } from "../../../helpers/cutting-proxy.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import { add, openEngine, openOn, thingsDatabase } from "./engine.ts";

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 1 });

describe.skipIf(!hasPostgres)("other processes", () => {
  const openTwo = async () => {
    const { url, database } = await openEngine();
    const second = await openOn(url);
    const seen: unknown[] = [];
    const own: unknown[] = [];
    database.onForeignChange((keys) => own.push(keys));
    const stop = second.onForeignChange((keys) => seen.push(keys));
    return { database, second, seen, own, stop };
  };
  const change = (name: string, ...keys: string[]) => {
    return async (tx: Tx) => {
      for (const key of keys) tx.concerns(key);
      await add(tx, name);
    };
  };

  test("are notified of a commit once, with what it concerns; our own is not reported", async () => {
    const { database, seen, own } = await openTwo();
    await Promise.all([
      database.write(change("a", "agent:1", "agent:2")),
      database.write(change("b", "agent:2")),
    ]);
    await database.write(change("c"));
    await Promise.all([database.write(change("d", "agent:3")), database.write(change("e"))]);
    await until(() => expect(seen).toHaveLength(2));
    expect(seen).toEqual([["agent:1", "agent:2"], ["agent:3"]]);
    expect(own).toEqual([]);
  });

  test("are not notified of what was undone, or changed nothing, or after they stop", async () => {
    const { database, second, seen, stop } = await openTwo();
    await database.write(change("a", "first"));
    const undone = database.write(async (tx) => {
      await change("b", "undone")(tx);
      throw new Error("on purpose");
    });
    await expect(undone).rejects.toThrow("on purpose");
    await database.write((tx) => tx.run("DELETE FROM things WHERE name = 'nobody'"));
    await database.write(change("c", "last"));
    await until(() => expect(seen).toEqual([["first"], ["last"]]));
    stop();
    const others: unknown[] = [];
    second.onForeignChange((keys) => others.push(keys));
    await database.write(change("d", "after"));
    await until(() => expect(others).toEqual([["after"]]));
    expect(seen).toHaveLength(2);
  });

  test("doubt everything while they cannot be notified, and once more when they can", async () => {
    const url = await thingsDatabase();
    const proxy = await cuttingProxy(url);
    const away = await openOn(proxy.url);
    const database = await openOn(url);
    const seen: unknown[] = [];
    away.onForeignChange((keys) => seen.push(keys));
    proxy.cutAll();
    await until(() => expect(seen.length).toBeGreaterThanOrEqual(3));
    expect(away.isStorageDoubtful()).toBe(true);
    expect(seen.every((keys) => keys === null)).toBe(true);
    proxy.restore();
    await until(() => expect(away.isStorageDoubtful()).toBe(false));
    seen.length = 0;
    await database.write(change("a", "agent:1"));
    await until(() => expect(seen).toContainEqual(["agent:1"]));
  });
});

describe.skipIf(!hasPostgres)("the lock for jobs", () => {
  /** Waits, because PostgreSQL closes a connection before it releases the locks of its session. */
  const takeLock = (database: Database) =>
    vi.waitFor(async () => {
      const lock = await database.tryLock();
      expect(lock).not.toBeNull();
      return lock;
    }, 60_000);

  test("is held by one process of the cluster", async () => {
    const { url, database } = await openEngine();
    const second = await openOn(url);
    const lock = await database.tryLock();
    expect(lock?.lost.aborted).toBe(false);
    expect(await database.tryLock()).toBeNull();
    expect(await second.tryLock()).toBeNull();
    await lock?.release();
    const next = await second.tryLock();
    expect(next).not.toBeNull();
    expect(await database.tryLock()).toBeNull();
    await second.close();
    await until(() => expect(next?.lost.aborted).toBe(true));
    await (await takeLock(database))?.release();
  });

  test("is lost with its connection, and can be taken again", async () => {
    const { database, other } = await openEngine();
    const lock = await database.tryLock();
    await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
       WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database
       WHERE datname = current_database())`,
    );
    await until(() => expect(lock?.lost.aborted).toBe(true));
    await lock?.release();
    await (await takeLock(database))?.release();
  });
});
