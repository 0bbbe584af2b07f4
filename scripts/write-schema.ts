// Makes test/schema.sql, the schema after all migrations.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reader } from "../src/store/database.ts";
import { openDatabase } from "../src/store/engine/sqlite/open.ts";

export const schemaFile = join(import.meta.dirname, "../test/schema.sql");

/** Lists each table with its indexes and triggers, by name. */
export async function schemaText(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "platform-schema-"));
  try {
    const file = join(folder, "platform.db");
    const options = { file, busyTimeoutMs: 5000, schema: "apply", now: () => 0 } as const;
    const { database } = openDatabase(options);
    const text = await schemaOf(database.read);
    await database.close();
    return text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function schemaOf(db: Reader): Promise<string> {
  const statements = await db.all<{ sql: string }>(
    `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL
     ORDER BY tbl_name, CASE type WHEN 'table' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, name`,
  );
  const head =
    "-- The schema after all migrations. Written by scripts/write-schema.ts; not applied.\n";
  return [head, ...statements.map(({ sql }) => `${sql};\n`)].join("\n");
}
