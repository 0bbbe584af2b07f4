// The write groups of PostgreSQL's engine mean what SQLite's do (test/store/engine/sqlite.test.ts).

import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Tx } from "../../../../src/store/database.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import { add, countIn, lockIs, openEngine, openOn, outcomesOf } from "./engine.ts";

const failing: Record<string, (tx: Tx) => Promise<unknown>> = {
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

describe.skipIf(!hasPostgres)("write groups", () => {
  test("writes in the same turn share one transaction, in their order", async () => {
    const { database, other, names } = await openEngine();
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
    const { rows } = await other.query("SELECT DISTINCT xmin::text FROM things");
    expect(rows).toHaveLength(1);
    expect(database.storage().commits).toBe(1);
    expect(await names()).toEqual(wanted);
  });

  test("the time of a transaction is the database's, read after the lock was taken", async () => {
    const { database, other } = await openEngine();
    const clock = async () =>
      Number(
        (await other.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at")).rows[0].at,
      );
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(8100956982295360109)");
    const writing = database.write(async (tx) => tx.now);
    await lockIs("awaited", other);
    const before = await clock();
    await other.query("COMMIT");
    const now = await writing;
    expect(Number.isInteger(now)).toBe(true);
    expect(now).toBeGreaterThanOrEqual(Math.floor(before));
    expect(now).toBeLessThanOrEqual(await clock());
  });

  test.each(Object.entries(failing))(
    "a write that fails %s leaves nothing and does not affect the others",
    async (_when, fail) => {
      const { database, names } = await openEngine();
      const effects: string[] = [];
      const standing: string[] = [];
      const work = (name: string, then?: typeof fail) => async (tx: Tx) => {
        tx.afterCommit(() => effects.push(name));
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
      expect(await names()).toEqual(["a", "c", "e"]);
      expect(database.storage().commits).toBe(1);
      expect(effects).toEqual(["a", "c", "e"]);
      expect(standing).toEqual(["a", "c", "e"]);
    },
  );

  test("a statement that the schema refuses rejects with PostgreSQL's code, alone", async () => {
    const { database, names } = await openEngine();
    await database.write((tx) => add(tx, "a"));
    const writes = ["b", "a", "c"].map((name) => database.write((tx) => add(tx, name)));
    expect(await outcomesOf(writes)).toEqual([1, "23505", 1]);
    expect(await names()).toEqual(["a", "b", "c"]);
    expect(database.storage()).toMatchObject({ failure: null, commits: 2 });
  });

  test("a work that ignores the failure of a statement fails, because its transaction has", async () => {
    const { database, names } = await openEngine();
    await database.write((tx) => add(tx, "a"));
    const ignoring = database.write(async (tx) => {
      await add(tx, "b");
      await add(tx, "a").catch(() => undefined);
      return "done";
    });
    const next = database.write((tx) => add(tx, "c"));
    expect(await outcomesOf([ignoring, next])).toEqual(["23505", 1]);
    expect(await names()).toEqual(["a", "c"]);
  });

  test("the statements of a work may run at the same time", async () => {
    const { database, names } = await openEngine();
    await database.write((tx) => Promise.all(["a", "b", "c"].map((name) => add(tx, name))));
    expect(await names()).toEqual(["a", "b", "c"]);
    // A statement that nobody waits for belongs to the transaction too.
    await database.write(async (tx) => void add(tx, "d"));
    expect(await names()).toEqual(["a", "b", "c", "d"]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["the next turn", () => nextTurn()],
    ["a timer", () => new Promise((resolve) => setTimeout(resolve, 1))],
    ["nothing that ever happens", () => new Promise(() => undefined)],
  ])("a write that awaits %s is refused, with all writes in its transaction", async (_, wait) => {
    const { database, names } = await openEngine();
    let effects = 0;
    let standing = 0;
    let late: Tx | undefined;
    const write = (waits: boolean) =>
      database.write(async (tx) => {
        late = tx;
        tx.afterCommit(() => effects++);
        standing++;
        tx.afterRollback(() => standing--);
        await add(tx, `waits: ${waits}`);
        if (waits) await wait();
        return "done";
      });
    expect(await outcomesOf([write(false), write(true)])).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    await expect(add(late!, "too late")).rejects.toThrow("awaited something other than");
    expect(await names()).toEqual([]);
    expect({ effects, standing }).toEqual({ effects: 0, standing: 0 });
    expect(await write(false)).toBe("done");
    expect({ effects, standing }).toEqual({ effects: 1, standing: 1 });
  });

  test("a write requested by another write, or by its effect, runs in its own transaction", async () => {
    const { database, other, names } = await openEngine();
    const inner: Promise<number>[] = [];
    await database.write(async (tx) => {
      inner.push(database.write((next) => add(next, "inner")));
      tx.afterCommit(() => inner.push(database.write((next) => add(next, "effect"))));
      return add(tx, "outer");
    });
    await inner[0];
    await Promise.all(inner);
    expect(await names()).toEqual(["outer", "inner", "effect"]);
    const { rows } = await other.query("SELECT DISTINCT xmin::text FROM things");
    expect(rows.length).toBeGreaterThan(1);
  });

  test("readers see committed data, and writers their own changes", async () => {
    const { database } = await openEngine();
    const reads: Promise<number | undefined>[] = [];
    const seen = await database.write(async (tx) => {
      await add(tx, "a");
      reads.push(countIn(database.read));
      return countIn(tx);
    });
    expect(seen).toBe(1);
    expect(await countIn(database.read)).toBe(1);
    expect(await reads[0]).toBeLessThanOrEqual(1);
  });

  test("a read that sees a commit comes after the commit's effects", async () => {
    const { database } = await openEngine();
    let isOver = false;
    const early: string[] = [];
    const reading = (async () => {
      let effects = new Set<string>();
      const watched = (name: string) => effects.add(name);
      const writing = (async () => {
        for (let count = 0; count < 100; count++) {
          await database.write(async (tx) => {
            tx.afterCommit(() => watched(`${count}`));
            await add(tx, `${count}`);
          });
        }
        isOver = true;
      })();
      while (!isOver) {
        const rows = await database.read.all<{ name: string }>("SELECT name FROM things");
        for (const { name } of rows) if (!effects.has(name)) early.push(name);
      }
      await writing;
      effects = new Set();
    })();
    await reading;
    expect(early).toEqual([]);
  });

  test("close waits for the writes that have arrived, and accepts no more", async () => {
    const { database, names } = await openEngine();
    const arrived = ["a", "b"].map((name) => database.write((tx) => add(tx, name)));
    expect(database.queueDepth()).toBe(2);
    const closing = database.close();
    const late = outcomesOf([database.write((tx) => add(tx, "late"))]);
    await closing;
    expect(await Promise.all(arrived)).toEqual([1, 1]);
    expect(await late).toEqual(["UNAVAILABLE"]);
    expect(await names()).toEqual(["a", "b"]);
  });

  test("a statement is prepared again after its table has changed", async () => {
    const { database, other } = await openEngine();
    const read = (db: Pick<Tx, "get">) => db.get("SELECT * FROM things");
    await database.write(async (tx) => {
      await add(tx, "a");
      await read(tx);
    });
    await read(database.read);
    await other.query("ALTER TABLE things ADD COLUMN colour TEXT DEFAULT 'red'");
    const wanted = { id: 1, name: "a", colour: "red" };
    expect(await database.write(read)).toEqual(wanted);
    expect(await database.write(read)).toEqual(wanted);
    // Reads use two connections.
    expect(await Promise.all([1, 2, 3, 4].map(() => read(database.read)))).toEqual(
      Array(4).fill(wanted),
    );
  });

  test("a statement that was skipped after an error works later", async () => {
    const { database, names } = await openEngine();
    await database.write((tx) => add(tx, "a"));
    const first = database.write((tx) =>
      Promise.all([
        tx.run("INSERT INTO things (name) VALUES ('a')"),
        tx.run("INSERT INTO things (name) VALUES (UPPER(?))", "skipped"),
      ]),
    );
    expect(await outcomesOf([first])).toEqual(["23505"]);
    for (const name of ["b", "c"]) {
      await database.write((tx) => tx.run("INSERT INTO things (name) VALUES (UPPER(?))", name));
    }
    expect(await names()).toEqual(["a", "B", "C"]);
  });

  test("two processes write in turn, and each change sees the one before", async () => {
    const { url, database, names } = await openEngine();
    const second = await openOn(url);
    const both = [database, second].flatMap((engine) =>
      Array.from({ length: 50 }, () =>
        engine.write(async (tx) => add(tx, String(await countIn(tx)))),
      ),
    );
    await Promise.all(both);
    expect(await names()).toEqual(Array.from({ length: 100 }, (_, index) => String(index)));
  });
});
