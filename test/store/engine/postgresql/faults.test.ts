// Each acknowledged write is stored exactly once, whatever happens to connections and the server.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, test, vi } from "vitest";
import type { Tx } from "../../../../src/store/database.ts";
import type { PostgresDatabase } from "../../../../src/store/engine/postgresql/database.ts";
import { cuttingProxy } from "../../../helpers/cutting-proxy.ts";
import { atEnd } from "../../../helpers/lifetime.ts";
import { hasPostgres, ownPostgresServer } from "../../../helpers/postgres.ts";
import { size } from "../../../helpers/size.ts";
import {
  add,
  connectTo,
  countIn,
  lockIsAwaited,
  openEngine,
  openOn,
  outcomesOf,
  thingsDatabase,
} from "./engine.ts";

const unavailable = { code: "UNAVAILABLE", retryAfterSeconds: 1 };

/** Repeats a write that was refused because a slow machine took longer than a write may wait. */
async function patiently<T>(write: () => Promise<T>): Promise<T> {
  while (true) {
    try {
      return await write();
    } catch (error) {
      if (!(error as Error).message.includes("nothing was changed")) throw error;
      await nextTurn();
    }
  }
}

/** Writes names from several places until it is stopped, and notes the outcome of each write. */
function load(engines: PostgresDatabase[], writers = 8) {
  let isStopped = false;
  const acknowledged: string[] = [];
  const refused: string[] = [];
  const unknown: string[] = [];
  const effects: string[] = [];
  const writer = async (database: PostgresDatabase, id: string) => {
    for (let count = 0; !isStopped; count++) {
      const name = `${id} ${count}`;
      try {
        await database.write(async (tx) => {
          tx.afterCommit(() => effects.push(name));
          await countIn(tx);
          await add(tx, name);
        });
        acknowledged.push(name);
      } catch (error) {
        const { message, code } = error as Error & { code?: string };
        expect(code).toBe("UNAVAILABLE");
        (message.includes("may or may not") ? unknown : refused).push(name);
      }
      await nextTurn();
    }
  };
  const running = engines.flatMap((database, engine) =>
    Array.from({ length: writers }, (_, index) => writer(database, `${engine}.${index}`)),
  );
  return {
    acknowledged,
    refused,
    unknown,
    /** Resolves when this many more writes have been acknowledged. */
    async more(count: number): Promise<void> {
      const wanted = acknowledged.length + count;
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(wanted), {
        timeout: 60_000,
        interval: 1,
      });
    },
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all(running);
    },
    /** Checks the stored names. Names are unique in the table, so none can be stored twice. */
    check(names: string[]): void {
      const there = new Set(names);
      expect(acknowledged.filter((name) => !there.has(name))).toEqual([]);
      expect(refused.filter((name) => there.has(name))).toEqual([]);
      expect(effects.toSorted()).toEqual(acknowledged.toSorted());
      const known = new Set([...acknowledged, ...unknown]);
      expect(names.filter((name) => !known.has(name))).toEqual([]);
    },
  };
}

