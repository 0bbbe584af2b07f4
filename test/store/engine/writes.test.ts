// Groups of writes and batches mean the same on both engines. (docs/decisions/0003-group-commit.md)

import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/domain/errors.ts";
import type { BatchHandler, Database, Tx } from "../../../src/store/database.ts";
import { SqliteDatabase } from "../../../src/store/engine/sqlite/database.ts";
import { openWriter } from "../../../src/store/engine/sqlite/file.ts";
import { rowsInserter, rowsUpdater } from "../../../src/store/rows.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { add, countIn, openEngine, outcomesOf } from "./postgresql/engine.ts";

function openSqlite(): Database {
  const file = join(temporaryFolder(), "engine.db");
  const writer = openWriter({ file, busyTimeoutMs: 0, create: true });
  writer.exec("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL) STRICT");
  const database = new SqliteDatabase(writer, { busyTimeoutMs: 0, now: Date.now });
  atEnd(() => database.close());
  return database;
}

const engines: [name: string, open: () => Promise<Database>][] = [
  ["SQLite", async () => openSqlite()],
  ...(hasPostgres
    ? [
        ["PostgreSQL", async () => (await openEngine()).database] as [
          string,
          () => Promise<Database>,
        ],
      ]
    : []),
];

async function names(database: Database): Promise<string[]> {
  const rows = await database.read.all<{ name: string }>("SELECT name FROM things ORDER BY id");
  return rows.map(({ name }) => name);
}

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

describe.each(engines)("writes on %s", (engine, open) => {
  test("that arrive in the same turn share one transaction, in their order", async () => {
    const database = await open();
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
    expect(database.storage().commits).toBe(1);
    expect(await names(database)).toEqual(wanted);
  });

  test.each(Object.entries(failing))(
    "that fail %s leave nothing and do not affect the others",
    async (_when, fail) => {
      const database = await open();
      const effects: string[] = [];
      const standing: string[] = [];
      const work = (name: string, then?: typeof fail) => async (tx: Tx) => {
        tx.afterCommit(() => effects.push(name));
        standing.push(name);
        tx.afterRollback(() => standing.splice(standing.indexOf(name), 1));
        await (then ? then(tx) : add(tx, name));
        return name;
      };
      const works = [work("a"), work("b", fail), work("c"), work("d", fail), work("e")];
      const outcomes = ["a", "on purpose", "c", "on purpose", "e"];
      expect(await outcomesOf(works.map((each) => database.write(each)))).toEqual(outcomes);
      expect(await names(database)).toEqual(["a", "c", "e"]);
      expect(database.storage().commits).toBe(1);
      expect(effects).toEqual(["a", "c", "e"]);
      // However often each write ran, only one run of each successful write remains.
      expect(standing).toEqual(["a", "c", "e"]);
      await expect(database.write(work("alone", fail))).rejects.toThrow("on purpose");
      expect([await names(database), effects]).toEqual([
        ["a", "c", "e"],
        ["a", "c", "e"],
      ]);
    },
  );

  test("that fail do nothing afterwards, even if some of their work has not ended", async () => {
    const database = await open();
    const slow = async (tx: Tx) => {
      for (let read = 0; read < 100; read++) await countIn(tx);
      await add(tx, "gone");
    };
    const writes = Object.values(failing).map((fail) =>
      database.write((tx) => Promise.all([fail(tx), slow(tx)])),
    );
    expect(await outcomesOf(writes)).toEqual(writes.map(() => "on purpose"));
    expect(await names(database)).toEqual([]);
    await database.write((tx) => add(tx, "next"));
    expect(await names(database)).toEqual(["next"]);
  });

  test("that the schema refuses fail alone with the engine's code, which is no failure of the storage", async () => {
    const database = await open();
    await database.write((tx) => add(tx, "a"));
    const writes = ["b", "a", "c"].map((name) => database.write((tx) => add(tx, name)));
    const code = engine === "SQLite" ? "SQLITE_CONSTRAINT_UNIQUE" : "23505";
    expect(await outcomesOf(writes)).toEqual([1, code, 1]);
    expect(await names(database)).toEqual(["a", "b", "c"]);
    expect(database.storage()).toMatchObject({ failure: null, commits: 2 });
  });

  test.each<[string, () => Promise<unknown>]>([
    ["the next turn", () => nextTurn()],
    ["nothing that ever happens", () => new Promise(() => undefined)],
  ])("that await %s are refused, with all writes in their transaction", async (_, wait) => {
    const database = await open();
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
    expect(await names(database)).toEqual([]);
    expect({ effects, standing }).toEqual({ effects: 0, standing: 0 });
    expect(await write(false)).toBe("done");
    expect({ effects, standing }).toEqual({ effects: 1, standing: 1 });
  });

  test("that another write or its effect requests run in their own transactions", async () => {
    const database = await open();
    const inner: Promise<number>[] = [];
    await database.write(async (tx) => {
      inner.push(database.write((next) => add(next, "inner")));
      tx.afterCommit(() => inner.push(database.write((next) => add(next, "effect"))));
      return add(tx, "outer");
    });
    await inner[0];
    await Promise.all(inner);
    expect(await names(database)).toEqual(["outer", "inner", "effect"]);
    expect(database.storage().commits).toBeGreaterThan(1);
  });

  test("see their own changes, which readers see only when they are committed", async () => {
    const database = await open();
    const reads: Promise<number | undefined>[] = [];
    const undone = database.write(async (tx) => {
      await add(tx, "gone");
      reads.push(countIn(database.read));
      expect(await countIn(tx)).toBe(1);
      throw new Error("on purpose");
    });
    await expect(undone).rejects.toThrow("on purpose");
    expect(new Set(await Promise.all(reads))).toEqual(new Set([0]));
    await database.write((tx) => add(tx, "a"));
    expect(await countIn(database.read)).toBe(1);
  });

  test("that have arrived are waited for by `close`, which accepts no more", async () => {
    const database = await open();
    const arrived = ["a", "b"].map((name) => database.write((tx) => add(tx, name)));
    expect(database.storage().pendingWrites).toBe(2);
    const closing = database.close();
    const late = outcomesOf([database.write((tx) => add(tx, "late"))]);
    await closing;
    expect(await Promise.all(arrived)).toEqual([1, 1]);
    expect(await late).toEqual(["UNAVAILABLE"]);
  });
});

