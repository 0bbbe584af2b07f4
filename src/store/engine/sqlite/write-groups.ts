// Commits all writes that arrive together in one transaction. If a write fails, the group runs
// again with savepoints, which are too slow for the first run.
// (docs/decisions/0003-group-commit.md)

import { StorageFailure } from "../../../domain/storage/failures.ts";
import { EngineFailure, GroupFailed, GroupRun, type GroupTransaction } from "../group-run.ts";
import { notConfirmed, notDurable, storageReasonOf } from "../storage-errors.ts";
import { type Turn, turnExceeded, withinTurn } from "../turn.ts";
import { type PendingWrite, WriteQueue } from "../write-queue.ts";
import type { SqliteConnection } from "./file.ts";
import type { FileProblem } from "./open-files.ts";
import { Statements } from "./statements.ts";
import { SqliteTx } from "./tx.ts";

/** The duration of each attempt to get the write lock, and of the pause between attempts. */
const attemptMs = 2;
const pauseMs = 2;

export interface WriteGroupOptions {
  /** How long a write waits for another process's transaction. */
  busyTimeoutMs: number;
  now: () => number; // Unix milliseconds
  /** Called before each commit. Returns a problem that prevents the commit. */
  problemOfFiles: () => FileProblem | null;
  /** Resolves when all commits are on disk. */
  flush: () => Promise<void>;
  /** Called when a group may or may not be on disk, although readers see its changes. */
  onUnconfirmed: () => void;
}

export class WriteGroups extends WriteQueue {
  readonly #writer: SqliteConnection;
  readonly #statements: Statements;
  readonly #options: WriteGroupOptions;
  /** Resolves when the last group, or the last work between groups, has ended. */
  #last: Promise<void> = Promise.resolve();
  /** Resolves when the commit that is being flushed has had its effects, or was refused. */
  #flushing: Promise<void> | null = null;
  /**
   * Set after a failed flush. Pages of the log may have been lost, so a later flush cannot confirm
   * what follows them.
   */
  #isLogDoubtful = false;

  /** Only this object may write with the connection from now on. */
  constructor(writer: SqliteConnection, options: WriteGroupOptions) {
    super();
    this.#writer = writer;
    this.#statements = new Statements(writer);
    this.#options = options;
    // SQLite's own wait blocks the event loop, so it is short and repeated with pauses.
    writer.pragma(`busy_timeout = ${attemptMs}`);
    // SQLite no longer flushes the log on each commit; `#flush` does.
    writer.pragma("synchronous = NORMAL");
  }

  /** Not null while there is a commit that readers can see, but that is not durable. */
  get flushing(): Promise<void> | null {
    return this.#flushing;
  }

  /**
   * The writer's statements, for reads. Null during a transaction, because nobody else may see its
   * changes.
   */
  get idle(): Statements | null {
    return this.#writer.inTransaction ? null : this.#statements;
  }

  /** Resolves when everything that can be read is durable. Rejects with UNAVAILABLE. */
  async durable(): Promise<void> {
    await this.#flushing;
    if (this.#isLogDoubtful) throw notDurable(doubtfulLog());
  }

  /** Does `work`, which must not reject, while no group runs. */
  betweenGroups(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work);
    return this.#last;
  }

  protected override now(): number {
    return this.#options.now();
  }

  /** Never rejects, because each write gets its own outcome. */
  protected override runGroup(): Promise<void> {
    return this.betweenGroups(() => this.#runNow());
  }

  async #runNow(): Promise<void> {
    const writes = await this.#begin();
    if (writes.length === 0) return;
    let run: GroupRun | null = null;
    try {
      run = await this.#run(writes);
      const problem = this.#options.problemOfFiles();
      if (problem !== null) {
        throw new StorageFailure(
          "write",
          problem.reason,
          new Error(`not as opened: ${problem.path}`),
        );
      }
      this.#statements.of("COMMIT").run();
    } catch (error) {
      this.#undo(run);
      this.noteOutcomes();
      this.refuse(writes, error);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#flushing = promise;
    await this.#confirm(writes, run);
    this.#flushing = null;
    resolve();
  }

  async #run(writes: PendingWrite[]): Promise<GroupRun> {
    try {
      return await this.#attempt((run) => run.together(writes));
    } catch (error) {
      if (!(error instanceof GroupFailed)) throw error;
      await this.#beginAgain();
      return this.#attempt((run) => run.oneByOne(writes));
    }
  }

  /** Undoes everything if it throws. */
  async #attempt(perform: (run: GroupRun) => Promise<void>): Promise<GroupRun> {
    let run: GroupRun | null = null;
    try {
      return await withinTurn(async (turn) => {
        run = new GroupRun(this.#transactionIn(turn));
        await perform(run);
        return run;
      });
    } catch (error) {
      this.#undo(run);
      throw error;
    }
  }

  #transactionIn(turn: Turn): GroupTransaction {
    const now = this.#options.now();
    return {
      newTx: () => new SqliteTx(this.#writer, this.#statements, now, turn),
      execute: async (sql) => this.#statements.of(sql).run(),
      perform: async (tx, work) => {
        const own = tx as SqliteTx;
        const [outcome] = await Promise.allSettled([own.perform(work)]);
        if (turn.over) throw new EngineFailure(turnExceeded());
        if (own.failure !== null) throw new EngineFailure(own.failure);
        // For example, if the work has sent COMMIT.
        if (!this.#writer.inTransaction)
          throw new EngineFailure(new Error("it has no transaction"));
        if (outcome.status === "fulfilled") return outcome.value;
        const { reason } = outcome;
        throw storageReasonOf(reason) === null ? reason : new EngineFailure(reason);
      },
    };
  }

  #undo(run: GroupRun | null): void {
    if (this.#writer.inTransaction) this.#writer.exec("ROLLBACK");
    run?.undo();
  }

  /** Makes the commit durable, and then settles the writes. */
  async #confirm(writes: PendingWrite[], run: GroupRun): Promise<void> {
    // A transaction without changes does not touch the disk, so it proves nothing.
    if (run.changed.length > 0) {
      const error = await this.#flush();
      if (error !== null) {
        this.noteOutcomes();
        this.refuse(writes, error, notConfirmed);
        this.#options.onUnconfirmed();
        return;
      }
      this.noteCommit();
    }
    this.noteOutcomes();
    run.giveOutcomes();
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
   * everything is moved into the database file before another commit is confirmed. This blocks the
   * event loop.
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
      this.refuseAll(doubtfulLog());
      return [];
    }
    while (!this.isEmpty) {
      const error = this.#tryBegin();
      if (error === null) return this.take();
      if (isBusy(error)) {
        this.refuseOverdue(performance.now() - this.#options.busyTimeoutMs, error);
      } else {
        this.refuseAll(error);
      }
      if (!this.isEmpty) await pause();
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
