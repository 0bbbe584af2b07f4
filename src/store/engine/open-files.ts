// The files of an open database, known by device and inode: SQLite goes on writing to a file that was
// deleted or replaced, and all of it would be lost. Nothing is opened here: closing a file would drop the
// locks that SQLite holds on it in this process. (docs/decisions/0004-database-file.md)

import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { StorageReason } from "../../domain/storage/failures.ts";
import { trueName } from "./database-lock.ts";

/** Below this much room a write may fail. */
const littleRoomBytes = 64 * 1024 * 1024;

interface OpenFile {
  path: string;
  /** Null while it is not there yet. */
  identity: string | null;
}

export class OpenFiles {
  readonly #log: OpenFile;
  readonly #files: OpenFile[];
  readonly #folder: string;

  /** To be made right after SQLite has opened this file. */
  constructor(file: string) {
    const resolved = trueName(file);
    this.#log = know(`${resolved}-wal`);
    // By the name that it was given: a link may lead elsewhere one day.
    this.#files = [know(file), this.#log, know(`${resolved}-shm`)];
    this.#folder = dirname(resolved);
  }

  /** What is wrong with the files; null when they are those that were opened. */
  problem(): StorageReason | null {
    for (const file of this.#files) {
      const identity = identityOf(file.path);
      if (identity === file.identity) continue;
      if (identity === null) return "FILE_MISSING";
      if (file.identity !== null) return "FILE_REPLACED";
      file.identity = identity;
    }
    return null;
  }

  /** Whether closing the database would delete a log that is not its own. */
  hasForeignLog(): boolean {
    const identity = identityOf(this.#log.path);
    return identity !== null && identity !== this.#log.identity;
  }

  /** Whether the next write may fail: hardly any room is left, or the files may not be written. */
  isDoubtful(): boolean {
    try {
      for (const { path } of this.#files) accessSync(path, constants.W_OK);
      const { bavail, bsize } = statfsSync(this.#folder);
      return bavail * bsize < littleRoomBytes;
    } catch {
      return true;
    }
  }
}

function know(path: string): OpenFile {
  return { path, identity: identityOf(path) };
}

/** Null when there is none, or it cannot be looked at. */
function identityOf(path: string): string | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found ? `${found.dev}:${found.ino}` : null;
  } catch {
    return null;
  }
}
