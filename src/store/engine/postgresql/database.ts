// Implements the database interface with PostgreSQL: one connection for writes, a few for reads,
// one that listens for the commits of other processes, and one that holds the lock for jobs.

import type {
  BatchHandler,
  BulkReader,
  Database,
  DatabaseStats,
  JobLock,
  Reader,
  ReadingCaller,
  ReadingPurpose,
  SqlValue,
  StorageState,
  Tx,
} from "../../database.ts";
import { ReaderPool } from "../reader-pool.ts";
import { readingFrom } from "../storage-errors.ts";
import { single } from "../write-queue.ts";
import { DatabaseClock } from "./clock.ts";
import type { PostgresAddress } from "./connection/address.ts";
import { Session, type SessionLimits, type SessionOptions } from "./connection/session.ts";
import { JobLockConnection, silenceMs } from "./job-lock.ts";
import { Listener } from "./listener.ts";
import { QuickReads } from "./quick-reads.ts";
import { readerConnections } from "./reader-connections.ts";
import { forgetOldNodes } from "./writes/write-group-log.ts";
import { WriteGroups } from "./writes/write-groups.ts";
import { readClock } from "./writes/write-lock.ts";

export interface PostgresOptions {
  address: PostgresAddress;
  /** How long a write waits for other processes, or for a connection. */
  waitMs?: number;
  /** Writes can wait until this long after the opening, even if `waitMs` is shorter. */
  startMs?: number;
  /**
   * How long the server waits for a process that does not continue its transaction. Then it rolls
   * the transaction back, and another process gets the lock.
   */
  stalledMs?: number;
  /** Whether to refuse writes after the data was moved away. The table `settings` must exist. */
  refuseMoved?: boolean;
  /** Replaces the database's clock in tests. Returns Unix milliseconds. */
  now?: (() => number) | undefined;
}

const defaultWaitMs = 10_000;
const defaultStalledMs = 5000;
const connectMs = 5000;
/** How long a small read may take. */
const statementMs = 10_000;
/**
 * A statement of a write may take this much longer than `waitMs`, because waiting for the lock is
 * itself a statement.
 */
const beyondWaitMs = 2000;
/** The time limit of reads in the reader pool. The pool itself stops them earlier. */
const asideMs = 15_000;
const usualLimits: SessionLimits = {
  statement: statementMs,
  lock: 0,
  idleInTransaction: 0,
  connect: connectMs,
};
/**
 * Statements of writes look up rows by their keys, and are planned once. These settings make the
 * plans use indexes. A plan made for a small table is then still good when the table has grown.
 */
export const plansForAnySize = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_material: "off",
};
/** The time limit of statements on connections that send only trivial ones. */
const beatMs = 1000;

export class PostgresDatabase implements Database {
  readonly engine = "postgresql";
  readonly read: Reader;
  readonly #reads: QuickReads;
  readonly #aside: ReaderPool;
  readonly #writes: WriteGroups;
  readonly #listener: Listener;
  readonly #jobLock: JobLockConnection;
  readonly #clock: DatabaseClock;
  readonly #foreignChangeListeners = new Set<(keys: readonly string[] | null) => void>();
  /** Groups of this process that may or may not have been committed. */
  readonly #doubtful = new Set<number>();
  #closed = false;

