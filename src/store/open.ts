// Opens a database, whichever engine it has. A program that uses SQLite loads no code for
// PostgreSQL.

import { AppError } from "../domain/errors.ts";
import { storageFailureOf } from "../domain/storage/failures.ts";
import type { Place, PostgresPlace } from "../domain/storage/place.ts";
import { claimTrail, requireAuditKey, requireKeyOfTrail } from "./audit/key-check.ts";
import {
  type OpenDatabaseOptions,
  type OpenedDatabase,
  openDatabase,
} from "./engine/sqlite/open.ts";
import { loadSharedKey } from "./files/key-files.ts";
import { findMarkOnServer, movedAway } from "./move/mark.ts";

type OpenStoreOptions = Omit<OpenDatabaseOptions, "file">;

export interface OpenedStore extends OpenedDatabase {
  place: Place;
}

/**
 * Throws AppError UNAVAILABLE, which names the database and the reason. Reasons include a wrong
 * audit key, and data that was moved away. With PostgreSQL, only `schema`, `role`, `evenIfMoved`
 * and `busyTimeoutMs` (for the first connection) have an effect, because the database server itself
 * provides locks, time and readers.
 */
export async function openStore(place: Place, options: OpenStoreOptions): Promise<OpenedStore> {
  if (place.kind === "postgresql") return openServer(place, options);
  await requireAuditKey(place.file, place.auditKeyFile, options.busyTimeoutMs);
  return { place, ...openDatabase({ ...options, file: place.file }) };
}

async function openServer(
  place: PostgresPlace,
  { schema, busyTimeoutMs, role, evenIfMoved = false }: OpenStoreOptions,
): Promise<OpenedStore> {
  loadSharedKey(place.auditKeyFile);
  if (place.sessionKeyFile !== null) loadSharedKey(place.sessionKeyFile);
  const { openPostgres, serverStartMs } = await import("./engine/postgresql/open.ts");
  const opened = await openPostgres({
    url: place.url,
    schema,
    connectMs: busyTimeoutMs,
    // A server may start together with its database.
    ...(role === "server" ? { patienceMs: serverStartMs } : {}),
    refuseMoved: !evenIfMoved,
    check: async (db) => {
      const mark = evenIfMoved ? null : await findMarkOnServer(db);
      if (mark !== null) throw movedAway(place.name, mark);
      await requireKeyOfTrail(db, place);
    },
  });
  try {
    await opened.database.write((tx) => claimTrail(tx, place));
    return { place, ...opened, restoreUndone: false };
  } catch (error) {
    await opened.database.close();
    throw storageFailureOf(error)?.reason === "LOCKED" ? isBusy(place, error) : error;
  }
}

function isBusy({ name }: PostgresPlace, cause: unknown): AppError {
  const message =
    `Cannot use the database ${name}: another program, such as platform db move, keeps everyone ` +
    "else from writing. Try again when it has ended.";
  return new AppError("UNAVAILABLE", message, { cause });
}
