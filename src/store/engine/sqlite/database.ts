// Implements the database interface with one SQLite connection for writes and one for reads during
// a transaction.

import type { StartReader } from "../../../domain/storage/reader-process.ts";
import type {
  BatchHandler,
  BulkReader,
  Database,
  DatabaseStats,
  JobLock,
  ReadingCaller,
  ReadingPurpose,
  StorageState,
  Tx,
} from "../../database.ts";
import { ReaderPool } from "../reader-pool.ts";
import { reading, storageReasonOf } from "../storage-errors.ts";
import { single } from "../write-queue.ts";
import { Checkpointer } from "./checkpointer.ts";
import type { DatabaseLock } from "./database-lock.ts";
import { openReader, type SqliteConnection } from "./file.ts";
import { OpenFiles } from "./open-files.ts";
import { readerFrom, type Statement, Statements } from "./statements.ts";
import { statsOf } from "./stats.ts";
import { WalFile } from "./wal-file.ts";
import { WriteGroups } from "./write-groups.ts";

/** A write-ahead log that is larger is truncated. */
const defaultWalLimitBytes = 64 * 1024 * 1024;

/** Reading this much takes about 10 ms. */
const defaultSmallBytes = 16 * 1024 * 1024;

interface SqliteOptions {
  /** How long a write waits for another process's transaction. */
  busyTimeoutMs: number;
  now: () => number; // Unix milliseconds
  walLimitBytes?: number;
  /** Starts processes for `bulkReader`. Without it, all reads run in this process. */
  startReader?: StartReader | undefined;
  /** A smaller database is read in this process, because all reads of it are quick. */
  smallBytes?: number;
  /** Tests replace these. */
  reader?: SqliteConnection;
  log?: WalFile;
}

/** Only one server uses the file, so no other process can take this lock. */
const ownLock: JobLock = {
  lost: new AbortController().signal,
  release: async () => undefined,
};

