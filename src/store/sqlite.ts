// The SQLite engine behind the database port: one writing connection with group commit, one
// reading connection, and the look-out for other processes on the same file.
//
// Group commit: all writes that arrive in one turn of the event loop share one transaction, and so
// one flush to disk. A write that fails is rolled back alone; its neighbours commit. Savepoints do that,
// and cost a fifth of the time, so a group first runs without them: most writes that fail do so before
// they change anything. When one fails after that, the group is rolled back and runs again, with a
// savepoint for each: a write is a pure function of its transaction, so it can run twice.

import { statSync } from "node:fs";
import type BetterSqlite3 from "better-sqlite3";
import { AppError } from "../domain/errors.ts";
import type { Database, DatabaseStats, Reader, SqlValue, Tx } from "./database.ts";
import type { DatabaseLock } from "./database-lock.ts";
import { type Connection, openReader } from "./sqlite-file.ts";
import { statsOf } from "./sqlite-stats.ts";
import { overran, type Turn, withinTurn } from "./turn.ts";

type Statement = BetterSqlite3.Statement<unknown[]>;

interface PendingWrite {
  work: (tx: Tx) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** The write lock is asked for so long at a time, with such pauses. */
const attemptMs = 2;
const pauseMs = 2;

type Outcome =
  | { write: PendingWrite; failed: false; value: unknown; effects: (() => void)[] }
  | { write: PendingWrite; failed: true; error: unknown };

/** A write-ahead log that has grown over this is cut. (`trust.md` "Storage rules") */
const defaultWalLimitBytes = 64 * 1024 * 1024;

/** What SQLite says when the storage, not the statement, is the matter. */
const storageFailure = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM)/;

