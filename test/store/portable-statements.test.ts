// Checks that every statement of src/store is SQL that PostgreSQL accepts, too.

import { expect, test } from "vitest";
import { plansForAnySize } from "../../src/store/engine/postgresql/database.ts";
import { joinableForm, joinedSql } from "../../src/store/engine/postgresql/joined-sql.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { migratedPostgres } from "../helpers/postgres-schema.ts";
import { everyStatement, everyStatementOnPostgres } from "./every-statement.ts";

/** The SQLite engine runs these for itself. */
const ofEngine = /\bsqlite_|\bschema_migrations\b/;

/** The engine converts these types. */
const types = new Set(["text", "bigint", "integer", "boolean"]);

interface Prepared {
  parameters: string[];
  results: string[] | null;
}

test.skipIf(!hasPostgres)("PostgreSQL accepts every statement, and knows all types", async () => {
  const statements = (await everyStatement()).filter((sql) => !ofEngine.test(sql));
  expect(statements.length).toBeGreaterThan(300);
  const client = await migratedPostgres();
  const wrong: string[] = [];
  for (const sql of statements) {
    try {
      let marks = 0;
      await client.query(`PREPARE tried AS ${sql.replaceAll("?", () => `$${++marks}`)}`);
      const { rows } = await client.query<Prepared>(
        `SELECT parameter_types::text[] AS parameters, result_types::text[] AS results
         FROM pg_prepared_statements WHERE name = 'tried'`,
      );
      const { parameters = [], results } = rows[0] ?? {};
      const others = [...parameters, ...(results ?? [])].filter((type) => !types.has(type));
      if (others.length > 0) wrong.push(`${others.join(", ")}: ${sql}`);
      await client.query("DEALLOCATE tried");
    } catch (error) {
      wrong.push(`${(error as Error).message}: ${sql}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Each element of the parameters looks up its rows, in an index. */
const plansForEach =
  /^Update .*\n-> {2}Nested Loop .*\n-> {2}Function Scan on .*\n-> {2}Index Scan .*\nIndex Cond: .*each_work/;

test.skipIf(!hasPostgres)("PostgreSQL accepts every statement for several works", async () => {
  const statements = (await everyStatement()).filter(
    (sql) => !ofEngine.test(sql) && joinableForm(sql) !== null && sql.includes("?"),
  );
  expect(statements.length).toBeGreaterThan(150);
  expect(statements.filter((sql) => sql.startsWith("UPDATE")).length).toBeGreaterThan(15);
  const client = await migratedPostgres();
  for (const [name, value] of Object.entries(plansForAnySize)) {
    await client.query(`SET ${name} = ${value}`);
  }
  const numberedIn = (sql: string) => {
    let marks = 0;
    return sql.replaceAll("?", () => `$${++marks}`);
  };
  const wrong: string[] = [];
  for (const sql of statements) {
    try {
      await client.query(`PREPARE one AS ${numberedIn(sql)}`);
      const { rows } = await client.query<Pick<Prepared, "parameters">>(
        "SELECT parameter_types::text[] AS parameters FROM pg_prepared_statements WHERE name = 'one'",
      );
      await client.query("DEALLOCATE one");
      const kinds = rows[0]?.parameters.map((type) => (type === "text" ? "text" : "bigint")) ?? [];
      await client.query(`PREPARE joined AS ${numberedIn(joinedSql(sql, kinds))}`);
      await client.query("DEALLOCATE joined");
      if (joinableForm(sql) === "read") continue;
      const plan = await client.query(
        `EXPLAIN (GENERIC_PLAN) ${numberedIn(joinedSql(sql, kinds))}`,
      );
      const text = plan.rows.map((row) => row["QUERY PLAN"].trim()).join("\n");
      if (!plansForEach.test(text)) wrong.push(`${text}: ${sql}`);
    } catch (error) {
      wrong.push(`${(error as Error).message}: ${sql}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Only commands of the host run these, on a file. */
const onFiles = [
  /^SELECT M(AX|IN)\((seq|at)\) FROM audit_events$/,
  /^SELECT id, username AS name, .* FROM users$/,
  / AS "(isOrphaned|lastTokenEvent)" FROM /,
  /^SELECT 1 = 0 OR EXISTS/,
  /^SELECT action, metadata FROM audit_events WHERE target_id = \? AND action IN \(\?, \?\)/,
];

test.skipIf(!hasPostgres)("every statement runs on PostgreSQL", async () => {
  const { ran, failed } = await everyStatementOnPostgres();
  expect(failed).toEqual([]);
  const others = [ofEngine, ...onFiles];
  const wanted = (await everyStatement()).filter((sql) => !others.some((form) => form.test(sql)));
  expect(wanted.length).toBeGreaterThan(300);
  expect(wanted.filter((sql) => !ran.includes(sql))).toEqual([]);
});

test.skipIf(!hasPostgres)(
  "each subquery in FROM has a name, as PostgreSQL 15 requires",
  async () => {
    const nameless = (await everyStatement()).filter((sql) => hasNamelessSubquery(sql));
    expect(nameless).toEqual([]);
  },
);

function hasNamelessSubquery(sql: string): boolean {
  return [...sql.matchAll(/\b(?:FROM|JOIN) \(SELECT/g)].some(({ index }) => {
    let depth = 0;
    let end = sql.indexOf("(", index);
    do depth += { "(": 1, ")": -1 }[sql[end++]!] ?? 0;
    while (depth > 0);
    return !/^ (AS )?(?!WHERE|ORDER|GROUP|LIMIT)\w/.test(sql.slice(end));
  });
}
