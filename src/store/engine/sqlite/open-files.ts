// Detects that an open database was deleted or replaced, because further writes would be lost.
// Opens no file, because closing it would drop SQLite's locks.
// (docs/decisions/0004-database-file.md)

import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { StorageReason } from "../../../domain/storage/failures.ts";
import { trueName } from "../../../lib/files/true-name.ts";

/** If less disk space than this is free, a write may fail. */
const littleRoomBytes = 64 * 1024 * 1024;

interface OpenFile {
  path: string;
  /** The device and inode; null if the file does not exist. */
  identity: string | null;
}

export interface FileProblem {
  reason: StorageReason;
  /** For the server's log only, because callers must not learn paths. */
  path: string;
}

export class OpenFiles {
  readonly #log: OpenFile;
  readonly #files: OpenFile[];
  readonly #folder: string;

  /** Must be called right after SQLite has opened the files. */
  constructor(file: string) {
    const resolved = trueName(file);
    this.#log = know(`${resolved}-wal`);
    // The original name is checked, because a link may later lead to a different file.
    this.#files = [know(file), this.#log, know(`${resolved}-shm`)];
    this.#folder = dirname(resolved);
  }

  /** Returns null if the files are still the ones that were opened. */
  problem(): FileProblem | null {
    for (const file of this.#files) {
      const identity = identityOf(file.path);
      if (identity === file.identity) continue;
      if (identity === null) return { reason: "FILE_MISSING", path: file.path };
      if (file.identity !== null) return { reason: "FILE_REPLACED", path: file.path };
      file.identity = identity;
    }
    return null;
  }

  /** Whether closing the database would delete the log of a different database. */
  hasForeignLog(): boolean {
    const identity = identityOf(this.#log.path);
    return identity !== null && identity !== this.#log.identity;
  }

  /** Whether the next write may fail because the disk is almost full or a file is not writable. */
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

/** Returns null if the file does not exist or cannot be accessed. */
function identityOf(path: string): string | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found ? `${found.dev}:${found.ino}` : null;
  } catch {
    return null;
  }
}
