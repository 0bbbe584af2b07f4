// Works about different agents run at the same time, and leave what they would leave one after the
// other. (docs/decisions/0022-postgresql-writes.md)

import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Increment, RowInsert, Tx } from "../../../../src/store/database.ts";
import type { PostgresDatabase } from "../../../../src/store/engine/postgresql/database.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import { add, countIn, openEngine, outcomesOf } from "./engine.ts";

const thing: RowInsert = {
  table: "things",
  columns: ["name"],
  sql: "INSERT INTO things (name) VALUES (?)",
};

const about = (agentId: string) => ({ agentId });

/** Runs a work that notes when it begins and ends, with one statement in between. */
function noted(database: PostgresDatabase, notes: string[], name: string, agentId?: string) {
  return database.write(
    async (tx) => {
      notes.push(`${name} begins`);
      await countIn(tx);
      await countIn(tx);
      notes.push(`${name} ends`);
    },
    agentId === undefined ? undefined : about(agentId),
  );
}

describe.skipIf(!hasPostgres)("works about different agents", () => {
  test("run at the same time, works about one agent in turn, and others alone", async () => {
    const { database } = await openEngine();
    const notes: string[] = [];
    await Promise.all([
      noted(database, notes, "a1", "a"),
      noted(database, notes, "b", "b"),
      noted(database, notes, "a2", "a"),
      noted(database, notes, "alone"),
      noted(database, notes, "c", "c"),
    ]);
    const at = (note: string) => notes.indexOf(note);
    expect(at("b begins")).toBeLessThan(at("a1 ends"));
    expect(at("a2 begins")).toBeGreaterThan(at("a1 ends"));
    expect(notes.slice(6)).toEqual(["alone begins", "alone ends", "c begins", "c ends"]);
  });

  test("a work that must be alone runs again, before later works about its agent", async () => {
    const { database, names } = await openEngine();
    const notes: string[] = [];
    const effects: string[] = [];
    let standing = 0;
    const must = database.write(async (tx) => {
      standing++;
      tx.afterRollback(() => standing--);
      tx.afterCommit(() => effects.push("must"));
      await countIn(tx);
      await tx.alone();
      notes.push("must begins");
      await add(tx, "must");
      notes.push("must ends");
    }, about("a"));
    const others = [noted(database, notes, "a", "a"), noted(database, notes, "b", "b")];
    await Promise.all([must, ...others]);
    expect(notes.slice(2)).toEqual(["must begins", "must ends", "a begins", "a ends"]);
    expect(notes.slice(0, 2)).toEqual(["b begins", "b ends"]);
    expect({ standing, effects }).toEqual({ standing: 1, effects: ["must"] });
    expect(await names()).toEqual(["must"]);
  });

  test("a work that asks to be alone too late, or ignores the answer, still runs alone", async () => {
    const { database, names } = await openEngine();
    const late = database.write(async (tx) => {
      await add(tx, "late");
      await tx.alone();
    }, about("a"));
    const other = database.write((tx) => add(tx, "other"), about("b"));
    await Promise.all([late, other]);
    expect(await names()).toEqual(["late", "other"]);
    let runs = 0;
    const ignoring = database.write(async (tx) => {
      runs++;
      await tx.alone().catch(() => undefined);
      await countIn(tx);
    }, about("a"));
    await Promise.all([ignoring, database.write((tx) => add(tx, "next"), about("b"))]);
    expect(runs).toBe(2);
  });

  test("one that fails after a change leaves nothing and does not affect the others", async () => {
    const { database, names } = await openEngine();
    const effects: string[] = [];
    const write = (name: string, fails: boolean) =>
      database.write(async (tx) => {
        tx.afterCommit(() => effects.push(name));
        await add(tx, name);
        if (fails) throw new Error("on purpose");
        return name;
      }, about(name));
    const writes = [write("a", false), write("b", true), write("c", false), write("d", true)];
    expect(await outcomesOf(writes)).toEqual(["a", "on purpose", "c", "on purpose"]);
    expect(await names()).toEqual(["a", "c"]);
    expect(effects).toEqual(["a", "c"]);
  });

  test.each([
    ["another promise", () => nextTurn()],
    ["nothing that ever happens", () => new Promise(() => undefined)],
  ])("one that awaits %s ends the group, also while others wait for it", async (_, wait) => {
    const { database, names } = await openEngine();
    const key = Symbol("found");
    const find = async (tx: Tx, waits: boolean) => {
      await countIn(tx);
      if (waits) await wait();
      return {};
    };
    const write = (name: string) =>
      database.write(async (tx) => {
        await tx.shared(key, () => find(tx, name === "a"));
        await add(tx, name);
      }, about(name));
    expect(await outcomesOf(["a", "b", "c"].map(write))).toEqual(Array(3).fill("UNAVAILABLE"));
    expect(await names()).toEqual([]);
    await write("d");
    expect(await names()).toEqual(["d"]);
  });

  test("waiting for what another work finds is no overrun, and it is found once", async () => {
    const { database } = await openEngine();
    let found = 0;
    const key = Symbol("found");
    const write = (name: string) =>
      database.write(async (tx) => {
        const { count } = await tx.shared(key, async () => {
          found++;
          for (let times = 0; times < 20; times++) await countIn(tx);
          return { count: (await countIn(tx)) ?? -1 };
        });
        await add(tx, `${name} ${count}`);
        return count;
      }, about(name));
    expect(await Promise.all(["a", "b", "c"].map(write))).toEqual([0, 0, 0]);
    expect(found).toBe(1);
  });
});

