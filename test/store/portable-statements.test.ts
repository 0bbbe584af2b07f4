// Checks that every statement of src/store is SQL that PostgreSQL accepts, too.

import { expect, test } from "vitest";
import { plansForAnySize } from "../../src/store/engine/postgresql/database.ts";
import { numbered } from "../../src/store/engine/postgresql/placeholders.ts";
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

test.skipIf(!hasPostgres)("PostgreSQL accepts every statement, and knows all types", async () => {
  const statements = (await everyStatement()).filter((sql) => !ofEngine.test(sql));
  expect(statements.length).toBeGreaterThan(300);
  const client = await migratedPostgres();
  const wrong: string[] = [];
  for (const [at, sql] of statements.entries()) {
    const failed = (error: Error) => void wrong.push(`${error.message}: ${sql}`);
    await client.query(`PREPARE one_${at} AS ${numbered(sql)}`).catch(failed);
  }
  const { rows } = await client.query<Prepared>(
    `SELECT name, parameter_types::text[] AS parameters, result_types::text[] AS results
     FROM pg_prepared_statements`,
  );
  for (const [at, sql] of statements.entries()) {
    const { parameters = [], results = null } = rows.find(({ name }) => name === `one_${at}`) ?? {};
    const others = [...parameters, ...(results ?? [])].filter((type) => !types.has(type));
    if (others.length > 0) wrong.push(`${others.join(", ")}: ${sql}`);
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

/** Each row looks up what it changes, in an index. */
const planForEachRow =
  /^Update .*\n-> {2}Nested Loop .*\n-> {2}Function Scan on json_to_recordset .*\n-> {2}Index Scan .*\nIndex Cond: .*each_row/;

test.skipIf(!hasPostgres)("every statement runs on PostgreSQL, also for many rows", async () => {
  const { ran, ofRows } = await everyStatementOnPostgres();
  const others = [ofEngine, ...onFiles];
  const wanted = (await everyStatement()).filter((sql) => !others.some((form) => form.test(sql)));
  expect(wanted.length).toBeGreaterThan(300);
  expect(wanted.filter((sql) => !ran.includes(sql))).toEqual([]);
  const updates = ofRows.filter((sql) => sql.startsWith("UPDATE"));
  expect(updates.length).toBeGreaterThan(1);
  const client = await migratedPostgres();
  for (const [name, value] of Object.entries(plansForAnySize)) {
    await client.query(`SET ${name} = ${value}`);
  }
  for (const sql of updates) {
    const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN) ${numbered(sql)}`);
    expect(rows.map((row) => row["QUERY PLAN"].trim()).join("\n")).toMatch(planForEachRow);
  }
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
