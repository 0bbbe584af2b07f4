// The database port: all that use cases know about storage. The engine behind it is
// engine/sqlite.ts. SQL occurs only in src/store, in the subset that SQL engines share, with `?`
// for parameters. A write awaits only `tx`: no network, no timers, no password hashing.

import type { StorageReason } from "../domain/storage/failures.ts";

/** A value that can be bound to a `?`. store/columns.ts converts booleans and JSON. */
export type SqlValue = string | number | null;

export interface Reader {
  /**
   * Returns the first row, or undefined. `get` and `all` throw AppError UNAVAILABLE if the storage
   * fails.
   */
  get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]>;
}

/** The caller of a read that can take long. */
export interface ReadingCaller {
  /** Whether the caller has left, so that nobody needs the result. */
  readonly gone: boolean;
  /** Calls `listener` once when the caller leaves. Returns a function that removes the listener. */
  onGone(listener: () => void): () => void;
}

export interface Tx extends Reader {
  /** The fixed time of the whole transaction, in Unix milliseconds. */
  readonly now: number;
  /** Returns how many rows changed. */
  run(sql: string, ...params: SqlValue[]): Promise<number>;
  /** Calls `effect` after the transaction is durable, and never if it fails. Must not throw. */
  afterCommit(effect: () => void): void;
  /**
   * Calls `effect` if this run of the work is undone: because the work failed, because it runs a
   * second time, or because the transaction could not be made durable. Must not throw.
   */
  afterRollback(effect: () => void): void;
}

export interface DatabaseStats {
  /** The engine's version. */
  version: string;
  /** The file name without the folder. */
  fileName: string;
  sizeBytes: number;
  /** The size of the write-ahead log. */
  walBytes: number;
  pageCount: number;
  pageSizeBytes: number;
  /** The number of unused pages. */
  freePages: number;
  /** The applied migrations, in order; `appliedAt` in Unix milliseconds. */
  migrations: { version: number; name: string; appliedAt: number }[];
}

export interface StorageState {
  /**
   * Why writes are refused; null if they work. Either the files are no longer those that were
   * opened, or no write has succeeded since a write failed at `since` (Unix milliseconds).
   */
  failure: { reason: StorageReason; since: number | null } | null;
  /**
   * The number of durable transactions since the database was opened that have changed something.
   */
  commits: number;
}

export interface Database {
  readonly engine: "sqlite" | "postgresql";
  /** Reads committed data. Never waits for writers. */
  readonly read: Reader;
  /**
   * Returns a reader for statements whose cost grows with the tables. It reads outside the event
   * loop if a read of this database can take long. It throws AppError UNAVAILABLE for a read that
   * takes too long, or if too many are waiting, and stops when the caller leaves.
   */
  readAside(caller: ReadingCaller): Reader;
  /**
   * Runs `work` as one atomic change. Resolves with the result of `work` after the change is
   * durable. `work` must be a pure function of `tx`, because it may run twice. Rejects with what
   * `work` threw, after undoing everything, or with AppError UNAVAILABLE if the storage cannot
   * write.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Calls `listener` after another process has written. Returns a function that stops it. */
  onForeignChange(listener: () => void): () => void;
  /**
   * Checks whether other processes have committed before this turn of the event loop. If so, calls
   * the listeners before it returns. Further calls in the same turn cost nothing.
   */
  checkForeignChange(): void;
  /** The number of writes that are waiting or not yet durable. */
  queueDepth(): number;
  /** Whether the storage accepts writes, as far as known without trying. */
  storage(): StorageState;
  /** Whether the next write may fail. Only a write can show whether it does. */
  isStorageDoubtful(): boolean;
  /** Returns facts and sizes, read from files and headers and not from rows. */
  stats(): Promise<DatabaseStats>;
  /** Releases unused disk space. The next call releases what cannot be released now. */
  tidy(): Promise<void>;
  /** Waits for pending writes, then releases the storage. */
  close(): Promise<void>;
}
