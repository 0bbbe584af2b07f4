// Creates the private folder for a copy of the database. Its lock shows whether the process that
// created it is still running, even in another container with the same process numbers.

import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../domain/errors.ts";
import { claimDatabase, type DatabaseLock } from "../engine/sqlite/database-lock.ts";

/**
 * Older versions used the process number. Any other folder, such as `backup-monday`, belongs to an
 * operator.
 */
const nameForm = /^backup-(copy|\d+)-\w{6}$/;
const copyName = "copy.db";

/** The limit matters if other processes remove each folder before it is locked. */
const attempts = 3;

export class CopyFolder {
  readonly file: string;
  readonly #path: string;
  readonly #lock: DatabaseLock;

  constructor(path: string, lock: DatabaseLock) {
    this.#path = path;
    this.#lock = lock;
    this.file = join(path, copyName);
  }

  /** Throws AppError UNAVAILABLE. */
  static async make(inside: string): Promise<CopyFolder> {
    try {
      for (let attempt = 1; ; attempt++) {
        const path = await mkdtemp(join(inside, "backup-copy-"));
        const lock = lockIn(path);
        if (lock) return new CopyFolder(path, lock);
        if (attempt === attempts) throw Object.assign(new Error("taken away"), { code: "EBUSY" });
      }
    } catch (error) {
      const cause = error instanceof AppError ? error.cause : error;
      const { code } = cause as NodeJS.ErrnoException;
      throw new AppError("UNAVAILABLE", `A backup cannot be made beside the database: ${code}.`, {
        cause: error,
      });
    }
  }

  open(): Promise<FileHandle> {
    return open(this.file, "r");
  }

  /** Processes that have the copy open can still read it. */
  async remove(): Promise<void> {
    try {
      await rm(this.#path, { recursive: true, force: true });
    } finally {
      this.#lock.release();
    }
  }
}

/** Returns null if another process uses the folder or has just removed it. */
function lockIn(folder: string): DatabaseLock | null {
  try {
    return claimDatabase(join(folder, copyName));
  } catch (error) {
    if (existsSync(folder)) throw error;
    return null;
  }
}

/** Removes the folders that no running process uses. */
export async function removeLeftCopies(inside: string): Promise<void> {
  for (const name of await readdir(inside)) {
    if (!nameForm.test(name)) continue;
    const path = join(inside, name);
    const lock = lockIn(path);
    if (lock) await new CopyFolder(path, lock).remove();
  }
}
