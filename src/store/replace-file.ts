// Puts a new database file in the place of another, or of none. Who does that has claimed the database
// (database-lock.ts). A crash at any point leaves the old one or the new one under the name: the change is
// one rename. While the draft is there it has not happened, and whoever opens the database next takes
// back what was prepared for it.

import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { claimDatabase } from "./database-lock.ts";
import { giveToOwnerOf } from "./ownership.ts";
import { checkHeader } from "./sqlite-file.ts";

/** Where a new database is made ready. */
export function draftOf(file: string): string {
  return `${file}.restoring`;
}

/** What belongs to a database by its name. A log beside another database would destroy it. */
const logs = ["-wal", "-journal"];
const index = "-shm";

/** The draft and what SQLite has put beside it. */
export function removeDraft(file: string): void {
  for (const suffix of [...logs, index, ""]) rmSync(draftOf(file) + suffix, { force: true });
}

/** Another program has the file open. */
export class FileInUse extends Error {}

/**
 * The draft, whole and closed, becomes the database; what was there is kept under `kept`. Throws FileInUse,
 * and then nothing was changed.
 */
export function replaceFile(file: string, kept: string): void {
  foldLog(file);
  flushFile(draftOf(file));
  keep(file, kept);
  // There is still one beside a file that could not be read; it goes where that is kept.
  for (const suffix of logs) moveIfThere(file + suffix, kept + suffix);
  rmSync(file + index, { force: true });
  renameSync(draftOf(file), file);
  flushFolder(dirname(file));
}

/** Takes back what a restore had prepared when it was interrupted. Answers whether there was something. */
export function undoInterrupted(file: string): boolean {
  if (!existsSync(draftOf(file))) return false;
  const lock = claimDatabase(file);
  // Whoever has it is restoring, or is through with this.
  if (!lock) return false;
  try {
    return undo(file);
  } finally {
    lock.release();
  }
}

/** For who has claimed the database. */
export function undo(file: string): boolean {
  if (!existsSync(draftOf(file))) return false;
  for (const kept of keptLinks(file)) {
    for (const suffix of logs) moveIfThere(kept + suffix, file + suffix);
    rmSync(kept);
  }
  removeDraft(file);
  return true;
}

/** Second names of the database that stands in its place still: not safe to be opened by. */
function keptLinks(file: string): string[] {
  if (!existsSync(file)) return [];
  const { ino, dev } = statSync(file);
  const folder = dirname(file);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(file)}.before-restore-`))
    .filter((name) => !logs.some((suffix) => name.endsWith(suffix)))
    .map((name) => join(folder, name))
    .filter((path) => {
      const other = statSync(path);
      return other.ino === ino && other.dev === dev;
    });
}

/** Writes the log into the database and removes it. What SQLite cannot read keeps its log. */
function foldLog(file: string): void {
  if (!existsSync(file) || !isDatabase(file)) return;
  let connection: BetterSqlite3.Database | null = null;
  try {
    connection = new BetterSqlite3(file, { timeout: 0 });
    connection.pragma("journal_mode = DELETE");
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) throw new FileInUse(file, { cause: error });
  } finally {
    connection?.close();
  }
}

/** SQLite throws away a log whose database it does not know. */
function isDatabase(file: string): boolean {
  try {
    checkHeader(file);
    return true;
  } catch {
    return false;
  }
}

/** A second name takes no room, and leaves the first where it is. */
function keep(file: string, kept: string): void {
  if (!existsSync(file)) return;
  try {
    linkSync(file, kept);
  } catch (error) {
    // There are file systems without.
    if (
      !/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(
        (error as NodeJS.ErrnoException).code ?? "",
      )
    )
      throw error;
    copyFileSync(file, kept);
    giveToOwnerOf(file, kept);
    flushFile(kept);
  }
  flushFolder(dirname(file));
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}

export function flushFile(file: string): void {
  const descriptor = openSync(file, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** So that the names last. Windows cannot, and does not need it. */
export function flushFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
