import type { DatabaseStats, Reader } from "../../database.ts";

/** PostgreSQL's log and free pages belong to the whole server, so they count as none. */
export async function statsOf(db: Reader): Promise<DatabaseStats> {
  const row = await db.get<Omit<DatabaseStats, "migrations">>(
    `SELECT current_setting('server_version') AS "version", current_database() AS "fileName",
       pg_database_size(current_database()) AS "sizeBytes", 0 AS "walBytes",
       pg_database_size(current_database()) / current_setting('block_size')::bigint AS "pageCount",
       current_setting('block_size')::bigint AS "pageSizeBytes", 0 AS "freePages"`,
  );
  if (!row) throw new Error("PostgreSQL returned no row");
  const migrations = await db.all<DatabaseStats["migrations"][number]>(
    `SELECT version, name, applied_at AS "appliedAt" FROM schema_migrations ORDER BY version`,
  );
  return { ...row, migrations };
}
