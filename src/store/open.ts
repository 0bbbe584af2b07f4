// Opens the database that a configuration names: the file, its schema, the engine.

import { AppError } from "../domain/errors.ts";
import { hasContentNow } from "./content.ts";
import type { Database } from "./database.ts";
import { type DatabaseLock, shareDatabase, trueName } from "./database-lock.ts";
import { loadMigrations, type Migration, migrate, pendingMigrations } from "./migrate.ts";
import { undo, undoInterrupted } from "./replace-file.ts";
import { SqliteDatabase } from "./sqlite.ts";
import { openWriter, refusal, requireFile } from "./sqlite-file.ts";

export interface OpenDatabaseOptions {
  file: string;
  busyTimeoutMs: number;
  /** `apply`: make the file if absent and bring it up to date; `require`: it must be so already. */
  schema: "apply" | "require";
  now: () => number;
  /** The caller has the file alone, and keeps that lock itself. */
  claimed?: boolean;
}

export interface OpenedDatabase {
  database: Database;
  /** What was applied just now. */
  migrated: Migration[];
  /** Something stands in the audit trail: the key that it was chained with must be there. */
  hasHistory: boolean;
  /** Nothing was ever done with it: the trail may begin. */
  isNew: boolean;
  /** A restore was interrupted before it had replaced anything; what it left is gone. */
  restoreUndone: boolean;
}

/** Throws AppError UNAVAILABLE, naming the file and the reason, when it cannot be used. */
export function openDatabase(options: OpenDatabaseOptions): OpenedDatabase {
  const { file, busyTimeoutMs } = options;
  const apply = options.schema === "apply";
  requireFile({ file, create: apply });
  const { claimed = false } = options;
  const restoreUndone = (claimed ? undo : undoInterrupted)(trueName(file));
  const lock = claimed ? null : shareDatabase(file, busyTimeoutMs);
  try {
    return { ...openShared(options, lock), restoreUndone };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function openShared(options: OpenDatabaseOptions, lock: DatabaseLock | null) {
  const { file, busyTimeoutMs, now } = options;
  const apply = options.schema === "apply";
  const writer = openWriter({ file, busyTimeoutMs, create: apply });
  try {
    const migrated = apply ? migrate(writer, now) : [];
    const pending = apply ? [] : pendingMigrations(writer, loadMigrations());
    if (pending.length > 0) {
      throw refusal(file, "its schema is older than this program: start `platform serve` once");
    }
    const hasHistory = writer.prepare("SELECT MAX(seq) FROM audit_events").pluck().get() !== null;
    const database = new SqliteDatabase(writer, { busyTimeoutMs, now });
    if (lock) database.releaseAtEnd(lock);
    return { database, migrated, hasHistory, isNew: !hasContentNow(writer) };
  } catch (error) {
    if (writer.open) writer.close();
    throw error instanceof AppError ? error : refusal(file, (error as Error).message, error);
  }
}
