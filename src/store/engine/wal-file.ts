// The write-ahead log as a file. SQLite itself only writes to it, because its own flush would block
// the event loop for as long as the disk takes. (docs/decisions/0003-group-commit.md)

import { closeSync, fdatasync, openSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { trueName } from "./database-lock.ts";

const flushDescriptor = promisify(fdatasync);

export class WalFile {
  readonly #path: string;
  /** Stays open: closing it is safe only because SQLite never locks this file. */
  #descriptor: number | null = null;

  constructor(databaseFile: string) {
    this.#path = `${trueName(databaseFile)}-wal`;
  }

  /** Resolves when everything that was committed before is on disk. Rejects with Node's error. */
  async flush(): Promise<void> {
    this.#descriptor ??= openSync(this.#path, "r+");
    await flushDescriptor(this.#descriptor);
  }

  /** 0 if the log does not exist. */
  sizeBytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}
