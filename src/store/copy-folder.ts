// Where a copy of the database lies while it is made: a folder of its own, for its owner alone, that is
// named after the process. So what a crash has left is told from what another process works in.

import type { FileHandle } from "node:fs/promises";
import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../domain/errors.ts";

const nameForm = /^backup-(\d+)-\w+$/;

/** Those that this process works in. */
const inUse = new Set<string>();

export class CopyFolder {
  /** Where the copy goes. */
  readonly file: string;
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
    this.file = join(path, "copy.db");
    inUse.add(path);
  }

  /** A new one in this folder. Throws AppError UNAVAILABLE. */
  static async make(inside: string): Promise<CopyFolder> {
    try {
      const path = await mkdtemp(join(inside, `backup-${process.pid}-`));
      return new CopyFolder(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
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
    inUse.delete(this.#path);
    await rm(this.#path, { recursive: true, force: true });
  }
}

/** Removes the folders of processes that have ended. */
export async function removeLeftCopies(inside: string): Promise<void> {
  for (const name of await readdir(inside)) {
    const maker = Number(nameForm.exec(name)?.[1]);
    const path = join(inside, name);
    if (Number.isNaN(maker) || inUse.has(path)) continue;
    if (maker === process.pid || !isRunning(maker)) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