  private constructor(options: PostgresOptions, node: string, clockReading: number) {
    const { address, waitMs = defaultWaitMs, stalledMs = defaultStalledMs } = options;
    const { now, refuseMoved = false, startMs = 0 } = options;
    const clock = new DatabaseClock(clockReading, now);
    this.#clock = clock;
    const open = (limits: Partial<SessionLimits>, more: Partial<SessionOptions> = {}) => {
      return () => Session.open(address, { limits: { ...usualLimits, ...limits }, ...more });
    };
    this.#reads = new QuickReads(open({}, { isReadOnly: true }));
    const readers = open({ statement: asideMs }, { isReadOnly: true });
    this.#aside = new ReaderPool(readerConnections(readers, this.#reads), address.name);
    this.read = this.#reader();
    this.#writes = new WriteGroups({
      connect: open(
        { statement: waitMs + beyondWaitMs, lock: waitMs, idleInTransaction: stalledMs },
        { isDurable: true, settings: plansForAnySize },
      ),
      waitMs,
      startMs,
      node,
      now,
      refuseMoved,
      clock,
      onDoubt: (group) => {
        this.#doubtful.add(group);
        this.#noteForeignChange(null);
      },
    });
    this.#listener = new Listener({
      connect: open({ statement: beatMs }),
      onNotice: (notice) => {
        const isOwn = notice.node === node && !this.#doubtful.delete(notice.group);
        if (!isOwn) this.#noteForeignChange(notice.keys);
      },
      onDoubt: () => this.#noteForeignChange(null),
      clock,
    });
    this.#jobLock = new JobLockConnection(
      open({ statement: beatMs }, { settings: { idle_session_timeout: String(silenceMs) } }),
    );
  }

  /**
   * Opens a database that has been migrated. Throws `ConnectionLost` with the reason as its cause,
   * or an Error whose message says why the server cannot be used.
   */
  static async open(options: PostgresOptions): Promise<PostgresDatabase> {
    const { address } = options;
    const session = await Session.open(address, { limits: usualLimits });
    try {
      const [ids, clock] = await session.batch([
        `SELECT gen_random_uuid()::text AS "node"`,
        readClock,
      ]);
      await forgetOldNodes(session);
      const database = new PostgresDatabase(options, ids?.rows[0].node, clock?.rows[0].now);
      await database.#listener.start();
      return database;
    } finally {
      await session.end();
    }
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.batch(single(work), null);
  }

  batch<Item, Value>(handler: BatchHandler<Item, Value>, item: Item, key?: string): Promise<Value> {
    return this.#writes.add(handler, item, key);
  }

  /** Other processes see only durable changes, so this waits only for effects in this process. */
  async durable(): Promise<void> {
    await this.#writes.committing;
  }

  bulkReader(caller: ReadingCaller, purpose?: ReadingPurpose): BulkReader {
    this.#requireOpen();
    return this.#aside.readerFor(caller, purpose);
  }

  onForeignChange(listener: (keys: readonly string[] | null) => void): () => void {
    this.#foreignChangeListeners.add(listener);
    return () => this.#foreignChangeListeners.delete(listener);
  }

  /** Does nothing: other processes notify this one. */
  checkForeignChange(): void {}

  storage(): StorageState {
    const { failure, stoppedSince, pendingWrites, commits } = this.#writes;
    return { failure, stoppedSince, pendingWrites, commits, heldLog: null };
  }

  isStorageDoubtful(): boolean {
    return this.#writes.failure !== null || !this.#listener.isListening;
  }

  stats(): Promise<DatabaseStats> {
    return statsOf(this.read);
  }

  /** PostgreSQL does this itself. */
  async tidy(): Promise<void> {}

  now(): number {
    return this.#clock.now();
  }

  tryLock(): Promise<JobLock | null> {
    return readingFrom(() => this.#jobLock.tryLock());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#aside.close();
    await this.#writes.end();
    await this.#writes.close();
    await Promise.all([this.#listener.close(), this.#jobLock.close(), this.#reads.close()]);
  }

  /**
   * A read that has seen a commit of this process returns only after the commit's effects have run.
   */
  #reader(): Reader {
    const rowsOf = (sql: string, params: SqlValue[]) =>
      readingFrom(async () => {
        this.#requireOpen();
        const { rows } = await this.#reads.query(sql, params);
        const { committing } = this.#writes;
        if (committing !== null) await committing;
        return rows;
      });
    return {
      get: async <Row>(sql: string, ...params: SqlValue[]) =>
        (await rowsOf(sql, params))[0] as Row | undefined,
      all: async <Row>(sql: string, ...params: SqlValue[]) => (await rowsOf(sql, params)) as Row[],
    };
  }

  #requireOpen(): void {
    if (this.#closed) throw new Error("the database is closed");
  }

  #noteForeignChange(keys: readonly string[] | null): void {
    for (const listener of this.#foreignChangeListeners) listener(keys);
  }
}

/** PostgreSQL's log and free pages belong to the whole server, so both are reported as 0. */
async function statsOf(db: Reader): Promise<DatabaseStats> {
  const row = await db.get<Omit<DatabaseStats, "migrations">>(
    `SELECT current_setting('server_version') AS "version", current_database() AS "fileName",
       pg_database_size(current_database()) AS "sizeBytes", 0 AS "walBytes",
       pg_database_size(current_database()) / current_setting('block_size')::bigint AS "pageCount",
       current_setting('block_size')::bigint AS "pageSizeBytes", 0 AS "freePages"`,
  );
  if (!row) throw new Error("PostgreSQL returned no row");
  const migrations = await db.all<DatabaseStats["migrations"][number]>(
    `SELECT version, name, applied_at AS "appliedAt" FROM schema_migrations ORDER BY version`,
  );
  return { ...row, migrations };
}
