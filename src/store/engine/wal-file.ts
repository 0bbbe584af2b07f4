// The write-ahead log as a file. SQLite itself does not flush it, because that would block the event
// loop for as long as the disk takes. (docs/decisions/0003-group-commit.md)

import { closeSync, fdatasync, openSync, statSync, writeSync } from "node:fs";
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
    await flushDescriptor(this.#open());
  }

  /**
   * Appends zeros, which SQLite overwrites: it ignores what lies behind its last frame. The caller
   * must hold SQLite's write lock. Throws Node's error.
   */
  grow(bytes: number): void {
    writeSync(this.#open(), Buffer.alloc(bytes), 0, bytes, this.sizeBytes());
  }

  /** 0 if the log does not exist. */
  sizeBytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  #open(): number {
    this.#descriptor ??= openSync(this.#path, "r+");
    return this.#descriptor;
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}
