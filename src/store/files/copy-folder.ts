// Where a copy of the database lies while it is made: a folder of its own, for its owner alone, with a lock in
// it that the kernel gives back. So what a crash has left is told from what another process works in, also where
// the other has the same number, as in two containers on one volume.

import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../domain/errors.ts";
import { claimDatabase, type DatabaseLock } from "../engine/database-lock.ts";

/** Older versions put the number of their process there. An operator may keep a `backup-monday` here. */
const nameForm = /^backup-(copy|\d+)-\w{6}$/;
const copyName = "copy.db";

/** How often it is tried when another process takes a folder away before there is a lock in it. */
const attempts = 3;

export class CopyFolder {
  /** Where the copy goes. */
  readonly file: string;
  readonly #path: string;
  readonly #lock: DatabaseLock;

  private constructor(path: string, lock: DatabaseLock) {
    this.#path = path;
    this.#lock = lock;
    this.file = join(path, copyName);
  }

  /** A new one in this folder. Throws AppError UNAVAILABLE. */
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
      throw new AppError("UNAVAILABLE", `A backup cannot lie beside the database: ${code}.`, {
        cause: error,
      });
    }
  }

  open(): Promise<FileHandle> {
    return open(this.file, "r");
  }

  /** Who has opened the copy can still read it; with the last one it is gone. */
  async remove(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
    this.#lock.release();
  }
}

/** Null when another process works in the folder, or has just removed it. */
function lockIn(folder: string): DatabaseLock | null {
  try {
    return claimDatabase(join(folder, copyName));
  } catch (error) {
    if (existsSync(folder)) throw error;
    return null;
  }
}

/** Removes the folders in which nobody works any more. */
export async function removeLeftCopies(inside: string): Promise<void> {
  for (const name of await readdir(inside)) {
    if (!nameForm.test(name)) continue;
    const path = join(inside, name);
    const lock = lockIn(path);
    if (!lock) continue;
    await rm(path, { recursive: true, force: true });
    lock.release();
  }
}
