// Defines the only interface through which use cases use storage. SQL occurs only in src/store, in
// the subset that SQL engines share, with `?` for parameters, which sql.ts writes.

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
export interface AsideReader extends Reader {
  /** Returns a text of all rows, which is made where the rows are read. */
  text(kind: RowText, sql: string, ...params: SqlValue[]): Promise<string>;
}

/** The caller of a read that can take long. */
export interface ReadingCaller {
  /** Whether the caller has left, so that nobody needs the result. */
  readonly gone: boolean;
  /** Calls `listener` once when the caller leaves. Returns a function that removes the listener. */
  onGone(listener: () => void): () => void;
}

/** A question has a time limit for all of its reads; a stream, such as an export, for each read. */
export type ReadingPurpose = "question" | "stream";

/** An INSERT of one row. `columns` are in the order of its parameters. */
export interface RowInsert {
  readonly table: string;
  readonly columns: readonly string[];
  readonly sql: string;
}

/** A statement that adds its first parameter to a number. The others say to which. */
export interface Increment {
  readonly table: string;
  readonly sql: string;
}

/** How a write may run beside others. */
export interface WriteScope {
  /**
   * The id of the agent that the work is about. It may then run at the same time as works about
   * other agents, and must keep the rule in docs/decisions/0022-postgresql-writes.md.
   */
  agentId: string;
}

export interface Tx extends Reader {
  /** The time of the whole transaction, in Unix milliseconds. */
  readonly now: number;
  /** Returns how many rows changed. */
  run(sql: string, ...params: SqlValue[]): Promise<number>;
  /**
   * Inserts a row. The engine may write it later, with others, but always before a statement that
   * names the table or deletes anything. If it cannot be written, the work fails.
   */
  append(row: RowInsert, values: readonly SqlValue[]): Promise<void>;
  /** Does the same with an amount, which may be added together with others. */
  add(to: Increment, amount: number, ...key: SqlValue[]): Promise<void>;
  /**
   * Returns what `find` returned when it was first called with this key in the transaction, for any
   * of its works. Forgotten when a change of the transaction is undone. `find` awaits only `tx`.
   */
  shared<T extends object>(key: symbol, find: () => Promise<T>): Promise<T>;
  /** Must be called after a change of what `shared` has found, so that later works find it again. */
  forgetShared(key: symbol): void;
  /**
   * Resolves if no other work runs at the same time, and otherwise makes this one run again, alone.
   * Call it before any change.
   */
  alone(): Promise<void>;
  /**
   * Names what the changes concern, for `onForeignChange` of other processes. A transaction that
   * calls this with no key concerns nobody; one that never calls it may concern everything.
   */
  concerns(...keys: string[]): void;
  /** Calls `effect` once the transaction is durable, and never if it fails. Must not throw. */
  afterCommit(effect: () => void): void;
  /** Calls `effect` if the changes are undone or the work runs a second time. Must not throw. */
  afterRollback(effect: () => void): void;
  /** Calls `effect` if nobody can tell whether the transaction is durable. Must not throw. */
  ifUnconfirmed(effect: () => void): void;
}

export interface DatabaseStats {
  version: string;
  fileName: string; // without the folder
  sizeBytes: number;
  walBytes: number; // write-ahead log
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
   * When the first of the writes arrived that have failed or have no outcome, since the last one that
   * succeeded (Unix milliseconds); null if there is none.
   */
  stoppedSince: number | null;
  /** How many durable transactions have changed something since the database was opened. */
  commits: number;
  /**
   * Not null while the write-ahead log is longer than 256 MiB, because another process reads an old
   * state, or the process that moves the log does not end. `since` is in Unix milliseconds.
   */
  heldLog: { sizeBytes: number; since: number } | null;
}

/** A lock that at most one process of the cluster has. */
export interface JobLock {
  /** Aborted when the lock is lost: another process may have it now. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export interface Database {
  readonly engine: "sqlite" | "postgresql";
  /**
   * The wall time in Unix milliseconds. All processes of a database agree on it: SQLite's are on one
   * machine, and PostgreSQL's use its clock.
   */
  now(): number;
  /** Reads committed data. Never waits for writers. */
  readonly read: Reader;
  /**
   * Returns a reader for statements whose cost grows with the tables. It reads outside the event
   * loop if a read of this database can take long. It throws AppError UNAVAILABLE for a read that
   * takes too long, or if too many are waiting, and stops when the caller leaves.
   */
  readAside(caller: ReadingCaller, purpose?: ReadingPurpose): AsideReader;
  /**
   * Runs `work` as one atomic change, and resolves once it is durable. `work` must await only `tx`,
   * and may run twice. Rejects with what `work` threw, after undoing everything, or with AppError
   * UNAVAILABLE if the storage cannot write. Without a scope, no other work runs at the same time.
   */
  write<T>(work: (tx: Tx) => Promise<T>, scope?: WriteScope): Promise<T>;
  /**
   * Resolves when everything that can be read now is durable. Throws AppError UNAVAILABLE if that
   * is unknown.
   */
  durable(): Promise<void>;
  /**
   * Calls `listener` after another process has written, with the keys of what it changed; null if
   * that may be anything. The returned function ends this.
   */
  onForeignChange(listener: (keys: readonly string[] | null) => void): () => void;
  /**
   * Calls the listeners before it returns if another process has written. Checks only once per turn
   * of the event loop.
   */
  checkForeignChange(): void;
  /**
   * Returns null if this or another process has the lock of this name. Throws AppError UNAVAILABLE
   * if that is unknown. On SQLite one server has the file, so the lock is always free.
   */
  tryLock(name: string): Promise<JobLock | null>;
  /** The number of writes that are waiting or not yet durable. */
  queueDepth(): number;
  /** Whether the storage accepts writes, as far as known without trying. */
  storage(): StorageState;
  /** Whether the next write may fail. Only a write can show whether it does. */
  isStorageDoubtful(): boolean;
  /** Reads only files and headers, not rows. */
  stats(): Promise<DatabaseStats>;
  /** Releases unused disk space, and reserves what is used again and again. */
  tidy(): Promise<void>;
  /** Waits for pending writes, then releases the storage. */
  close(): Promise<void>;
}