export class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly read: Reader;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #now: () => number;
  readonly #beginAttempts: number;
  readonly #walLimitBytes: number;
  readonly #dataVersion: Statement;
  readonly #foreignChangeListeners = new Set<() => void>();
  #seenDataVersion: unknown;
  #lookedThisTurn = false;
  readonly #endTurn = () => {
    this.#lookedThisTurn = false;
  };
  #queue: PendingWrite[] = [];
  /** How many writes of the group that runs have not been told what became of them. */
  #groupSize = 0;
  #group: Promise<void> | null = null;
  #closed = false;
  #lock: DatabaseLock | null = null;

  /** `writer` is open and migrated; this takes it over. `now` gives Unix milliseconds. */
  constructor(
    writer: Connection,
    busyTimeoutMs: number,
    now: () => number,
    walLimitBytes = defaultWalLimitBytes,
  ) {
    this.#writer = writer;
    this.#walLimitBytes = walLimitBytes;
    // SQLite's own wait stops the event loop: it gets a moment, the rest of the time is ours.
    writer.pragma(`busy_timeout = ${attemptMs}`);
    this.#beginAttempts = Math.ceil(busyTimeoutMs / (attemptMs + pauseMs));
    this.#now = now;
    this.#reader = openReader(writer.name, busyTimeoutMs);
    this.read = readerOf(this.#reader);
    this.#dataVersion = writer.prepare("PRAGMA data_version").pluck();
    this.#seenDataVersion = this.#dataVersion.get();
  }

  /** The lock is given back once everything is closed. */
  releaseAtEnd(lock: DatabaseLock): void {
    this.#lock = lock;
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(unavailable(new Error("the database is closed")));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      if (this.#group === null) this.#schedule();
    });
  }

  queueDepth(): number {
    return this.#queue.length + this.#groupSize;
  }

  async stats(): Promise<DatabaseStats> {
    return statsOf(this.#reader);
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
    const version = this.#dataVersion.get();
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
    await this.#group;
    // Between two transactions: the next one begins in a later turn.
    if (isLarge()) this.#writer.pragma("wal_checkpoint(TRUNCATE)");
  }

  /** Looked up, not opened: closing it would drop the locks that SQLite holds in this process. */
  #walBytes(): number {
    return statSync(`${this.#writer.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#group !== null) await this.#group;
    this.#reader.close();
    this.#writer.close();
    this.#lock?.release();
    this.#lock = null;
  }

  #schedule(): void {
    this.#group = new Promise((done) => {
      setImmediate(() => {
        const writes = this.#queue;
        this.#queue = [];
        void this.#runGroup(writes).then(() => {
          this.#group = null;
          if (this.#queue.length > 0) this.#schedule();
          done();
        });
      });
    });
  }

  /** Never rejects: every outcome goes to the writes themselves. */
  async #runGroup(writes: PendingWrite[]): Promise<void> {
    this.#groupSize = writes.length;
    let outcomes: Outcome[];
    try {
      await this.#begin();
      const plain = await withinTurn((turn) => this.#runPlain(writes, turn));
      if (plain === null) await this.#begin();
      outcomes = plain ?? (await withinTurn((turn) => this.#runSafely(writes, turn)));
      this.#statement("COMMIT").run();
    } catch (error) {
      if (this.#writer.inTransaction) this.#writer.exec("ROLLBACK");
      this.#groupSize = 0;
      const failure = unavailable(error);
      for (const write of writes) write.reject(failure);
      return;
    }
    this.#groupSize = 0;
    for (const outcome of outcomes) tell(outcome);
  }

  /** Waits for another process's transaction without stopping the event loop. */
  async #begin(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#statement("BEGIN IMMEDIATE").run();
        return;
      } catch (error) {
        const isBusy = String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY");
        if (!isBusy || attempt >= this.#beginAttempts) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** Answers null, and leaves no transaction, when a write failed after a change of its own. */
  async #runPlain(writes: PendingWrite[], turn: Turn): Promise<Outcome[] | null> {
    const outcomes: Outcome[] = [];
    const now = this.#now();
    for (const write of writes) {
      const tx = new SqliteTx(this, now, turn);
      const outcome = await this.#attempt(write, tx, turn);
      if (outcome.failed && tx.hasChanged) {
        this.#statement("ROLLBACK").run();
        return null;
      }
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async #runSafely(writes: PendingWrite[], turn: Turn): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const now = this.#now();
    for (const write of writes) {
      this.#statement("SAVEPOINT one_write").run();
      const outcome = await this.#attempt(write, new SqliteTx(this, now, turn), turn);
      if (outcome.failed) this.#statement("ROLLBACK TO one_write").run();
      this.#statement("RELEASE one_write").run();
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /** Throws when it is the storage that failed, or when the work did not keep to its turn. */
  async #attempt(write: PendingWrite, tx: SqliteTx, turn: Turn): Promise<Outcome> {
    let outcome: Outcome;
    try {
      outcome = { write, failed: false, value: await write.work(tx), effects: tx.effects };
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      outcome = { write, failed: true, error };
    }
    if (turn.over) throw overran();
    if (!this.#writer.inTransaction) throw new Error("SQLite ended the transaction");
    return outcome;
  }

  /** A prepared statement of the writing connection; prepared once for each text. */
  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#writer.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** For SqliteTx alone. */
  statementFor(sql: string): Statement {
    return this.#statement(sql);
  }
}

class SqliteTx implements Tx {
  readonly now: number;
  readonly effects: (() => void)[] = [];
  hasChanged = false;
  readonly #database: SqliteDatabase;
  readonly #turn: Turn;

  constructor(database: SqliteDatabase, now: number, turn: Turn) {
    this.#database = database;
    this.now = now;
    this.#turn = turn;
  }

  async get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined> {
    return this.#statement(sql).get(...params) as Row | undefined;
  }

  async all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]> {
    return this.#statement(sql).all(...params) as Row[];
  }

  async run(sql: string, ...params: SqlValue[]): Promise<number> {
    this.hasChanged = true;
    return this.#statement(sql).run(...params).changes;
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  #statement(sql: string): Statement {
    if (this.#turn.over) throw overran();
    return this.#database.statementFor(sql);
  }
}

/** Reads through a connection; what it prepares it keeps. */
export function readerOf(connection: Connection): Reader {
  const statements = new Map<string, Statement>();
  const statementFor = (sql: string): Statement => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    async get<Row>(sql: string, ...params: SqlValue[]) {
      return statementFor(sql).get(...params) as Row | undefined;
    },
    async all<Row>(sql: string, ...params: SqlValue[]) {
      return statementFor(sql).all(...params) as Row[];
    },
  };
}

/** Once its transaction is durable. */
function tell(outcome: Outcome): void {
  if (outcome.failed) {
    outcome.write.reject(outcome.error);
    return;
  }
  for (const effect of outcome.effects) effect();
  outcome.write.resolve(outcome.value as never);
}

function isStorageFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && storageFailure.test(code);
}

function unavailable(cause: unknown): AppError {
  return new AppError("UNAVAILABLE", "The storage cannot write right now; nothing was changed.", {
    cause,
    retryAfterSeconds: 1,
  });
}
