// A private file that appears as a whole or not at all: it is written under another name beside its
// final name, flushed, then renamed.

import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  write,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { fileProblem } from "../../lib/files/file-problem.ts";
import { flushFolderSync } from "../../lib/files/flush-folder.ts";
import { trueName } from "../../lib/files/true-name.ts";
import { CliError, exit, usageError } from "../exit.ts";
import { refuseProtected } from "./protected-files.ts";

export class NewFile {
  readonly draft: string;
  readonly #file: string;
  readonly #force: boolean;
  #descriptor: number | null;

  /** `own` are the paths that `ownFiles` returns. These files are never overwritten. */
  constructor(named: string, force: boolean, own: readonly string[]) {
    const existing = statSync(named, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw usageError(`${named} is a folder: name a file in it.`);
    if (existing && !force) throw taken(named);
    if (existing && !existing.isFile()) throw usageError(`${named} exists, and is not a file.`);
    refuseForeignLink(named);
    // If the path is a link, this replaces the link's target.
    const file = trueName(named);
    if (force) refuseProtected(file, own);
    this.#file = file;
    this.#force = force;
    // The name is random, because a crash may leave a draft, and containers repeat process ids.
    this.draft = join(dirname(file), `.${basename(file)}.${randomUUID().slice(0, 8)}.part`);
    try {
      this.#descriptor = openSync(this.draft, "wx", 0o600);
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

  /** After this call, everything is on disk in `draft`. */
  async flush(): Promise<void> {
    try {
      await promisify(fsync)(this.#descriptor ?? -1);
    } catch (error) {
      throw notWritten(this.#file, error);
    }
    this.#close();
  }

  finish(): void {
    try {
      if (this.#force) renameSync(this.draft, this.#file);
      else nameUnlessTaken(this.draft, this.#file);
      flushFolderSync(dirname(this.#file));
    } catch (error) {
      throw notWritten(this.#file, error);
    }
  }

  /** Removes the draft if the file was not finished. */
  [Symbol.dispose](): void {
    this.#close();
    rmSync(this.draft, { force: true });
  }

  #close(): void {
    if (this.#descriptor === null) return;
    closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

/** Writes the text to a new file, or replaces an existing one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  using file = new NewFile(path, true, []);
  await file.write(Buffer.from(text));
  await file.flush();
  file.finish();
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await promisify(write)(descriptor, bytes, done);
    done += bytesWritten;
  }
}

/** Refuses other users' links, because anyone can put a link into /tmp for root to follow. */
function refuseForeignLink(named: string): void {
  const user = process.geteuid?.();
  const stats = lstatSync(named, { throwIfNoEntry: false });
  if (user !== 0 || !stats?.isSymbolicLink() || stats.uid === user) return;
  throw usageError(`${named} is a link that belongs to another user: give its target instead.`);
}

function nameUnlessTaken(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // Some file systems have no hard links.
    if (statSync(file, { throwIfNoEntry: false })) throw taken(file);
    renameSync(draft, file);
  }
}

function taken(file: string): CliError {
  const message = `${file} already exists: --force overwrites it.`;
  return new CliError(exit.conflict, message, { code: "FILE_EXISTS" });
}

function notWritten(file: string, error: unknown): Error {
  if (error instanceof CliError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EEXIST") return taken(file);
  const why = code === "ENOENT" ? "its folder does not exist" : fileProblem(error);
  const message = `${file} cannot be written: ${why}.`;
  return new CliError(exit.failed, message, { code: "FILE_NOT_WRITTEN" });
}
