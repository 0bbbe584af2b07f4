// Opens a database, whichever engine it has. A program that uses SQLite loads nothing of PostgreSQL.

import type { Place, PostgresPlace } from "../domain/storage/place.ts";
import { claimTrail, requireAuditKey, requireKeyOfTrail } from "./audit/key-check.ts";
import { type OpenDatabaseOptions, type OpenedDatabase, openDatabase } from "./engine/open.ts";
import { loadSharedKey } from "./files/key-files.ts";

export type OpenStoreOptions = Omit<OpenDatabaseOptions, "file">;

/**
 * Throws AppError UNAVAILABLE with the database and the reason, also if the audit key is not the key
 * of its trail. With PostgreSQL, the options other than `schema` have no effect: locks, times and
 * reads are the database server's.
 */
export async function openStore(place: Place, options: OpenStoreOptions): Promise<OpenedDatabase> {
  if (place.kind === "postgresql") return openServer(place, options.schema);
  await requireAuditKey(place.file, place.auditKeyFile, options.busyTimeoutMs);
  return openDatabase({ ...options, file: place.file });
}

async function openServer(
  place: PostgresPlace,
  schema: OpenStoreOptions["schema"],
): Promise<OpenedDatabase> {
  loadSharedKey(place.auditKeyFile);
  if (place.sessionKeyFile !== null) loadSharedKey(place.sessionKeyFile);
  const { openPostgres } = await import("./engine/postgresql/open.ts");
  const opened = await openPostgres({
    url: place.url,
    schema,
    check: (db) => requireKeyOfTrail(db, place),
  });
  try {
    await opened.database.write((tx) => claimTrail(tx, place));
    return { ...opened, restoreUndone: false };
  } catch (error) {
    await opened.database.close();
    throw error;
  }
}
