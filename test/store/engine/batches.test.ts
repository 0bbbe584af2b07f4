// Batches mean the same on both engines. (docs/decisions/0003-group-commit.md)

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/domain/errors.ts";
import type { BatchHandler, Database } from "../../../src/store/database.ts";
import { SqliteDatabase } from "../../../src/store/engine/sqlite.ts";
import { openWriter } from "../../../src/store/engine/sqlite-file.ts";
import { rowsInserter, rowsUpdater } from "../../../src/store/rows.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { add, openEngine, outcomesOf } from "./postgresql/engine.ts";

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
