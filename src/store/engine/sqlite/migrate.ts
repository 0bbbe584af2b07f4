// Migrates an SQLite file. Each migration runs in one transaction, so an interruption leaves the
// old or the new schema. (docs/decisions/0004-database-file.md)

import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { flushFileSync, flushFolderSync } from "../../../lib/files/flush-folder.ts";
import { leaveMigrationNote } from "../../files/migration-note.ts";
import {
  type AppliedMigration,
  compareMigrations,
  loadMigrations,
  type Migration,
} from "../migrations.ts";
import { openReader, refusal, type SqliteConnection } from "./file.ts";

/** Returns an empty list for a new file. */
export function appliedMigrations(connection: SqliteConnection): AppliedMigration[] {
  const known = connection
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'")
    .get();
  if (!known) return [];
  return connection
    .prepare(
      `SELECT version, name, checksum, applied_at AS "appliedAt" FROM schema_migrations
       ORDER BY version`,
    )
    .all() as AppliedMigration[];
}

/**
 * Throws AppError UNAVAILABLE if another program or a newer version wrote the file, or if its
 * history differs.
 */
export function pendingMigrations(connection: SqliteConnection, known: Migration[]): Migration[] {
  // Both reads share a transaction, because another process may be migrating the file.
  const { applied, isEmpty } = connection.transaction(() => ({
    applied: appliedMigrations(connection),
    isEmpty: connection.prepare("SELECT COUNT(*) FROM sqlite_schema").pluck().get() === 0,
  }))();
  const { problem, pending } = compareMigrations(known, applied, isEmpty);
  if (problem !== null) throw refusal(connection.name, problem);
  return pending;
}

/**
 * Copies an existing database first, and leaves a note for the audit trail. Does neither if
 * `isDraft`. Returns the migrations that this call applied. Two programs may call this at the same
 * time, because each migration is checked again under the write lock.
 */
export function migrate(
  connection: SqliteConnection,
  now: () => number,
  known: Migration[] = loadMigrations(),
  isDraft = false,
): Migration[] {
  const pending = pendingMigrations(connection, known);
  const first = pending[0];
  if (!first) return [];
  if (!isDraft && first.version > 1) backUpBefore(connection, first);
  const applyOne = (migration: Migration) => {
    const at = now();
    const isApplied = apply(connection, migration, at);
    if (isApplied && !isDraft) {
      connection.prepare(leaveMigrationNote).run(String(migration.version), at);
    }
    return isApplied;
  };
  return pending.filter((migration) =>
    connection.transaction(() => applyOne(migration)).immediate(),
  );
}

/** Returns whether the migration was still pending. */
function apply(connection: SqliteConnection, migration: Migration, now: number): boolean {
  connection.exec(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,
       applied_at INTEGER NOT NULL
     ) STRICT`,
  );
  const done = connection
    .prepare("SELECT 1 FROM schema_migrations WHERE version = ?")
    .get(migration.version);
  if (done) return false;
  // A migration may drop a constraint by editing the schema's text.
  connection.unsafeMode(true);
  try {
    connection.exec(migration.sql);
  } finally {
    connection.unsafeMode(false);
  }
  connection
    .prepare(
      "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
    )
    .run(migration.version, migration.name, migration.checksum, now);
  connection.pragma(`user_version = ${migration.version}`);
  return true;
}

/** Returns the path of the copy that is made before a migration. */
export function copyBefore(file: string, next: Migration): string {
  return `${file}.before-${String(next.version).padStart(4, "0")}`;
}

/** The copy gets its final name only if no other process has migrated the database meanwhile. */
function backUpBefore(connection: SqliteConnection, next: Migration): void {
  const copy = copyBefore(connection.name, next);
  // If the process crashes, everything that remains of the copy is in this folder.
  const folder = mkdtempSync(`${copy}${draftMark}`);
  const draft = join(folder, "copy.db");
  try {
    writeFileSync(draft, "", { mode: 0o600 });
    connection.prepare("VACUUM INTO ?").run(draft);
    flushFileSync(draft); // VACUUM INTO does not flush it
    if (schemaVersionOf(draft) < next.version) renameSync(draft, copy);
    flushFolderSync(dirname(copy));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const draftMark = ".draft-";

/**
 * Removes the copies that interrupted migrations left. Must not run while another process migrates.
 */
export function removeLeftDrafts(file: string): void {
  const folder = dirname(file);
  const isLeft = (name: string) =>
    name.startsWith(`${basename(file)}.before-`) && leftForm.test(name);
  for (const name of readdirSync(folder).filter(isLeft)) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Earlier versions named the copy after the process. */
const leftForm = /\.before-\d{4}\.(draft-\w{6}|\d+(-wal|-shm|-journal)?)$/;

function schemaVersionOf(file: string): number {
  const copy = openReader(file, 0);
  try {
    return copy.pragma("user_version", { simple: true }) as number;
  } finally {
    copy.close();
  }
}
