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
  name: string;
  parameters: string[];
  results: string[] | null;
}

/** Each element of the parameters looks up its rows, in an index. */
const plansForEach =
  /^Update .*\n-> {2}Nested Loop .*\n-> {2}Function Scan on .*\n-> {2}Index Scan .*\nIndex Cond: .*each_work/;

test.skipIf(!hasPostgres)(
  "PostgreSQL accepts every statement, also for several works, and knows all types",
  async () => {
    const statements = (await everyStatement()).filter((sql) => !ofEngine.test(sql));
    expect(statements.length).toBeGreaterThan(300);
    const joinable = statements.filter((sql) => joinableForm(sql) !== null && sql.includes("?"));
    expect(joinable.length).toBeGreaterThan(150);
    expect(joinable.filter((sql) => sql.startsWith("UPDATE")).length).toBeGreaterThan(15);

    const client = await migratedPostgres();
    for (const [name, value] of Object.entries(plansForAnySize)) {
      await client.query(`SET ${name} = ${value}`);
    }
    const wrong: string[] = [];
    const attempt = (sql: string, text: string) =>
      client.query(text).catch((error: Error) => void wrong.push(`${error.message}: ${sql}`));
    const numberedIn = (sql: string) => {
      let marks = 0;
      return sql.replaceAll("?", () => `$${++marks}`);
    };
    for (const [at, sql] of statements.entries()) {
      await attempt(sql, `PREPARE one_${at} AS ${numberedIn(sql)}`);
    }
    const { rows } = await client.query<Prepared>(
      `SELECT name, parameter_types::text[] AS parameters, result_types::text[] AS results
       FROM pg_prepared_statements`,
    );
    for (const [at, sql] of statements.entries()) {
      const { parameters, results } = rows.find(({ name }) => name === `one_${at}`)!;
      const others = [...parameters, ...(results ?? [])].filter((type) => !types.has(type));
      if (others.length > 0) wrong.push(`${others.join(", ")}: ${sql}`);
      if (!joinable.includes(sql)) continue;
      const kinds = parameters.map((type) => (type === "text" ? "text" : "bigint"));
      const joined = numberedIn(joinedSql(sql, kinds));
      // A plan also shows that the statement is accepted.
      const isRead = joinableForm(sql) === "read";
      const plan = await attempt(
        sql,
        isRead ? `PREPARE joined_${at} AS ${joined}` : `EXPLAIN (GENERIC_PLAN) ${joined}`,
      );
      if (isRead || !plan) continue;
      const text = plan.rows.map((row) => row["QUERY PLAN"].trim()).join("\n");
      if (!plansForEach.test(text)) wrong.push(`${text}: ${sql}`);
    }
    expect(wrong).toEqual([]);
  },
);

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
