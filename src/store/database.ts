// Defines the only interface through which use cases use storage. SQL occurs only in src/store, in
// the subset that both engines support, with `?` for parameters. Most statements are written with
// sql-tag.ts.

import type { StorageReason } from "../domain/storage/failures.ts";
import type { RowText } from "../domain/storage/reader-process.ts";

/** A value that can be bound to a `?`. columns.ts converts booleans and JSON. */
export type SqlValue = string | number | null;

export interface Reader {
  /** Returns the first row. `get` and `all` throw AppError UNAVAILABLE if the storage fails. */
  get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]>;
}

/** A connection that only reads. */
export interface OpenedReader {
  read: Reader;
  close(): Promise<void>;
}

/** A reader for statements whose cost grows with the tables. */
export interface BulkReader extends Reader {
  /** Turns all rows into one text, in the process that reads them. */
  text(kind: RowText, sql: string, ...params: SqlValue[]): Promise<string>;
}

/** The caller of a read that can take a long time. */
export interface ReadingCaller {
  /** Whether the caller has left, so that nobody needs the result. */
  readonly gone: boolean;
  /** Identifies the credential of the caller, if it has one. */
  readonly credential?: string | null;
  /** Calls `listener` once when the caller leaves. Returns a function that removes the listener. */
  onGone(listener: () => void): () => void;
}

/**
 * A question has a time limit for all of its reads; a stream, such as an export, has one for each
 * read.
 */
export type ReadingPurpose = "question" | "stream";

/**
 * A statement that changes many rows in the same way, each with its own values. rows.ts creates it.
 */
export interface RowsStatement {
  /** The columns of the values. A column can occur more than once. */
  columns: readonly string[];
  /** Changes one row. Its parameters are the values. */
  one: string;
  /**
   * For PostgreSQL: changes all rows. Its parameter is a JSON array of objects with the columns.
   */
  all: string;
}

export interface Tx extends Reader {
  /** The time of the whole transaction, in Unix milliseconds. */
  readonly now: number;
  /** Returns how many rows changed. */
  run(sql: string, ...params: SqlValue[]): Promise<number>;
  /** Like `run`, but for many rows. Uses one statement if that is faster on the engine. */
  runAll(statement: RowsStatement, rows: readonly (readonly SqlValue[])[]): Promise<number>;
  /**
   * Names something that the changes concern. `onForeignChange` passes the key to other processes.
   * They learn nothing else, so a write that changes what another node remembers must call
   * `noteChange` (core/changes/changes.ts).
   */
  concerns(key: string): void;
  /**
   * Calls `effect` once the transaction is durable. Does not call it if the transaction fails, or
   * if its outcome stays unknown. `effect` must not throw.
   */
  afterCommit(effect: () => void): void;
  /**
   * Calls `effect` if the changes are undone or the work runs a second time. `effect` must not
   * throw.
   */
  afterRollback(effect: () => void): void;
}

/**
 * Makes the changes for items that have arrived together, and returns their outcomes in the same
 * order. The handler awaits only `tx`, and may run twice. An item that is rejected with an AppError
 * must have changed nothing. If the handler itself throws, or an item is rejected with another
 * error, all changes are undone, and the handler runs again for each item on its own.
 */
export type BatchHandler<Item, Value> = (
  tx: Tx,
  items: readonly Item[],
) => Promise<PromiseSettledResult<Value>[]>;

export interface DatabaseStats {
  version: string;
  fileName: string; // without the folder
  sizeBytes: number;
  walBytes: number; // write-ahead log
  /** How much this user can still write to the file's disk. Absent if unknown, as on PostgreSQL. */
  diskFreeBytes?: number;
  pageCount: number;
  pageSizeBytes: number;
  freePages: number; // unused
  /** The applied migrations, in order. `appliedAt` is in Unix milliseconds. */
  migrations: { version: number; name: string; appliedAt: number }[];
}

export interface StorageState {
  /** Why writes are refused. `since` is when the first failed write arrived (Unix milliseconds). */
  failure: { reason: StorageReason; since: number | null } | null;
  /**
   * When the oldest write arrived that has failed since the last success or has no outcome yet, in
   * Unix milliseconds; null if there is none.
   */
  stoppedSince: number | null;
  /** The number of writes that are waiting or not yet durable. */
  pendingWrites: number;
  /** How many durable transactions have changed something since the database was opened. */
  commits: number;
  /**
   * Not null while the write-ahead log is longer than 256 MiB. Then another process is reading an
   * old snapshot, or the process that makes checkpoints hangs. `since` is in Unix milliseconds.
   */
  heldLog: { sizeBytes: number; since: number } | null;
}

/** The lock for the jobs that only one process of the cluster may run at a time. */
export interface JobLock {
  /** Aborted when the lock is lost: another process may have it now. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export interface Database {
  readonly engine: "sqlite" | "postgresql";
  /**
   * The wall time in Unix milliseconds. All processes that use a database agree on it: on SQLite
   * they run on one machine, and on PostgreSQL they use the database's clock.
   */
  now(): number;
  /** Reads committed data. Never waits for writers. */
  readonly read: Reader;
  /**
   * Returns a reader for statements whose cost grows with the tables. It reads outside the event
   * loop if the database is so large that a read can take a long time. It throws AppError
   * UNAVAILABLE if a read takes too long or too many reads are waiting. A read stops when the
   * caller leaves.
   */
  bulkReader(caller: ReadingCaller, purpose?: ReadingPurpose): BulkReader;
  /**
   * Runs `work` as one atomic change, and resolves once it is durable. Changes are made one after
   * the other. `work` must await only `tx`, and may run twice. Rejects with what `work` threw,
   * after undoing everything, or with AppError UNAVAILABLE if the storage cannot write.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Like `write`, but for one item of a batch. The handler gets the items that arrive together.
   * Items with the same key are never in one call of the handler.
   */
  batch<Item, Value>(handler: BatchHandler<Item, Value>, item: Item, key?: string): Promise<Value>;
  /**
   * Resolves when everything that can be read now is durable. Throws AppError UNAVAILABLE if this
   * cannot be confirmed.
   */
  durable(): Promise<void>;
  /**
   * Calls `listener` after another process has written, with the keys of what changed, or with null
   * if anything may have changed. Returns a function that removes the listener.
   */
  onForeignChange(listener: (keys: readonly string[] | null) => void): () => void;
  /**
   * If another process has written, calls the listeners before it returns. Checks only once per
   * turn of the event loop.
   */
  checkForeignChange(): void;
  /**
   * Returns null if this or another process holds the lock. Throws AppError UNAVAILABLE if this
   * cannot be determined. On SQLite, only one server uses the file, so this always returns the
   * lock.
   */
  tryLock(): Promise<JobLock | null>;
  /** Whether the storage accepts writes, as far as known without trying. */
  storage(): StorageState;
  /** Whether the next write may fail. Only a write can show whether it does. */
  isStorageDoubtful(): boolean;
  /** Reads only files and headers, not rows. */
  stats(): Promise<DatabaseStats>;
  /** Shortens files that are too long, and reserves the disk space that they usually need. */
  tidy(): Promise<void>;
  /** Waits for pending writes, then releases the storage. */
  close(): Promise<void>;
}