interface Item {
  name: string;
  end?: "refused" | "fails" | "throws";
}

describe.each(engines)("batches on %s", (_, open) => {
  /** Adds a thing for each item, and notes which items came together. */
  function adder(calls: string[][], effects: string[] = []): BatchHandler<Item, string> {
    return async (tx, items) => {
      calls.push(items.map(({ name }) => name));
      const outcomes: PromiseSettledResult<string>[] = [];
      for (const { name, end } of items) {
        if (end === "refused") {
          outcomes.push({ status: "rejected", reason: new AppError("FORBIDDEN", "refused") });
          continue;
        }
        if (end === "fails") {
          outcomes.push({ status: "rejected", reason: new Error("fails") });
          continue;
        }
        await add(tx, name);
        tx.afterCommit(() => effects.push(name));
        if (end === "throws") throw new Error("throws");
        outcomes.push({ status: "fulfilled", value: `added ${name}` });
      }
      return outcomes;
    };
  }

  test("items that arrive together are one call, and each has its outcome", async () => {
    const database = await open();
    const calls: string[][] = [];
    const handler = adder(calls);
    const items: Item[] = [{ name: "a" }, { name: "b", end: "refused" }, { name: "c" }];
    const outcomes = await outcomesOf(items.map((item) => database.batch(handler, item)));
    expect(outcomes).toEqual(["added a", "FORBIDDEN", "added c"]);
    expect(calls).toEqual([["a", "b", "c"]]);
    expect(await names(database)).toEqual(["a", "c"]);
    expect(database.storage().commits).toBe(1);
  });

  test("writes come after the batches that were begun before them", async () => {
    const database = await open();
    const calls: string[][] = [];
    const handler = adder(calls);
    await Promise.all([
      database.batch(handler, { name: "a" }),
      database.write((tx) => add(tx, "w")),
      database.batch(handler, { name: "b" }),
    ]);
    expect(calls).toEqual([["a", "b"]]);
    expect(await names(database)).toEqual(["a", "b", "w"]);
    expect(database.storage().commits).toBe(1);
  });

  test("items with one key, or with other handlers, are in different calls", async () => {
    const database = await open();
    const [calls, others]: string[][][] = [[], []];
    const [handler, other] = [adder(calls as string[][]), adder(others as string[][])];
    await Promise.all([
      database.batch(handler, { name: "a1" }, "a"),
      database.batch(handler, { name: "b1" }, "b"),
      database.batch(other, { name: "o1" }, "a"),
      database.batch(handler, { name: "a2" }, "a"),
      database.batch(handler, { name: "c1" }),
      database.batch(handler, { name: "b2" }, "b"),
    ]);
    expect(calls).toEqual([
      ["a1", "b1"],
      ["a2", "c1", "b2"],
    ]);
    expect(others).toEqual([["o1"]]);
    expect(database.storage().commits).toBe(1);
  });

  test.each(["fails", "throws"] as const)(
    "an item that %s fails alone: all run again, one by one",
    async (end) => {
      const database = await open();
      const calls: string[][] = [];
      const effects: string[] = [];
      const handler = adder(calls, effects);
      const items: Item[] = [{ name: "a" }, { name: "b", end }, { name: "c" }];
      const writes = [
        ...items.map((item) => database.batch(handler, item)),
        database.write((tx) => add(tx, "w")),
      ];
      expect(await outcomesOf(writes)).toEqual(["added a", end, "added c", 1]);
      expect(calls).toEqual([["a", "b", "c"], ["a"], ["b"], ["c"]]);
      expect(await names(database)).toEqual(["a", "c", "w"]);
      expect(effects).toEqual(["a", "c"]);
    },
  );

  test("statements for rows change what the same statement for each row would change", async () => {
    const database = await open();
    const insert = rowsInserter("things", ["id name"]);
    const rename = rowsUpdater(
      "things",
      { id: "bigint", name: "text", previous: "text" },
      {
        set: (each) => `name = ${each("name")}`,
        where: (each) => `things.id = ${each("id")} AND things.name = ${each("previous")}`,
      },
    );
    const texts = [`quotes ' " \\`, "{a,b}", "ünïcode 🙂", "1"];
    const rows = texts.map((name, at) => ({ id: at + 1, name }));
    expect(await database.write((tx) => insert(tx, rows))).toBe(4);
    expect(await names(database)).toEqual(texts);
    const changed = await database.write((tx) =>
      rename(tx, [
        { id: 1, name: "one", previous: texts[0] as string },
        { id: 2, name: "two", previous: "not its name" },
        { id: 3, name: "three", previous: texts[2] as string },
      ]),
    );
    expect(changed).toBe(2);
    expect(await names(database)).toEqual(["one", "{a,b}", "three", "1"]);
    expect(await database.write((tx) => insert(tx, []))).toBe(0);
    const twice = database.write((tx) =>
      insert(tx, [
        { id: 9, name: "x" },
        { id: 9, name: "y" },
      ]),
    );
    await expect(twice).rejects.toThrow();
    expect(await names(database)).toHaveLength(4);
  });
});
