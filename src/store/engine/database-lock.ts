// Who works on a database file. Everybody who opens it shares a lock beside it (`<file>.lock`); who
// replaces the file, or changes its schema by hand, must have it alone. SQLite's own locks do not do for
// that: they are on the file that is replaced, and cannot be had on a damaged one. This lock is SQLite's
// too, on an empty file: it ends with its process, however that ends.
// (docs/decisions/0004-database-file.md)

import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import BetterSqlite3 from "better-sqlite3";
import { makeEmptyFile } from "../../lib/files/empty-file.ts";
import { requireOwnFolder } from "../files/ownership.ts";
import { refusal, systemRefusal } from "./sqlite-file.ts";

export interface DatabaseLock {
  release(): void;
}

/**
 * For work on the file beside others. Waits so long for who has it alone. Throws AppError UNAVAILABLE.
 * The folder must be there.
 */
export function shareDatabase(file: string, waitMs: number): DatabaseLock {
  const lock = acquire(file, waitMs, "BEGIN; SELECT COUNT(*) FROM sqlite_schema");
  if (lock) return lock;
  throw refusal(file, "it is being restored or migrated just now; try again when that has ended");
}

/**
 * For the one server that works on the file; others share it meanwhile. Waits so long for who has it alone.
 * Throws AppError UNAVAILABLE, and names the server that is there. The kernel gives the lock back however the
 * process ends.
 */
export function serveDatabase(file: string, waitMs: number): DatabaseLock {
  // SQLite lets any number read beside the one who may write.
  const lock = acquire(file, waitMs, "BEGIN IMMEDIATE");
  if (!lock) {
    shareDatabase(file, 0).release();
    throw refusal(
      file,
      `a server works on it already${whoServes(file)}. Stop that one first, or give this one a data ` +
        "folder of its own (--data-dir)",
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

/** For people. The lock alone decides. */
function sayWhoServes(file: string): void {
  try {
    rmSync(serverOf(file), { force: true });
    const text = `process ${process.pid} on ${hostname()}\n`;
    writeFileSync(serverOf(file), text, { mode: 0o600, flag: "wx" });
  } catch {
    // A full disk: the start fails elsewhere, if it must.
  }
}

function forgetWhoServes(file: string): void {
  try {
    rmSync(serverOf(file), { force: true });
  } catch {
    // A disk that became read-only: the next server writes over it.
  }
}

function whoServes(file: string): string {
  try {
    return ` (${readFileSync(serverOf(file), "utf8").trim()})`;
  } catch {
    return "";
  }
}

/** For replacing the file. Null when somebody works on it. Throws AppError UNAVAILABLE. */
export function claimDatabase(file: string): DatabaseLock | null {
  return acquire(file, 0, "BEGIN EXCLUSIVE");
}

/** Whether anybody has ever worked on it: looking makes nothing. */
export function isLockable(file: string): boolean {
  return existsSync(lockOf(file));
}

function lockOf(file: string): string {
  return `${trueName(file)}.lock`;
}

/** Null when others stand in the way for longer than that. */
function acquire(file: string, waitMs: number, sql: string): DatabaseLock | null {
  const beside = lockOf(file);
  let connection: BetterSqlite3.Database | null = null;
  try {
    requireOwnFolder(beside);
    makeEmptyFile(beside);
    connection = new BetterSqlite3(beside, { timeout: waitMs });
    // Else a journal lies about when the process is killed.
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

/** All names of a file lead to one lock. */
export function trueName(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
