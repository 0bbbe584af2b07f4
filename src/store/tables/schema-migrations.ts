// Reads the schema's history. The engines write it (engine/sqlite/migrate.ts,
// engine/postgresql/migrate.ts).

import type { Reader } from "../database.ts";
import { get } from "../sql-tag.ts";

/** Returns the number of the newest migration that a program must know to use the schema. */
export async function minimumVersion(db: Reader): Promise<number> {
  const row = await get(db)<{
    minimum: number | null;
  }>`SELECT MAX(minimum_version) AS "minimum" FROM schema_migrations`;
  return row?.minimum ?? 0;
}
