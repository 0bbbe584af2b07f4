import type { StartReader } from "../../../domain/storage/reader-process.ts";
import { trueName } from "../../../lib/files/true-name.ts";
import { removeLeftHeadDrafts } from "../../audit/head-copy.ts";
import type { Database } from "../../database.ts";
import { hasContentNow } from "../../files/content.ts";
import { undo, undoInterrupted } from "../../files/replace-file.ts";
import { findMarkNow, movedAway } from "../../move/mark.ts";
import { loadMigrations, type Migration } from "../migrations.ts";
import { SqliteDatabase } from "./database.ts";
import { type DatabaseLock, serveDatabase, shareDatabase } from "./database-lock.ts";
import { cannotOpen, openWriter, refusal, requireFile } from "./file.ts";
import { migrate, pendingMigrations, removeLeftDrafts } from "./migrate.ts";

export interface OpenDatabaseOptions {
  file: string;
  busyTimeoutMs: number;
  /** `apply` creates or migrates the file; `require` refuses one that is not up to date. */
  schema: "apply" | "require";
  now: () => number;
  /**
   * `claimed`: the caller holds the exclusive lock. `server`: this is the only server of the file.
   * Without a role, any number of processes can open the file.
   */
  role?: "claimed" | "server";
  /** Whether to open a database whose data was moved away. */
  evenIfMoved?: boolean;
  /** Starts processes for reads that can take a long time. */
  startReader?: StartReader | undefined;
}

export interface OpenedDatabase {
  database: Database;
  migrated: Migration[];
  /** Whether the audit trail has rows. If so, its key must exist. */
  hasHistory: boolean;
  /** Whether the database was never used. If so, a new audit trail may begin. */
  isNew: boolean;
  /** Whether files of an interrupted restore were removed. That restore had replaced nothing. */
  restoreUndone: boolean;
  /** The user of a PostgreSQL database; absent for a file. */
  databaseUser?: string;
}

/** Throws AppError UNAVAILABLE, which names the file and the reason. */
export function openDatabase(options: OpenDatabaseOptions): OpenedDatabase {
  const { file, busyTimeoutMs } = options;
  const apply = options.schema === "apply";
  requireFile({ file, create: apply });
  const { role } = options;
  const restoreUndone = (role === "claimed" ? undo : undoInterrupted)(trueName(file));
  const lock = role === "claimed" ? null : lockFor(role, file, busyTimeoutMs);
  try {
    if (role) {
      removeLeftDrafts(trueName(file));
      removeLeftHeadDrafts(file);
    }
    return { ...openShared(options, lock), restoreUndone };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function lockFor(role: "server" | undefined, file: string, waitMs: number): DatabaseLock {
  return role === "server" ? serveDatabase(file, waitMs) : shareDatabase(file, waitMs);
}

function openShared(options: OpenDatabaseOptions, lock: DatabaseLock | null) {
  const { file, busyTimeoutMs, now, startReader } = options;
  const apply = options.schema === "apply";
  const writer = openWriter({ file, busyTimeoutMs, create: apply });
  try {
    const mark = options.evenIfMoved ? null : findMarkNow(writer);
    if (mark !== null) throw movedAway(file, mark);
    const migrated = apply ? migrate(writer, now) : [];
    const pending = apply ? [] : pendingMigrations(writer, loadMigrations());
    if (pending.length > 0) {
      throw refusal(
        file,
        "its schema is older than this program requires: start `platform serve` once",
      );
    }
    const hasHistory = writer.prepare("SELECT MAX(seq) FROM audit_events").pluck().get() !== null;
    const database = new SqliteDatabase(writer, { busyTimeoutMs, now, startReader });
    if (lock) database.releaseAtEnd(lock);
    return { database, migrated, hasHistory, isNew: !hasContentNow(writer) };
  } catch (error) {
    if (writer.open) writer.close();
    throw cannotOpen(file, error);
  }
}
