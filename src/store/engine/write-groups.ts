// Commits all writes that arrive together in one transaction. If a write fails, the group runs again
// with savepoints, which are too slow for the first run.
// (docs/decisions/0003-group-commit.md)

import { setImmediate as nextTurn } from "node:timers/promises";
import { StorageFailure, type StorageReason } from "../../domain/storage/failures.ts";
import type { StorageState, Tx } from "../database.ts";
import type { Connection } from "./sqlite-file.ts";
import { SqliteTx } from "./sqlite-tx.ts";
import { Statements } from "./statements.ts";
import { cannotWrite, notConfirmed, storageReasonOf } from "./storage-errors.ts";
import { overran, type Turn, withinTurn } from "./turn.ts";

interface PendingWrite {
  work: (tx: Tx) => Promise<unknown>;
  /** A value of `performance.now()`, because the wall clock can be set back. */
  arrivedAt: number;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

type Outcome =
  | { write: PendingWrite; failed: false; value: unknown; tx: SqliteTx }
  | { write: PendingWrite; failed: true; error: unknown };

/** The duration of each attempt to get the write lock, and of the pause between attempts. */
const attemptMs = 2;
const pauseMs = 2;

/** How many more turns of the event loop a group waits for writes at most. */
const maxGatherTurns = 3;

export interface WriteGroupOptions {
  /** How long a write waits for another process's transaction. */
  busyTimeoutMs: number;
  now: () => number; // Unix milliseconds
  /** Called before each commit. Returns a problem that prevents the commit. */
  problemOfFiles: () => StorageReason | null;
  /** Resolves when all commits are on disk. */
  flush: () => Promise<void>;
  /** Called when a group may be on disk or not, although readers see its changes. */
  onUnconfirmed: () => void;
}

export class WriteGroups {
  readonly #writer: Connection;
  readonly #statements: Statements;
  readonly #options: WriteGroupOptions;
  #queue: PendingWrite[] = [];
  /** The number of writes in the running group that have no outcome yet. */
  #groupSize = 0;
  #group: Promise<void> | null = null;
  /** The group that has begun last. */
  #running: Promise<void> = Promise.resolve();
  #held: Promise<void> = Promise.resolve();
  #runs: SqliteTx[] = [];
  #failure: StorageState["failure"] = null;
  #commits = 0;
  /** Resolves when the commit that is being flushed has had its effects, or was refused. */
  #flushing: Promise<void> | null = null;
  /** Set after a failed flush: what a later flush confirms may lie behind lost pages of the log. */
  #isLogDoubtful = false;

  /** Only this object may write with the connection from now on. */
  constructor(writer: Connection, options: WriteGroupOptions) {
    this.#writer = writer;
    this.#statements = new Statements(writer);
    this.#options = options;
    // SQLite's own wait blocks the event loop, so it is short and repeated with pauses.
    writer.pragma(`busy_timeout = ${attemptMs}`);
    // SQLite does not flush the log on each commit any more; `#flush` does.
    writer.pragma("synchronous = NORMAL");
  }

