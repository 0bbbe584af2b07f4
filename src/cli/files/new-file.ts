// A file that appears whole or not at all: written under another name beside it, flushed, then named.
// For its owner alone.

import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  write,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { onOperatorsFile } from "../../lib/files/acting-user.ts";
import { flushFolderSync } from "../../lib/files/flush-folder.ts";
import { CliError, exit, usageError } from "../exit.ts";
import { refusePrecious } from "./precious-files.ts";

const reasons: Record<string, string> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EACCES: "not permitted",
  EPERM: "not permitted",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EFBIG: "files may not be so large here",
};

export class NewFile {
  /** Its name until it is whole. */
  readonly draft: string;
  readonly #file: string;
  readonly #force: boolean;
  #descriptor: number | null;

  private constructor(file: string, draft: string, force: boolean, descriptor: number) {
    this.#file = file;
    this.draft = draft;
    this.#force = force;
    this.#descriptor = descriptor;
  }

  /**
   * Throws a CliError when the file is there already (unless `force`), is one that must not be lost, or
   * cannot be written. `database` is the file that is worked on, null for none.
   */
  static begin(named: string, force: boolean, database: string | null): NewFile {
    return onOperatorsFile(named, () => NewFile.#begin(named, force, database));
  }

  static #begin(named: string, force: boolean, database: string | null): NewFile {
    const there = statSync(named, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw usageError(`${named} is a folder: name a file in it.`);
    if (there && !force) throw taken(named);
    if (there && !there.isFile()) throw usageError(`${named} is there, and is no file.`);
    refuseForeignLink(named);
    // A link stays: it is what it leads to that is written.
    const file = there ? realpathSync(named) : named;
    if (force) refusePrecious(file, database);
    // Not the process id: in containers it is the same every time, and a crash may have left a draft.
    const draft = join(dirname(file), `.${basename(file)}.${randomUUID().slice(0, 8)}.part`);
    try {
      return new NewFile(file, draft, force, openSync(draft, "wx", 0o600));
    } catch (error) {
      throw notWritten(file, error);
    }
  }

  async write(piece: Uint8Array): Promise<void> {
    try {
      await writeAll(this.#descriptor ?? -1, piece);
    } catch (error) {
      throw notWritten(this.#file, error);
    }
  }

  /** Everything is on the disk; `draft` can be looked into. */
  async flush(): Promise<void> {
    try {
      await promisify(fsync)(this.#descriptor ?? -1);
    } catch (error) {
      throw notWritten(this.#file, error);
    }
    this.#close();
  }

  /** Looks into the flushed draft, with the rights that it was made with. */
  look<T>(into: (draft: string) => T): T {
    return onOperatorsFile(this.#file, () => into(this.draft));
  }

  /** Gives it its name. */
  finish(): void {
    try {
      onOperatorsFile(this.#file, () => {
        if (this.#force) renameSync(this.draft, this.#file);
        else nameUnlessTaken(this.draft, this.#file);
        flushFolderSync(dirname(this.#file));
      });
    } catch (error) {
      throw notWritten(this.#file, error);
    }
  }

  /** Leaves nothing of a file that was not finished. */
  end(): void {
    this.#close();
    onOperatorsFile(this.#file, () => rmSync(this.draft, { force: true }));
  }

  #close(): void {
    if (this.#descriptor === null) return;
    closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await promisify(write)(descriptor, bytes, done);
    done += bytesWritten;
  }
}

/** In /tmp anybody can leave a link for root to write through. */
function refuseForeignLink(named: string): void {
  const user = process.geteuid?.();
  const stats = lstatSync(named, { throwIfNoEntry: false });
  if (user !== 0 || !stats?.isSymbolicLink() || stats.uid === user) return;
  throw usageError(
    `${named} is a link that another user has made: name the file that it leads to.`,
  );
}

function nameUnlessTaken(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // A file system without second names.
    if (statSync(file, { throwIfNoEntry: false })) throw taken(file);
    renameSync(draft, file);
  }
}

function taken(file: string): CliError {
  return new CliError(exit.conflict, `${file} is there already: --force writes over it.`, {
    code: "FILE_EXISTS",
  });
}

function notWritten(file: string, error: unknown): Error {
  if (error instanceof CliError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EEXIST") return taken(file);
  return new CliError(exit.failed, `${file} cannot be written: ${whyNotWritten(error)}.`, {
    code: "FILE_NOT_WRITTEN",
  });
}

/** What the system says of a file, in words: no sentence. */
export function whyNotWritten(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