describe.skipIf(!hasPostgres)("rows that are appended", () => {
  const count: Increment = {
    table: "things",
    sql: "UPDATE things SET id = id + ? WHERE name = ?",
  };

  test("are one statement, but come before one that names their table or deletes", async () => {
    const { database, names } = await openEngine();
    const counts = await Promise.all(
      ["a", "b", "c"].map((name) =>
        database.write(async (tx) => {
          await tx.append(thing, [name]);
          await tx.append(thing, [`${name} again`]);
          return tx.get<{ count: number }>(
            `SELECT COUNT(*) AS "count" FROM things WHERE name = ?`,
            name,
          );
        }, about(name)),
      ),
    );
    expect(counts).toEqual([{ count: 1 }, { count: 1 }, { count: 1 }]);
    expect(await names()).toHaveLength(6);
    await database.write(async (tx) => {
      await tx.append(thing, ["gone"]);
      await tx.run("DELETE FROM things");
    });
    expect(await names()).toEqual([]);
  });

  test("keep what text can hold", async () => {
    const { database, names } = await openEngine();
    const texts = ['"', "\\", "'", "\n\t", "ü € 😀", '{"a": [1, null]}', "%s $1 ?"];
    await Promise.all(
      [...texts, "a\0b", "\ud800"].map((name) =>
        database.write((tx) => tx.append(thing, [name]), about(name)),
      ),
    );
    expect(await names()).toEqual([...texts, "a\ufffdb", "\ufffd"]);
  });

  test("fail their own work alone, although they are written together", async () => {
    const { database, names } = await openEngine();
    await database.write((tx) => tx.append(thing, ["a"]));
    const writes = ["b", "a", "c"].map((name) =>
      database.write(async (tx) => {
        await tx.append(thing, [name]);
        return name;
      }, about(name)),
    );
    expect(await outcomesOf(writes)).toEqual(["b", "23505", "c"]);
    expect((await names()).sort()).toEqual(["a", "b", "c"]);
    expect(database.storage()).toMatchObject({ failure: null, commits: 2 });
  });

  test("amounts are added together, without those of failed works", async () => {
    const { database, other } = await openEngine();
    await database.write((tx) => add(tx, "a"));
    const write = (amount: number, fails = false) =>
      database.write(
        async (tx) => {
          await tx.add(count, amount, "a");
          if (fails) throw new Error("on purpose");
        },
        about(String(amount)),
      );
    await outcomesOf([write(10), write(100)]);
    await outcomesOf([write(1000), write(5, true), write(10_000)]);
    expect((await other.query("SELECT id FROM things")).rows).toEqual([{ id: "11111" }]);
  });
});