export class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly now: () => number;
  readonly read: BulkReader;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #readerStatements: Statements;
  readonly #writes: WriteGroups;
  readonly #files: OpenFiles;
  readonly #log: WalFile;
  readonly #walLimitBytes: number;
  readonly #aside: ReaderPool | null;
  readonly #checkpointer: Checkpointer | null;
  readonly #smallPages: number;
  readonly #pageCount: Statement;
  readonly #dataVersion: Statement;
  readonly #foreignChangeListeners = new Set<(keys: null) => void>();
  #seenDataVersion: unknown;
  #lookedThisTurn = false;
  readonly #endTurn = () => {
    this.#lookedThisTurn = false;
  };
  #closed = false;
  #lock: DatabaseLock | null = null;

  /** Takes over `writer`, which must be open and migrated. */
  constructor(writer: SqliteConnection, options: SqliteOptions) {
    const {
      walLimitBytes = defaultWalLimitBytes,
      smallBytes = defaultSmallBytes,
      startReader,
      reader = openReader(writer.name, options.busyTimeoutMs),
      log = new WalFile(writer.name),
      ...rest
    } = options;
    this.#writer = writer;
    this.now = rest.now;
    this.#walLimitBytes = walLimitBytes;
    this.#reader = reader;
    this.#reader.pragma("cache_size = -4096"); // each commit empties it
    this.#readerStatements = new Statements(this.#reader);
    this.read = readerFrom((sql, run) => this.#read(sql, run));
    this.#aside = startReader ? new ReaderPool(startReader, writer.name) : null;
    this.#smallPages = smallBytes / Number(this.#reader.pragma("page_size", { simple: true }));
    this.#pageCount = this.#reader.prepare("PRAGMA page_count").pluck();
    this.#dataVersion = writer.prepare("PRAGMA data_version").pluck();
    this.#seenDataVersion = this.#dataVersion.get();
    // Both connections have been used, so all files exist now.
    this.#files = new OpenFiles(writer.name);
    this.#log = log;
    this.#writes = new WriteGroups(writer, {
      ...rest,
      problemOfFiles: () => this.#files.problem(),
      flush: () => this.#flush(),
      onUnconfirmed: () => this.#noteForeignChange(),
    });
    this.#checkpointer = startReader
      ? new Checkpointer({
          start: startReader,
          writer,
          now: rest.now,
          log: this.#log,
          limitBytes: walLimitBytes,
          hasRoom: () => !this.#files.isDoubtful(),
          betweenGroups: (work) => this.#writes.betweenGroups(work),
        })
      : null;
  }

  /** Takes over a lock, and releases it after everything is closed. */
  releaseAtEnd(lock: DatabaseLock): void {
    this.#lock = lock;
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.batch(single(work), null);
  }

  batch<Item, Value>(handler: BatchHandler<Item, Value>, item: Item, key?: string): Promise<Value> {
    return this.#writes.add(handler, item, key);
  }

  durable(): Promise<void> {
    return this.#writes.durable();
  }

  /**
   * If the files were replaced, this process itself reads, because another process would open the
   * new files.
   */
  bulkReader(caller: ReadingCaller, purpose?: ReadingPurpose): BulkReader {
    if (this.#aside === null || this.#isSmall() || this.#files.problem() !== null) return this.read;
    return this.#aside.readerFor(caller, purpose);
  }

  /**
   * Each commit empties the page caches of all other connections, so reads use the writer's
   * connection between its transactions. If it is locked, for example during another process's
   * recovery, they use the reader's connection, which waits longer.
   */
  async #read(sql: string, run: (statement: Statement) => unknown): Promise<unknown> {
    const { flushing } = this.#writes;
    if (flushing !== null) await flushing;
    return reading(() => {
      const { idle } = this.#writes;
      try {
        if (idle !== null) return run(idle.of(sql));
      } catch (error) {
        if (storageReasonOf(error) !== "LOCKED") throw error;
      }
      return run(this.#readerStatements.of(sql));
    });
  }

  async #flush(): Promise<void> {
    await this.#log.flush();
    this.#checkpointer?.noteCommit();
  }

  #isSmall(): boolean {
    return reading(() => Number(this.#pageCount.get()) <= this.#smallPages);
  }

  async tryLock(): Promise<JobLock> {
    return ownLock;
  }

  async stats(): Promise<DatabaseStats> {
    return reading(() => statsOf(this.#reader));
  }

  storage(): StorageState {
    const reason = this.#files.problem()?.reason ?? null;
    const { failure, stoppedSince, pendingWrites, commits } = this.#writes;
    return {
      failure: reason === null ? failure : { reason, since: failure?.since ?? null },
      stoppedSince,
      pendingWrites,
      commits,
      heldLog: this.#checkpointer?.held ?? null,
    };
  }

  isStorageDoubtful(): boolean {
    return this.#files.isDoubtful();
  }

  onForeignChange(listener: (keys: null) => void): () => void {
    this.#foreignChangeListeners.add(listener);
    return () => this.#foreignChangeListeners.delete(listener);
  }

  checkForeignChange(): void {
    // All requests of one turn were sent before the turn began, so one check serves them all.
    if (this.#lookedThisTurn) return;
    const version = reading(() => this.#dataVersion.get());
    this.#lookedThisTurn = true;
    setImmediate(this.#endTurn);
    if (version === this.#seenDataVersion) return;
    this.#seenDataVersion = version;
    this.#noteForeignChange();
  }

  #noteForeignChange(): void {
    for (const listener of this.#foreignChangeListeners) listener(null);
  }

  /**
   * Truncates the write-ahead log, because SQLite never does. A reader of an old snapshot, such as
   * a backup, prevents this until it ends. Does nothing if the files were replaced, because the
   * process that makes checkpoints would open the new files.
   */
  async tidy(): Promise<void> {
    if (this.#files.problem() !== null) return;
    const isLarge = () => !this.#closed && this.#log.sizeBytes() > this.#walLimitBytes;
    if (!isLarge()) return this.#checkpointer?.reserve();
    if (this.#checkpointer) return this.#checkpointer.run();
    await this.#writes.pause();
    // No transaction is open now, because the next one begins in a later turn of the event loop.
    if (isLarge()) this.#writer.pragma("wal_checkpoint(TRUNCATE)");
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#aside?.close();
    this.#checkpointer?.close();
    await this.#writes.end();
    this.#log.close();
    // The last connection to close deletes the log by its name, which may now belong to another
    // database. If so, the connections stay open until the process ends.
    if (!this.#files.hasForeignLog()) {
      this.#reader.close();
      this.#writer.close();
    }
    this.#lock?.release();
    this.#lock = null;
  }
}
