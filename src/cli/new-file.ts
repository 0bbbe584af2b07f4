// A file that is written whole or not at all: beside its place, under another name, until it is done.

import { constants } from "node:fs";
import { type FileHandle, link, lstat, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CliError, exit, usageError } from "./exit.ts";

export interface NewFileOptions {
  /** May take the place of a file that is there. */
  replace: boolean;
  /** Names the flag that would let it. */
  replaceFlag: string;
}

const temporaryMode = 0o600;

/** To be finished, or discarded; nothing is left of one that was discarded. */
export class NewFile {
  readonly #place: string;
  readonly #temporary: string;
  readonly #file: FileHandle;
  readonly #options: NewFileOptions;

  /** Throws when the file is there and may not be replaced, or cannot be written. */
  static async create(path: string, options: NewFileOptions): Promise<NewFile> {
    const place = await placeOf(path, options);
    const temporary = join(dirname(place), `.${basename(place)}.${process.pid}.part`);
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    try {
      await rm(temporary, { force: true });
      const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL, temporaryMode);
      return new NewFile(place, temporary, file, options);
    } catch (error) {
      throw cannotWrite(path, error);
    }
  }

  private constructor(place: string, temporary: string, file: FileHandle, options: NewFileOptions) {
    this.#place = place;
    this.#temporary = temporary;
    this.#file = file;
    this.#options = options;
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#file.writeFile(bytes);
    } catch (error) {
      throw cannotWrite(this.#place, error);
    }
  }

  /** Puts it in its place, once it is safe on the disk. Throws when another one has come there. */
  async finish(): Promise<void> {
    try {
      await this.#file.sync();
      await this.#file.close();
      if (this.#options.replace) await rename(this.#temporary, this.#place);
      else await this.#settle();
    } catch (error) {
      await this.discard();
      throw error instanceof CliError ? error : cannotWrite(this.#place, error);
    }
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#temporary, { force: true });
  }

  async #settle(): Promise<void> {
    try {
      // Unlike a renaming, this never takes the place of a file.
      await link(this.#temporary, this.#place);
      await rm(this.#temporary);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") throw isThere(this.#place, this.#options);
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
      // A file system without links.
      await placeOf(this.#place, this.#options);
      await rename(this.#temporary, this.#place);
    }
  }
}

async function placeOf(path: string, options: NewFileOptions): Promise<string> {
  const found = await lstat(path).catch(() => null);
  if (!found) return path;
  const place = found.isSymbolicLink() ? await realpath(path).catch(() => path) : path;
  const target = await lstat(place);
  if (!target.isFile()) {
    throw usageError(`${path} is there and is no file; without a name it goes to stdout.`);
  }
  if (!options.replace) throw isThere(path, options);
  return place;
}

function isThere(path: string, { replaceFlag }: NewFileOptions): CliError {
  return new CliError(
    exit.conflict,
    `${path} is there already. Add ${replaceFlag} to replace it.`,
    {
      code: "FILE_EXISTS",
    },
  );
}

function cannotWrite(path: string, error: unknown): CliError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = reasons[code ?? ""] ?? code ?? message;
  return new CliError(exit.failed, `${path} cannot be written: ${reason}.`, code ? { code } : {});
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};
