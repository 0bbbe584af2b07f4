// What only PostgreSQL's write groups do. test/store/engine/writes.test.ts tests what the write
// groups of both engines do.

import { describe, expect, test } from "vitest";
import type { Tx } from "../../../../src/store/database.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import {
  add,
  countIn,
  databaseTime,
  lockIsAwaited,
  openEngine,
  openOn,
  outcomesOf,
} from "./engine.ts";

describe.skipIf(!hasPostgres)("write groups", () => {
  test("the time of a transaction is the database's, read after the lock was taken", async () => {
    const { database, other } = await openEngine();
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(8100956982295360109)");
    const writing = database.write(async (tx) => tx.now);
    await lockIsAwaited(other);
    const before = await databaseTime(other);
    await other.query("COMMIT");
    const now = await writing;
    expect(Number.isInteger(now)).toBe(true);
    expect(now).toBeGreaterThanOrEqual(Math.floor(before));
    expect(now).toBeLessThanOrEqual(await databaseTime(other));
  });

  test("a write that ignores the failure of a statement fails, because its transaction has failed", async () => {
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

  test("the statements of a write may run at the same time", async () => {
    const { database, names } = await openEngine();
    await database.write((tx) => Promise.all(["a", "b", "c"].map((name) => add(tx, name))));
    expect(await names()).toEqual(["a", "b", "c"]);
    // A statement that nobody waits for belongs to the transaction too.
    await database.write(async (tx) => void add(tx, "d"));
    expect(await names()).toEqual(["a", "b", "c", "d"]);
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
    // The reads run on two connections.
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
