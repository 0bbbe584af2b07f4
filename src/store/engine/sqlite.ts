// The SQLite engine behind the database port: one writing connection (write-groups.ts), one reading
// connection, and the look-out for other processes on the same file.

import { statSync } from "node:fs";
import type { Database, DatabaseStats, Reader, StorageState, Tx } from "../database.ts";
import type { DatabaseLock } from "./database-lock.ts";
import { OpenFiles } from "./open-files.ts";
import { type Connection, openReader } from "./sqlite-file.ts";
import { statsOf } from "./sqlite-stats.ts";
import { readerOf, type Statement } from "./statements.ts";
import { cannotWrite, reading } from "./storage-errors.ts";
import { WriteGroups } from "./write-groups.ts";

/** A write-ahead log that has grown over this is cut. */
const defaultWalLimitBytes = 64 * 1024 * 1024;

export interface SqliteOptions {
  /** How long a write waits for another process's transaction. */
  busyTimeoutMs: number;
  /** Unix milliseconds. */
  now: () => number;
  walLimitBytes?: number;
}

export class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly read: Reader;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #writes: WriteGroups;
  readonly #files: OpenFiles;
  readonly #walLimitBytes: number;
  readonly #dataVersion: Statement;
  readonly #foreignChangeListeners = new Set<() => void>();
  #seenDataVersion: unknown;
  #lookedThisTurn = false;
  readonly #endTurn = () => {
    this.#lookedThisTurn = false;
  };
  #closed = false;
  #lock: DatabaseLock | null = null;

  /** `writer` is open and migrated; this takes it over. */
  constructor(writer: Connection, options: SqliteOptions) {
    const { walLimitBytes = defaultWalLimitBytes, ...rest } = options;
    this.#writer = writer;
    this.#walLimitBytes = walLimitBytes;
    this.#reader = openReader(writer.name, rest.busyTimeoutMs);
    this.read = readerOf(this.#reader);
    this.#dataVersion = writer.prepare("PRAGMA data_version").pluck();
    this.#seenDataVersion = this.#dataVersion.get();
    // Now that both connections have used them, all files are there.
    this.#files = new OpenFiles(writer.name);
    const problemOfFiles = () => this.#files.problem();
    this.#writes = new WriteGroups(writer, { ...rest, problemOfFiles });
  }

  /** The lock is given back once everything is closed. */
  releaseAtEnd(lock: DatabaseLock): void {
    this.#lock = lock;
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(cannotWrite(new Error("the database is closed")));
    return this.#writes.add(work);
  }

  queueDepth(): number {
    return this.#writes.depth();
  }

  async stats(): Promise<DatabaseStats> {
    return reading(() => statsOf(this.#reader));
  }

  storage(): StorageState {
    const reason = this.#files.problem();
    const { failure, commits } = this.#writes;
    return {
      failure: reason === null ? failure : { reason, since: failure?.since ?? null },
      commits,
    };
  }

  isStorageDoubtful(): boolean {
    return this.#files.isDoubtful();
  }

  onForeignChange(listener: () => void): () => void {
    this.#foreignChangeListeners.add(listener);
    return () => this.#foreignChangeListeners.delete(listener);
  }

  checkForeignChange(): void {
    // What arrived in one turn of the event loop was sent before it: one look serves all of it.
    if (this.#lookedThisTurn) return;
    this.#lookedThisTurn = true;
    setImmediate(this.#endTurn);
    const version = reading(() => this.#dataVersion.get());
    if (version === this.#seenDataVersion) return;
    this.#seenDataVersion = version;
    for (const listener of this.#foreignChangeListeners) listener();
  }

  /**
   * Cuts the write-ahead log when it has grown over its limit: SQLite itself uses its room again, but
   * never gives it back. Who reads an old state of it, a backup say, prevents that for the moment.
   */
  async tidy(): Promise<void> {
    const isLarge = () => !this.#closed && this.#walBytes() > this.#walLimitBytes;
    if (!isLarge()) return;
    await this.#writes.pause();
    // Between two transactions: the next one begins in a later turn.
    if (isLarge()) this.#writer.pragma("wal_checkpoint(TRUNCATE)");
  }

  /** Looked up, not opened: closing it would drop the locks that SQLite holds in this process. */
  #walBytes(): number {
    return statSync(`${this.#writer.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writes.drained();
    // Whoever closes a database last deletes its log, by its name: another one's may have it now. The
    // end of the process closes it as well.
    if (!this.#files.hasForeignLog()) {
      this.#reader.close();
      this.#writer.close();
    }
    this.#lock?.release();
    this.#lock = null;
  }
}
