// Statements of several works that run as one mean what they mean one after the other.

import { describe, expect, test } from "vitest";
import type { SqlValue, Tx } from "../../../../src/store/database.ts";
import type { PostgresDatabase } from "../../../../src/store/engine/postgresql/database.ts";
import {
  joinableForm,
  joinedParams,
  joinedSql,
  type Kind,
} from "../../../../src/store/engine/postgresql/joined-sql.ts";
import { Session } from "../../../../src/store/engine/postgresql/session.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import { add, openEngine, outcomesOf } from "./engine.ts";

const nameOf = "SELECT id, name FROM things WHERE name = ?";
const rename = "UPDATE things SET name = ? WHERE name = ?";

/** Runs a work for each value at the same time. */
function each<Value, T>(
  database: PostgresDatabase,
  values: readonly Value[],
  work: (tx: Tx, value: Value) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    values.map((value, at) => database.write((tx) => work(tx, value), { agentId: `agent ${at}` })),
  );
}

/**
 * Returns how many works shared each statement while `run` ran; null for a statement of one work.
 * Statements that cannot be shared are not counted.
 */
async function partsDuring(run: () => Promise<unknown>): Promise<(number | null)[]> {
  const parts: (number | null)[] = [];
  const { query, queryJoined } = Session.prototype;
  Session.prototype.query = function (this: Session, sql, params) {
    // The group runs one by one, because a statement has failed.
    expect(sql).not.toContain("SAVEPOINT");
    return query.call(this, sql, params);
  };
  Session.prototype.queryJoined = function (this: Session, join) {
    return queryJoined.call(this, () => {
      const joined = join();
      parts.push(joined.parts);
      return joined;
    });
  };
  try {
    await run();
  } finally {
    Object.assign(Session.prototype, { query, queryJoined });
  }
  return parts;
}

describe.skipIf(!hasPostgres)("works that send the same statement in one turn", () => {
  const texts = [
    ...['"', "\\", '\\"', "{}", "a,b", "NULL", "null", "", " ", "\n", "'", "?", "$1", "ü€😀"],
    "a\0b",
    "a\ud800",
  ];

  test("share it, and each gets its own rows, whatever the values are", async () => {
    const { database } = await openEngine();
    const kept = (text: string) => text.toWellFormed().replaceAll("\0", "\ufffd");
    await each(database, texts, (tx, text) => add(tx, text));
    const parts = await partsDuring(async () => {
      const found = await each(database, [...texts, "missing"], (tx, text) =>
        tx.all<{ name: string }>(nameOf, text),
      );
      expect(found).toEqual([
        ...texts.map((text) => [{ id: expect.any(Number), name: kept(text) }]),
        [],
      ]);
    });
    expect(parts).toEqual([texts.length + 1]);
  });

  test("that changes rows share it, and each learns how many it has changed", async () => {
    const { database, names } = await openEngine();
    await each(database, ["a", "b", "c"], (tx, name) => add(tx, name));
    const parts = await partsDuring(async () => {
      const changed = await each(database, ["a", "missing", "c"], (tx, name) =>
        tx.run(rename, `${name} again`, name),
      );
      expect(changed).toEqual([1, 0, 1]);
    });
    expect(parts).toEqual([3]);
    expect((await names()).sort()).toEqual(["a again", "b", "c again"]);
  });

  test("keep the order of the rows, and a limit for each", async () => {
    const { database } = await openEngine();
    for (const name of ["a1", "b1", "a2", "b2", "a3"]) await database.write((tx) => add(tx, name));
    const newest = "SELECT name FROM things WHERE name LIKE ? ORDER BY id DESC LIMIT ? -- newest";
    const found = await each(database, [["a%", 2] as const, ["b%", 1] as const], (tx, given) =>
      tx.all<{ name: string }>(newest, ...given),
    );
    expect(found).toEqual([[{ name: "a3" }, { name: "a2" }], [{ name: "b2" }]]);
  });

  test.each<[string, SqlValue[], number]>([
    ["numbers", [1, 2], 1],
    ["null and text", [null, "1", null], 1],
    ["only null, which is not shared", [null, null], 0],
    ["numbers and texts, not together", [1, 2, "1", null], 2],
    ["fractions, which are not shared", [0.5, 1.5], 0],
  ])("may have parameters that are %s", async (_, values, statements) => {
    const { database } = await openEngine();
    const sql = 'SELECT CAST(? AS TEXT) AS "text" FROM (SELECT 1 AS one) AS row WHERE one = 1';
    const parts = await partsDuring(async () => {
      const found = await each(database, values, (tx, value) => tx.get(sql, value));
      expect(found).toEqual(values.map((value) => ({ text: value === null ? null : `${value}` })));
    });
    expect(parts).toHaveLength(statements);
  });

  test("do not share it if it would run before what one of them has sent first", async () => {
    const { database } = await openEngine();
    await each(database, ["a", "b"], (tx, name) => add(tx, name));
    const work = async (tx: Tx, name: string) => {
      const [, before, , after] = await Promise.all([
        name === "b" ? tx.run(rename, "b too", "b") : null,
        tx.get(nameOf, name),
        tx.run(rename, `${name} again`, name === "b" ? "b too" : name),
        tx.get(nameOf, `${name} again`),
      ]);
      return [before, after].map((row) => (row as { name: string } | undefined)?.name);
    };
    expect(await each(database, ["a", "b"], work)).toEqual([
      ["a", "a again"],
      [undefined, "b again"],
    ]);
  });

  test("share a change only once each, because a statement changes a row once", async () => {
    const { database, names } = await openEngine();
    await each(database, ["a", "b"], (tx, name) => add(tx, name));
    const twice = async (tx: Tx, name: string) =>
      Promise.all([tx.run(rename, `${name}2`, name), tx.run(rename, `${name}3`, `${name}2`)]);
    expect(await each(database, ["a", "b"], twice)).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect((await names()).sort()).toEqual(["a3", "b3"]);
  });

  test("see the rows that they have appended", async () => {
    const { database } = await openEngine();
    const thing = {
      table: "things",
      columns: ["name"],
      sql: "INSERT INTO things (name) VALUES (?)",
    };
    const found = await each(database, ["a", "b", "c"], async (tx, name) => {
      const read = () => tx.get<{ name: string }>(nameOf, name);
      const early = name === "a" ? await read() : undefined;
      await tx.append(thing, [name]);
      return [early, await read()];
    });
    expect(found.map(([early, row]) => [early?.name, row?.name])).toEqual([
      [undefined, "a"],
      [undefined, "b"],
      [undefined, "c"],
    ]);
  });

  test("fail alone if it fails for one of them", async () => {
    const { database, names } = await openEngine();
    await each(database, ["a", "b", "c", "taken"], (tx, name) => add(tx, name));
    const renamed = ["a", "b", "c"].map((name) =>
      database.write((tx) => tx.run(rename, name === "b" ? "taken" : `${name} again`, name), {
        agentId: name,
      }),
    );
    expect(await outcomesOf(renamed)).toEqual([1, "23505", 1]);
    expect((await names()).sort()).toEqual(["a again", "b", "c again", "taken"]);
  });
});

