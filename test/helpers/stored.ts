// Reads what the database of a test app contains, even if the program does not show it, and makes
// the database refuse changes.

import { existsSync, readFileSync } from "node:fs";
import type { TestApp } from "./app.ts";
import { isOnPostgres, refuseOnPostgres } from "./postgres-app.ts";

/** Returns the rows of every table, sorted by their content. */
export async function everyRow({ database }: TestApp): Promise<Record<string, object[]>> {
  const tables = await database.read.all<{ name: string }>(
    database.engine === "postgresql"
      ? // The numbers of write groups are not content.
        `SELECT tablename AS name FROM pg_tables
         WHERE schemaname = current_schema() AND tablename <> 'write_groups'`
      : "SELECT name FROM sqlite_schema WHERE type = 'table'",
  );
  const rows: Record<string, object[]> = {};
  for (const { name } of tables) {
    const found = await database.read.all<object>(`SELECT * FROM ${name}`);
    rows[name] = found.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  return rows;
}

/** Whether the SQLite file, its log, or any row on PostgreSQL contains this text. */
export async function isStored(app: TestApp, text: string): Promise<boolean> {
  if (isOnPostgres(app.config.dataDir)) return JSON.stringify(await everyRow(app)).includes(text);
  const files = [app.file, `${app.file}-wal`].filter((file) => existsSync(file));
  return files.some((file) => readFileSync(file).includes(text));
}

/**
 * Makes the database refuse these changes, such as `INSERT ON agents`. Returns the function that
 * allows them again.
 */
export async function refuseRows(
  { config: { dataDir }, database }: TestApp,
  change: string,
): Promise<() => Promise<void>> {
  const trigger = "refused_in_test";
  const [, table] = change.split(" ON ");
  if (isOnPostgres(dataDir)) {
    await refuseOnPostgres(dataDir, trigger, change);
    return run(`DROP TRIGGER ${trigger} ON ${table}`);
  }
  const refusal = "SELECT RAISE(ABORT, 'refused by the test')";
  await run(`CREATE TRIGGER ${trigger} BEFORE ${change} BEGIN ${refusal}; END`)();
  return run(`DROP TRIGGER ${trigger}`);

  function run(sql: string) {
    return async () => void (await database.write((tx) => tx.run(sql)));
  }
}
