// Locks an empty file beside the database (`<file>.lock`) through SQLite, so that the lock ends
// with the process. A lock on the database itself would vanish when the file is replaced.
// (docs/decisions/0004-database-file.md)

import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import BetterSqlite3 from "better-sqlite3";
import { makeEmptyFile } from "../../../lib/files/empty-file.ts";
import { trueName } from "../../../lib/files/true-name.ts";
import { requireOwnFolder } from "../../files/ownership.ts";
import { refusal, systemRefusal } from "./file.ts";

export interface DatabaseLock {
  release(): void;
}

/**
 * Any number of processes can share this lock. Waits up to `waitMs` while another process has the
 * exclusive lock. Throws AppError UNAVAILABLE. The folder must exist.
 */
export function shareDatabase(file: string, waitMs: number): DatabaseLock {
  const lock = acquire(file, waitMs, "BEGIN; SELECT COUNT(*) FROM sqlite_schema");
  if (lock) return lock;
  throw refusal(file, "it is being restored, migrated or moved; try again later");
}

/**
 * Only one server can have this lock, but other processes can share it. Waits up to `waitMs` while
 * another process has the exclusive lock. Throws AppError UNAVAILABLE, which names the other server
 * if there is one.
 */
export function serveDatabase(file: string, waitMs: number): DatabaseLock {
  // SQLite allows any number of readers in addition to one writer.
  const lock = acquire(file, waitMs, "BEGIN IMMEDIATE");
  if (!lock) {
    shareDatabase(file, 0).release();
    throw refusal(
      file,
      `another server is using it${whoServes(file)}. Stop that server first, or give this one its own ` +
        "data folder (--data-dir)",
    );
  }
  sayWhoServes(file);
  return {
    release() {
      forgetWhoServes(file);
      lock.release();
    },
  };
}

function serverOf(file: string): string {
  return `${trueName(file)}.server`;
}

/** The note is only for people to read. Only the lock decides who may serve the database. */
function sayWhoServes(file: string): void {
  try {
    rmSync(serverOf(file), { force: true });
    const text = `process ${process.pid} on ${hostname()}\n`;
    writeFileSync(serverOf(file), text, { mode: 0o600, flag: "wx" });
  } catch {
    // If the disk is full, the start fails later with a better message.
  }
}

export function forgetWhoServes(file: string): void {
  try {
    rmSync(serverOf(file), { force: true });
  } catch {
    // If the disk became read-only, the note stays, and the next server overwrites it.
  }
}

function whoServes(file: string): string {
  const who = notedServer(file);
  return who === null ? "" : ` (${who})`;
}

/**
 * Names the process that serves the database. If nobody holds the lock, that process ended without
 * a shutdown.
 */
export function notedServer(file: string): string | null {
  try {
    return readFileSync(serverOf(file), "utf8").trim();
  } catch {
    return null;
  }
}

/** Takes the exclusive lock. Returns null if the file is in use. Throws AppError UNAVAILABLE. */
export function claimDatabase(file: string): DatabaseLock | null {
  return acquire(file, 0, "BEGIN EXCLUSIVE");
}

/** Whether the file was ever locked. Creates nothing. Throws if the folder cannot be entered. */
export function isLockable(file: string): boolean {
  return statSync(lockOf(file), { throwIfNoEntry: false }) !== undefined;
}

function lockOf(file: string): string {
  return `${trueName(file)}.lock`;
}

/** Returns null if other processes hold the lock for longer than `waitMs`. */
function acquire(file: string, waitMs: number, sql: string): DatabaseLock | null {
  const beside = lockOf(file);
  let connection: BetterSqlite3.Database | null = null;
  try {
    requireOwnFolder(beside);
    makeEmptyFile(beside);
    connection = new BetterSqlite3(beside, { timeout: waitMs });
    // Without this, a killed process would leave a journal behind.
    connection.pragma("journal_mode = MEMORY");
    connection.exec(sql);
    const held = connection;
    return { release: () => void held.close() };
  } catch (error) {
    connection?.close();
    if (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return null;
    if (/^E(ACCES|PERM)$/.test((error as NodeJS.ErrnoException).code ?? "")) {
      throw systemRefusal(file, error);
    }
    throw refusal(file, `${beside} cannot be used: ${(error as Error).message}`, error);
  }
}
