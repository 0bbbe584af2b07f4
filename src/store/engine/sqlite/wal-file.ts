// The write-ahead log as a file. SQLite itself does not flush it, because that would block the
// event loop for as long as the disk takes. (docs/decisions/0003-group-commit.md)

import { closeSync, fdatasync, fstatSync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { trueName } from "../../../lib/files/true-name.ts";

export class WalFile {
  /** Null after `close`, which is safe only because SQLite never locks this file. */
  #descriptor: number | null;

  /**
   * Must be called right after SQLite has opened the log. The name may later lead to the log of a
   * different database, so it is not used again.
   */
  constructor(databaseFile: string) {
    this.#descriptor = openSync(`${trueName(databaseFile)}-wal`, "r+");
  }

  /** Resolves when everything that was committed before is on disk. Rejects with Node's error. */
  async flush(): Promise<void> {
    await promisify(fdatasync)(this.#open);
  }

  /**
   * Appends zeros, which SQLite overwrites: it ignores everything after its last frame. The caller
   * must hold SQLite's write lock. Throws Node's error.
   */
  grow(bytes: number): void {
    writeSync(this.#open, Buffer.alloc(bytes), 0, bytes, this.sizeBytes());
  }

  /** 0 after `close`. */
  sizeBytes(): number {
    return this.#descriptor === null ? 0 : fstatSync(this.#descriptor).size;
  }

  get #open(): number {
    if (this.#descriptor === null) throw new Error("the log is closed");
    return this.#descriptor;
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}
