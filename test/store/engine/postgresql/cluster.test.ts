// What the processes of a cluster see of each other.

import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { Database, Tx } from "../../../../src/store/database.ts";
import { DatabaseClock } from "../../../../src/store/engine/postgresql/clock.ts";
import { addressOf } from "../../../../src/store/engine/postgresql/connection/address.ts";
import { Session } from "../../../../src/store/engine/postgresql/connection/session.ts";
import { JobLockConnection } from "../../../../src/store/engine/postgresql/job-lock.ts";
import { Listener } from "../../../../src/store/engine/postgresql/listener.ts";
import { cuttingProxy } from "../../../helpers/cutting-proxy.ts";
import { atEnd } from "../../../helpers/lifetime.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import { add, openEngine, openOn, thingsDatabase } from "./engine.ts";

const limits = { statement: 60_000, lock: 60_000, idleInTransaction: 0, connect: 60_000 };

/** Opens a connection that ends at the same moment as the response to its next statement arrives. */
async function openEnding(url: string): Promise<Session> {
  const session = await Session.open(addressOf(url), { limits });
  const { query } = session;
  session.query = async (...given) => {
    const result = await query.apply(session, given);
    session.destroy();
    return result;
  };
  return session;
}

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

test.skipIf(!hasPostgres)(
  "a connection for notices that ends with its first response is opened again",
  async () => {
    const url = await thingsDatabase();
    let opened = 0;
    const listener = new Listener({
      connect: () => (opened++ === 0 ? openEnding(url) : Session.open(addressOf(url), { limits })),
      onNotice: () => undefined,
      onDoubt: () => undefined,
      clock: new DatabaseClock(0),
    });
    atEnd(() => listener.close());
    await listener.start();
    expect(listener.isListening).toBe(false);
    await until(() => expect(listener.isListening).toBe(true));
  },
);

describe.skipIf(!hasPostgres)("the lock for jobs", () => {
  /** Waits, because PostgreSQL closes a connection before it releases the locks of its session. */
  const takeLock = (database: Pick<Database, "tryLock">) =>
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

  test("is lost if its connection ends with the response", async () => {
    const url = await thingsDatabase();
    const connection = new JobLockConnection(() => openEnding(url));
    const lock = await connection.tryLock();
    expect(lock).not.toBeNull();
    await nextTurn();
    expect(lock?.lost.aborted).toBe(true);
    await takeLock(connection);
  });
});