test.each<[string, ReturnType<typeof joinableForm>]>([
  ["SELECT 1", "read"],
  ["\n  SELECT a FROM b WHERE c = ?", "read"],
  ["UPDATE a SET b = ? WHERE c = ?", "change"],
  ["UPDATE a SET b = ? WHERE c = ?\n  AND d = ?", "change"],
  ["UPDATE a SET b = ? WHERE c = ? AND d = 'constant'", null],
  ["UPDATE a SET b = ? WHERE c > ?", null],
  ["UPDATE a SET b = ?", null],
  ["UPDATE a SET b = ? WHERE c IN (SELECT d FROM e WHERE f = ?)", null],
  ["UPDATE a SET b = v.c FROM (VALUES (?)) AS v WHERE d = ?", null],
  ["UPDATE a SET b = ? WHERE c = ? RETURNING b", null],
  ["INSERT INTO a VALUES (?)", null],
  ["DELETE FROM a WHERE b = ?", null],
  ["WITH a AS (SELECT 1) SELECT * FROM a", null],
])("which statements can be joined: %s", (sql, form) => {
  expect(joinableForm(sql)).toBe(form);
});

test("parameters that are null everywhere are in the text", () => {
  const kinds: Kind[] = ["text", "null", "bigint"];
  const sql = joinedSql("UPDATE a SET b = ?, c = ? WHERE d = ?", kinds);
  expect(sql.replace(/\s+/g, " ")).toBe(
    "UPDATE a SET b = each_work.p0, c = NULL FROM unnest(?::text[], ?::bigint[]) WITH ORDINALITY " +
      "AS each_work (p0, p2, n) WHERE d = each_work.p2 RETURNING each_work.n",
  );
  const rows = [
    ["x", null, 1],
    [null, null, 2],
  ];
  expect(joinedParams(kinds, rows)).toEqual(['{"x",NULL}', "{1,2}"]);
});
