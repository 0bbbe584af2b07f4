// Puts a new database file in the place of another, or of none. Who does that has claimed the database
// (database-lock.ts). A crash at any point leaves the old one or the new one under the name: the change is
// one rename. While the draft is there it has not happened, and whoever opens the database next takes
// back what was prepared for it.

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
import { claimDatabase } from "../engine/database-lock.ts";
import { checkHeader } from "../engine/sqlite-file.ts";

/** Where a new database is made ready. */
export function draftOf(file: string): string {
  return `${file}.restoring`;
}

/** What belongs to a database by its name. A log beside another database would destroy it. */
const logs = ["-wal", "-journal"];
const index = "-shm";

/**
 * What goes along with a database that is kept. The copy of its trail's head names a row that the new one does not
 * have; where there is no database to keep, it waits beside the draft.
 */
const companions = [...logs, headCopySuffix];

/** Where a copy of the old database is made, until it is whole. */
const copySuffix = "-kept";

/** The draft and what was put beside it. */
export function removeDraft(file: string): void {
  for (const suffix of [...companions, index, copySuffix, ""])
    rmSync(draftOf(file) + suffix, { force: true });
}

/** Another program has the file open. */
export class FileInUse extends Error {}

/**
 * The draft, whole and closed, becomes the database; what was there is kept under `kept`. Throws FileInUse
 * or what the disk says, and then nothing was changed and the draft is gone or, where even that failed, is
 * there for the next `undo`.
 */
export function replaceFile(file: string, kept: string): void {
  foldLog(file);
  flushFileSync(draftOf(file));
  try {
    keep(file, kept);
    // There is still one beside a file that could not be read; it goes where that is kept.
    for (const suffix of logs) moveIfThere(file + suffix, kept + suffix);
    moveIfThere(file + headCopySuffix, (existsSync(kept) ? kept : draftOf(file)) + headCopySuffix);
    rmSync(file + index, { force: true });
    renameSync(draftOf(file), file);
  } catch (error) {
    unlessItFails(() => undo(file));
    throw error;
  }
  // It has happened: who would be told of a failure now would take the old database to be there still.
  unlessItFails(() => removeDraft(file));
  unlessItFails(() => flushFolderSync(dirname(file)));
}

function unlessItFails(work: () => unknown): void {
  try {
    work();
  } catch {
    // What follows does not depend on it.
  }
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
  for (const kept of keptOf(file)) {
    for (const suffix of companions) moveIfThere(kept + suffix, file + suffix);
    rmSync(kept);
  }
  if (!existsSync(file)) moveIfThere(draftOf(file) + headCopySuffix, file + headCopySuffix);
  removeDraft(file);
  return true;
}

/**
 * Second names of the database that stands in its place still, which are not safe to be opened by; or, where
 * there are no second names, the copy of it, which has its time.
 */
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
    keepCopy(file, kept);
  }
  flushFolderSync(dirname(file));
}

/** With the time of the file, by which `undo` finds it. */
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
