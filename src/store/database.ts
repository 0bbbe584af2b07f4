// The database port: what every use case knows of storage. Engines: sqlite.ts.
// SQL is written once, in src/store, in the subset that the engines share; parameters are `?`.
// Inside a write only `tx` is awaited: no network, no timers, no password hashing.

import type { StorageReason } from "../domain/storage/failures.ts";

/** A value that can be bound to a `?`. Booleans and JSON are converted by store/columns.ts. */
export type SqlValue = string | number | null;

export interface Reader {
  /** The first row, or undefined. Both throw AppError UNAVAILABLE when the storage fails. */
  get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]>;
}

export interface Tx extends Reader {
  /** One fixed time for the whole transaction, in Unix milliseconds. */
  readonly now: number;
  /** Answers how many rows were changed. */
  run(sql: string, ...params: SqlValue[]): Promise<number>;
  /** Calls `effect` once the transaction is durable; never when it fails. Must not throw. */
  afterCommit(effect: () => void): void;
  /**
   * Calls `effect` when this run of the work comes to nothing: it failed, it runs a second time, or the
   * transaction could not be made durable. Must not throw.
   */
  afterRollback(effect: () => void): void;
}

export interface DatabaseStats {
  /** The engine's own. */
  version: string;
  /** Without its folder. */
  fileName: string;
  sizeBytes: number;
  /** What is written ahead of the file itself. */
  walBytes: number;
  pageCount: number;
  pageSizeBytes: number;
  /** Pages that hold nothing any more. */
  freePages: number;
  /** Those that were applied, in order; `appliedAt` in Unix milliseconds. */
  migrations: { version: number; name: string; appliedAt: number }[];
}

export interface StorageState {
  /**
   * Why writes are refused: the files are not those that were opened, or the last write failed and none
   * has worked since (`since`, in Unix milliseconds, is when the first one failed). Null: writes work.
   */
  failure: { reason: StorageReason; since: number | null } | null;
  /** How many transactions have changed something, and are durable, since the database was opened. */
  commits: number;
}

export interface Database {
  readonly engine: "sqlite" | "postgresql";
  /** Committed data; never waits for writers. */
  readonly read: Reader;
  /**
   * Runs `work` as one atomic change and answers its result once that is durable. `work` is a
   * pure function of `tx`: it may run twice. Rejects with what `work` threw, nothing changed;
   * with AppError UNAVAILABLE when the storage cannot write.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Calls `listener` when another process or node has written. Answers how to stop it. */
  onForeignChange(listener: () => void): () => void;
  /**
   * Looks for what others had written when this turn of the event loop began; listeners are called
   * before it returns. Costs nothing a second time in the same turn.
   */
  checkForeignChange(): void;
  /** Writes that have arrived and are not durable yet. */
  queueDepth(): number;
  /** Whether it can be written to, as far as that is known without trying. */
  storage(): StorageState;
  /** Whether something suggests that the next write may fail; only a write can tell. */
  isStorageDoubtful(): boolean;
  /** What it is and how much room it takes; a look at files and headers, not at rows. */
  stats(): Promise<DatabaseStats>;
  /** Gives back room that it does not need any more; what is in the way is left for the next time. */
  tidy(): Promise<void>;
  /** Waits for the writes that have arrived, then releases the storage. */
  close(): Promise<void>;
}
