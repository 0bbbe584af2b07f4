// Replaces a database with a prepared draft in a single rename, so that a crash leaves the old or
// the new file. If a draft remains, the next start undoes the interrupted restore.

import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { flushFileSync, flushFolderSync } from "../../lib/files/flush-folder.ts";
import { headCopySuffix } from "../audit/head-copy.ts";
import { claimDatabase } from "../engine/sqlite/database-lock.ts";
import { checkHeader } from "../engine/sqlite/file.ts";

export function draftOf(file: string): string {
  return `${file}.restoring`;
}

/** A log beside the wrong database would destroy that database. */
const logs = ["-wal", "-journal"];
const index = "-shm";

/**
 * These files stay with the replaced database, because they do not belong to the new one. If there
 * is no database to keep, the copy of the trail's head stays beside the draft until the draft is in
 * place.
 */
export const companions = [...logs, headCopySuffix];

/** The suffix of an incomplete copy of the old database. */
const copySuffix = "-kept";

/** Also removes the files beside the draft. */
export function removeDraft(file: string): void {
  for (const suffix of [...companions, index, copySuffix, ""])
    rmSync(draftOf(file) + suffix, { force: true });
}

/** Thrown if another program has the file open. */
export class FileInUse extends Error {}

/**
 * Turns the closed draft into the database, and keeps the previous one as `kept`. Requires the
 * exclusive lock. Throws FileInUse or the disk's error. After an error, nothing has changed. The
 * draft is then removed at once, or by the next `undo`.
 */
export function replaceFile(file: string, kept: string): void {
  mergeLog(file);
  flushFileSync(draftOf(file));
  try {
    keep(file, kept);
    // A database that could not be read still has a log, which moves with it.
    for (const suffix of logs) moveIfThere(file + suffix, kept + suffix);
    moveIfThere(file + headCopySuffix, (existsSync(kept) ? kept : draftOf(file)) + headCopySuffix);
    rmSync(file + index, { force: true });
    renameSync(draftOf(file), file);
  } catch (error) {
    unlessItFails(() => undo(file));
    throw error;
  }
  // Reporting a failure now would suggest that the old database is still in place.
  unlessItFails(() => moveIfThere(draftOf(file) + headCopySuffix, kept + headCopySuffix));
  unlessItFails(() => removeDraft(file));
  unlessItFails(() => flushFolderSync(dirname(file)));
}

function unlessItFails(work: () => unknown): void {
  try {
    work();
  } catch {
    // The next steps do not depend on this work.
  }
}

/** Undoes the preparation of an interrupted restore. Returns whether there was one. */
export function undoInterrupted(file: string): boolean {
  if (!existsSync(draftOf(file))) return false;
  const lock = claimDatabase(file);
  // Another process is restoring the database, or is already undoing the restore.
  if (!lock) return false;
  try {
    return undo(file);
  } finally {
    lock.release();
  }
}

/** Like `undoInterrupted`, but the caller holds the exclusive lock. */
export function undo(file: string): boolean {
  if (!existsSync(draftOf(file))) return false;
  for (const kept of keptOf(file)) {
    for (const suffix of companions) moveIfThere(kept + suffix, file + suffix);
    rmSync(kept);
  }
  if (!existsSync(file)) moveIfThere(draftOf(file) + headCopySuffix, file + headCopySuffix);
  removeDraft(file);
  return true;
}

/** A kept copy is a hard link, or has the same size and time as the database. */
function keptOf(file: string): string[] {
  if (!existsSync(file)) return [];
  const { ino, dev, size, mtime } = statSync(file);
  const folder = dirname(file);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(file)}.before-restore-`))
    .filter((name) => !companions.some((suffix) => name.endsWith(suffix)))
    .map((name) => join(folder, name))
    .filter((path) => {
      const other = statSync(path);
      const isCopy = other.size === size && other.mtime.getTime() === mtime.getTime();
      return isCopy || (other.ino === ino && other.dev === dev);
    });
}

/** Merges the log into the database. If SQLite cannot read the database, the log stays. */
function mergeLog(file: string): void {
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

/** SQLite discards the log of a database that it does not recognize. */
function isDatabase(file: string): boolean {
  try {
    checkHeader(file);
    return true;
  } catch {
    return false;
  }
}

/** A hard link needs no space and leaves the original in place. */
function keep(file: string, kept: string): void {
  if (!existsSync(file)) return;
  try {
    linkSync(file, kept);
  } catch (error) {
    // Some file systems have no hard links.
    if (
      !/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(
        (error as NodeJS.ErrnoException).code ?? "",
      )
    )
      throw error;
    keepCopy(file, kept);
  }
  flushFolderSync(dirname(file));
}

/** The copy gets the file's time, by which `undo` recognizes it. */
function keepCopy(file: string, kept: string): void {
  const copy = draftOf(file) + copySuffix;
  const { atime, mtime } = statSync(file);
  copyFileSync(file, copy, constants.COPYFILE_EXCL);
  flushFileSync(copy);
  utimesSync(copy, atime, mtime);
  renameSync(copy, kept);
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}