describe.skipIf(!hasPostgres)("a connection lost during COMMIT", () => {
  const openBehindProxy = async () => {
    const url = await thingsDatabase();
    const proxy = await cuttingProxy(url);
    const database = await openOn(proxy.url);
    await database.write((tx) => add(tx, "first"));
    const other = await connectTo(url);
    const names = async () =>
      (await other.query("SELECT name FROM things ORDER BY id")).rows.map(({ name }) => name);
    return { database, proxy, other, names };
  };

  test.each(["before", "after"] as const)(
    "%s the server has executed it: the writes are there once, and are acknowledged",
    async (when) => {
      const { database, proxy, names } = await openBehindProxy();
      let runs = 0;
      let effects = 0;
      const doubts: unknown[] = [];
      database.onForeignChange((keys) => doubts.push(keys));
      const cut = proxy.cutAtCommit(when);
      const writes = ["a", "b"].map((name) =>
        database.write(async (tx) => {
          runs++;
          tx.afterCommit(() => effects++);
          return add(tx, name);
        }),
      );
      await cut;
      expect(await outcomesOf(writes)).toEqual([1, 1]);
      expect(await names()).toEqual(["first", "a", "b"]);
      expect(effects).toBe(2);
      // If the group was committed, nothing runs again.
      expect(runs).toBe(when === "before" ? 4 : 2);
      expect(doubts).toContain(null);
      expect(database.storage()).toMatchObject({ failure: null, commits: 2 });
    },
  );

  test("while the server still executes it: the engine waits for its end, and writes nothing twice", async () => {
    const { database, proxy, other, names } = await openBehindProxy();
    // Each COMMIT now waits until the test releases a lock of its own.
    await other.query(`
      CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON things DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait_for_test();
      SELECT pg_advisory_lock(1)`);
    let runs = 0;
    const write = database.write((tx) => {
      runs++;
      return add(tx, "a");
    });
    await lockIsAwaited(other);
    proxy.cutAll();
    proxy.restore();
    // The new connection waits for the write lock, which the transaction of the old one still has.
    await lockIsAwaited(other, 2);
    await other.query("SELECT pg_advisory_unlock(1)");
    expect(await outcomesOf([write])).toEqual([1]);
    expect(runs).toBe(1);
    expect(await names()).toEqual(["first", "a"]);
  });

  test("if the database cannot be asked, the answer says that the outcome is unknown", async () => {
    const url = await thingsDatabase();
    const proxy = await cuttingProxy(url);
    const database = await openOn(proxy.url, { waitMs: 300 });
    const effects: string[] = [];
    const cut = proxy.cutAtCommit("after");
    const write = patiently(() =>
      database.write(async (tx) => {
        tx.afterCommit(() => effects.push("committed"));
        tx.afterRollback(() => effects.push("undone"));
        return add(tx, "a");
      }),
    );
    await cut;
    proxy.cutAll();
    await expect(write).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining("may or may not have been made"),
      cause: { reason: "UNREACHABLE" },
    });
    expect(effects).toEqual([]);
    expect(database.storage().failure).toMatchObject({ reason: "UNREACHABLE" });
    proxy.restore();
    await patiently(() => database.write((tx) => add(tx, "b")));
    expect(database.storage().failure).toBeNull();
    const rows = await database.read.all<{ name: string }>("SELECT name FROM things ORDER BY id");
    expect(rows.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

describe.skipIf(!hasPostgres)("lost connections", () => {
  test("a group whose connection is lost before COMMIT runs again", async () => {
    const { database, other, names } = await openEngine();
    const standing: number[] = [];
    let runs = 0;
    const write = database.write(async (tx) => {
      const run = ++runs;
      standing.push(run);
      tx.afterRollback(() => standing.splice(standing.indexOf(run), 1));
      await add(tx, "a");
      if (run === 1) await tx.run("SELECT pg_terminate_backend(pg_backend_pid())");
      return add(tx, "b");
    });
    expect(await write).toBe(1);
    expect(runs).toBe(2);
    expect(standing).toEqual([2]);
    expect(await names()).toEqual(["a", "b"]);
    await other.query("SELECT 1");
  });

  test("a write that loses its connection each time is refused in the end", async () => {
    const { database, names } = await openEngine();
    const terminate = (tx: Tx) => tx.run("SELECT pg_terminate_backend(pg_backend_pid())");
    await expect(database.write(terminate)).rejects.toMatchObject({
      ...unavailable,
      cause: { reason: "UNREACHABLE" },
    });
    await database.write((tx) => add(tx, "next"));
    expect(await names()).toEqual(["next"]);
  });

  test("while the server is away, reads are UNAVAILABLE, and writes that have waited", async () => {
    const url = await thingsDatabase();
    const proxy = await cuttingProxy(url);
    const database = await openOn(proxy.url, { waitMs: 300 });
    await patiently(() => database.write((tx) => add(tx, "a")));
    await countIn(database.read);
    proxy.cutAll();
    await expect(countIn(database.read)).rejects.toMatchObject({
      ...unavailable,
      cause: { access: "read", reason: "UNREACHABLE" },
    });
    const from = performance.now();
    await expect(database.write((tx) => add(tx, "b"))).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining("nothing was changed"),
    });
    expect(performance.now() - from).toBeGreaterThanOrEqual(299);
    expect(database.isStorageDoubtful()).toBe(true);
    proxy.restore();
    await patiently(() => database.write((tx) => add(tx, "c")));
    expect(await countIn(database.read)).toBe(2);
  });

  test("after a failover, no connection leads to the old primary, which has become a replica", async () => {
    const url = new URL(await thingsDatabase());
    const other = await connectTo(url.href);
    await other.query(`
      CREATE TABLE servers AS SELECT false AS "isReplica";
      CREATE FUNCTION pg_is_in_recovery() RETURNS boolean LANGUAGE sql
        AS 'SELECT "isReplica" FROM public.servers'`);
    // With this path, our function is found before PostgreSQL's own.
    url.searchParams.set("options", "-c search_path=public,pg_catalog");
    const database = await openOn(url.href, { waitMs: 50 });
    const caller = { gone: false, onGone: () => () => undefined };
    const use = () =>
      outcomesOf([
        countIn(database.read),
        countIn(database.bulkReader(caller)),
        database.tryLock().then((lock) => lock?.lost.aborted),
      ]);
    await other.query('UPDATE servers SET "isReplica" = true');
    await other.query(
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    expect(await use()).toEqual(["UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE"]);
    await expect(database.write((tx) => add(tx, "a"))).rejects.toMatchObject(unavailable);
    await other.query('UPDATE servers SET "isReplica" = false');
    await patiently(() => database.write((tx) => add(tx, "b")));
    expect(await use()).toEqual([1, 1, false]);
  });

  test("every connection is ended again and again while two processes write", async () => {
    const { url, database, other, names } = await openEngine();
    const second = await openOn(url);
    const ledger = load([database, second]);
    for (let round = 0; round < size(3, 30); round++) {
      await ledger.more(20);
      await other.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    }
    await ledger.more(20);
    await ledger.stop();
    ledger.check(await names());
  });
});

describe.skipIf(!hasPostgres)("a server that is killed", () => {
  test("is asked to flush each commit, even if its settings say otherwise", async () => {
    const { database, other } = await openEngine();
    const sql = "SHOW synchronous_commit";
    expect((await other.query(sql)).rows).toEqual([{ synchronous_commit: "off" }]);
    expect(await database.write((tx) => tx.all(sql))).toEqual([{ synchronous_commit: "on" }]);
  });

  test("loses nothing that was acknowledged", async () => {
    const server = await ownPostgresServer();
    const url = await thingsDatabase(server.url());
    const database = await openOn(url);
    const ledger = load([database], 16);
    for (let round = 0; round < size(2, 30); round++) {
      await ledger.more(20);
      await server.kill();
      await server.restart();
    }
    await ledger.more(20);
    await ledger.stop();
    const other = await connectTo(url);
    const { rows } = await other.query("SELECT name FROM things");
    ledger.check(rows.map(({ name }) => name));
    // A read whose connection is lost repeats on a new one.
    expect(await countIn(database.read)).toBe(rows.length);
  });
});

describe.skipIf(!hasPostgres)("the lock", () => {
  test("a server that has just started waits longer", async () => {
    const { database, other, names } = await openEngine({ waitMs: 50, startMs: 60_000 });
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(8100956982295360109)");
    const write = database.write((tx) => add(tx, "first"));
    // Within this time, the session twice stops waiting for the lock, and asks for it again.
    await other.query("SELECT pg_sleep(0.15)");
    await other.query("COMMIT");
    await write;
    expect(await names()).toEqual(["first"]);
  });

  test("while another process has it, writes wait, and are refused after the limit", async () => {
    const { database, other, names } = await openEngine({ waitMs: 300 });
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(8100956982295360109)");
    const timed = async (name: string) => {
      const from = performance.now();
      const [outcome] = await outcomesOf([database.write((tx) => add(tx, name))]);
      return { outcome, waitedMs: performance.now() - from };
    };
    const first = timed("first");
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    const second = await timed("second");
    const { outcome, waitedMs } = await first;
    expect([outcome, second.outcome]).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    expect(waitedMs).toBeGreaterThanOrEqual(299);
    expect(database.storage().failure).toMatchObject({ reason: "LOCKED" });
    expect(await countIn(database.read)).toBe(0);
    await other.query("COMMIT");
    await patiently(() => database.write((tx) => add(tx, "next")));
    expect(await names()).toEqual(["next"]);
  });

  test("a process that stalls in its transaction loses it, and its writes run when it continues", async () => {
    const { url, database, names } = await openEngine();
    // In the middle of its first write, the process blocks until its standard input ends.
    const path = (name: string) =>
      JSON.stringify(pathToFileURL(`src/store/engine/postgresql/${name}`));
    const program = `
      import { readSync, writeSync } from "node:fs";
      import { PostgresDatabase } from ${path("database.ts")};
      import { addressOf } from ${path("connection/address.ts")};
      const address = addressOf(${JSON.stringify(url)});
      const database = await PostgresDatabase.open({ address, stalledMs: 200 });
      let runs = 0;
      await database.write(async (tx) => {
        await tx.run("INSERT INTO things (name) VALUES ('stalled')");
        if (++runs === 1) {
          writeSync(1, "stalled\\n");
          readSync(0, Buffer.alloc(1));
        }
        await tx.run("INSERT INTO things (name) VALUES ('continued')");
      });
      await database.close();
      console.log(runs);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    atEnd(() => child.kill("SIGKILL"));
    const printed = createInterface(child.stdout)[Symbol.asyncIterator]();
    expect((await printed.next()).value).toBe("stalled");
    await database.write((tx) => add(tx, "other"));
    expect(await names()).toEqual(["other"]);
    child.stdin.end();
    // A slow machine can stall the process once more.
    expect(Number((await printed.next()).value)).toBeGreaterThanOrEqual(2);
    expect(await names()).toEqual(["other", "stalled", "continued"]);
  });
});