  /** Resolves when the write is durable. Rejects with the work's error, or with UNAVAILABLE. */
  add<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const arrivedAt = performance.now();
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, arrivedAt, resolve, reject });
      if (this.#group === null) this.#schedule();
    });
  }

  get failure(): StorageState["failure"] {
    return this.#failure;
  }

  get commits(): number {
    return this.#commits;
  }

  depth(): number {
    return this.#queue.length + this.#groupSize;
  }

  /** Not null while there is a commit that readers can see, but that is not durable. */
  get flushing(): Promise<void> | null {
    return this.#flushing;
  }

  /** Null during a transaction, whose changes nobody else may see. */
  get idle(): Statements | null {
    return this.#writer.inTransaction ? null : this.#statements;
  }

  /** Resolves when everything that can be read is durable. Rejects with UNAVAILABLE. */
  async durable(): Promise<void> {
    await this.#flushing;
    if (this.#isLogDoubtful) throw cannotWrite(doubtfulLog());
  }

  /** Resolves between two groups, or immediately if no group is running. */
  async pause(): Promise<void> {
    await this.#group;
  }

  /** Does `work`, which must not reject, after the running group and before the next one. */
  async hold(work: () => Promise<void>): Promise<void> {
    this.#held = this.#running.then(work);
    await this.#held;
  }

  /** Resolves when no writes remain. */
  async drained(): Promise<void> {
    while (this.#group !== null) await this.#group;
  }

  #schedule(): void {
    this.#group = new Promise((done) => {
      setImmediate(() => {
        void this.#runGroup().then(() => {
          this.#group = null;
          if (this.#queue.length > 0) this.#schedule();
          done();
        });
      });
    });
  }

  /** Never rejects, because each write gets its own outcome. */
  async #runGroup(): Promise<void> {
    await this.#gather();
    await this.#held;
    this.#running = this.#runNow();
    await this.#running;
  }

  /** Waits while each turn brings more writes, because every group costs a commit and a flush. */
  async #gather(): Promise<void> {
    let seen = 1;
    for (let turns = 0; turns < maxGatherTurns && this.#queue.length > seen; turns++) {
      seen = this.#queue.length;
      await nextTurn();
    }
  }

  async #runNow(): Promise<void> {
    const writes = await this.#begin();
    if (writes.length === 0) return;
    this.#groupSize = writes.length;
    let outcomes: Outcome[];
    try {
      const plain = await withinTurn((turn) => this.#runPlain(writes, turn));
      if (plain === null) await this.#beginAgain();
      outcomes = plain ?? (await withinTurn((turn) => this.#runSafely(writes, turn)));
      const problem = this.#options.problemOfFiles();
      if (problem !== null) throw new StorageFailure("write", problem);
      this.#statements.of("COMMIT").run();
      this.#runs = [];
    } catch (error) {
      if (this.#writer.inTransaction) this.#writer.exec("ROLLBACK");
      this.#undoRuns();
      this.#groupSize = 0;
      this.#refuse(writes, error);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#flushing = promise;
    await this.#confirm(writes, outcomes);
    this.#flushing = null;
    resolve();
  }

  /** Makes the commit durable, and then settles the writes. */
  async #confirm(writes: PendingWrite[], outcomes: Outcome[]): Promise<void> {
    // A transaction without changes does not touch the disk, so it proves nothing.
    if (outcomes.some((outcome) => !outcome.failed && outcome.tx.changes > 0)) {
      const error = await this.#flush();
      if (error !== null) {
        this.#groupSize = 0;
        this.#refuse(writes, error, notConfirmed);
        this.#options.onUnconfirmed();
        return;
      }
      this.#failure = null;
      this.#commits++;
    }
    this.#groupSize = 0;
    for (const outcome of outcomes) settle(outcome);
  }

  /** Returns the error if the commits may not be on disk. */
  async #flush(): Promise<unknown> {
    try {
      await this.#options.flush();
      return null;
    } catch (error) {
      this.#isLogDoubtful = true;
      return this.#emptyLog() ? null : new StorageFailure("write", "IO_ERROR", error);
    }
  }

  /**
   * After a failed flush, the system may have dropped pages of the log that it could not write. So
   * everything is moved into the database file before another commit is confirmed. Blocks.
   */
  #emptyLog(): boolean {
    try {
      const [result] = this.#writer.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
      this.#isLogDoubtful = result?.busy !== 0;
    } catch {
      this.#isLogDoubtful = true;
    }
    return !this.#isLogDoubtful;
  }

  /**
   * Begins a transaction with all writes that have arrived, and returns them. Refuses writes that
   * have waited too long for another process. If no write remains, begins no transaction.
   */
  async #begin(): Promise<PendingWrite[]> {
    if (this.#isLogDoubtful && !this.#emptyLog()) {
      this.#refuse(this.#queue.splice(0), doubtfulLog());
      return [];
    }
    while (this.#queue.length > 0) {
      const error = this.#tryBegin();
      if (error === null) return this.#queue.splice(0);
      if (isBusy(error)) {
        const latest = performance.now() - this.#options.busyTimeoutMs;
        const overdue = this.#queue.findIndex(({ arrivedAt }) => arrivedAt > latest);
        const count = overdue === -1 ? this.#queue.length : overdue;
        if (count > 0) this.#refuse(this.#queue.splice(0, count), error);
      } else {
        this.#refuse(this.#queue.splice(0), error);
      }
      if (this.#queue.length > 0) await pause();
    }
    return [];
  }

  async #beginAgain(): Promise<void> {
    const until = performance.now() + this.#options.busyTimeoutMs;
    for (;;) {
      const error = this.#tryBegin();
      if (error === null) return;
      if (!isBusy(error) || performance.now() >= until) throw error;
      await pause();
    }
  }

  /** Returns null if a transaction has begun, and otherwise the error. */
  #tryBegin(): unknown {
    try {
      this.#statements.of("BEGIN IMMEDIATE").run();
      return null;
    } catch (error) {
      return error;
    }
  }

  #refuse(writes: PendingWrite[], error: unknown, toError = cannotWrite): void {
    const reason = storageReasonOf(error);
    if (reason !== null) {
      this.#failure = { reason, since: this.#failure?.since ?? this.#options.now() };
    }
    const refusal = toError(error);
    for (const write of writes) write.reject(refusal);
  }

  /** Rolls back and returns null if a write fails after it has changed something. */
  async #runPlain(writes: PendingWrite[], turn: Turn): Promise<Outcome[] | null> {
    const outcomes: Outcome[] = [];
    const now = this.#options.now();
    for (const write of writes) {
      const tx = this.#newRun(now, turn);
      const outcome = await this.#attempt(write, tx, turn);
      if (outcome.failed && tx.hasChanged) {
        this.#statements.of("ROLLBACK").run();
        this.#undoRuns();
        return null;
      }
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async #runSafely(writes: PendingWrite[], turn: Turn): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const now = this.#options.now();
    for (const write of writes) {
      this.#statements.of("SAVEPOINT one_write").run();
      const outcome = await this.#attempt(write, this.#newRun(now, turn), turn);
      if (outcome.failed) this.#statements.of("ROLLBACK TO one_write").run();
      this.#statements.of("RELEASE one_write").run();
      outcomes.push(outcome);
    }
    return outcomes;
  }

  #newRun(now: number, turn: Turn): SqliteTx {
    const tx = new SqliteTx(this.#statements, now, turn);
    this.#runs.push(tx);
    return tx;
  }

  #undoRuns(): void {
    for (const tx of this.#runs) tx.undo();
    this.#runs = [];
  }

  /** Throws if the storage failed or the work took longer than its turn. */
  async #attempt(write: PendingWrite, tx: SqliteTx, turn: Turn): Promise<Outcome> {
    let outcome: Outcome;
    try {
      outcome = { write, failed: false, value: await write.work(tx), tx };
    } catch (error) {
      if (storageReasonOf(error) !== null) throw error;
      tx.undo();
      outcome = { write, failed: true, error };
    }
    if (turn.over) throw overran();
    if (!this.#writer.inTransaction) throw new Error("SQLite ended the transaction");
    return outcome;
  }
}

/** Must be called after the transaction is durable. */
function settle(outcome: Outcome): void {
  if (outcome.failed) {
    outcome.write.reject(outcome.error);
    return;
  }
  for (const effect of outcome.tx.effects) effect();
  outcome.write.resolve(outcome.value as never);
}

function doubtfulLog(): StorageFailure {
  return new StorageFailure("write", "IO_ERROR");
}

function isBusy(error: unknown): boolean {
  return storageReasonOf(error) === "LOCKED";
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
}
