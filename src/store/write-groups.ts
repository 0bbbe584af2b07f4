// Group commit: all writes that arrive in one turn of the event loop share one transaction, and so one
// flush to disk. A write that fails is rolled back alone; its neighbours commit. Savepoints do that,
// and cost a fifth of the time, so a group first runs without them: most writes that fail do so before
// they change anything. When one fails after that, the group is rolled back and runs again, with a
// savepoint for each: a write is a pure function of its transaction, so it can run twice.

import { AppError } from "../domain/errors.ts";
import type { SqlValue, Tx } from "./database.ts";
import type { Connection } from "./sqlite-file.ts";
import { type Statement, Statements } from "./statements.ts";
import { overran, type Turn, withinTurn } from "./turn.ts";

interface PendingWrite {
  work: (tx: Tx) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

type Outcome =
  | { write: PendingWrite; failed: false; value: unknown; effects: (() => void)[] }
  | { write: PendingWrite; failed: true; error: unknown };

/** The write lock is asked for so long at a time, with such pauses. */
const attemptMs = 2;
const pauseMs = 2;

/** What SQLite says when the storage, not the statement, is the matter. */
const storageFailure = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM)/;

export class WriteGroups {
  readonly #writer: Connection;
  readonly #statements: Statements;
  readonly #now: () => number;
  readonly #beginAttempts: number;
  #queue: PendingWrite[] = [];
  /** How many writes of the group that runs have not been told what became of them. */
  #groupSize = 0;
  #group: Promise<void> | null = null;
  /** The runs of the group's works that have not come to nothing so far. */
  #runs: SqliteTx[] = [];

  /** The writing connection is this one's alone. `now` gives Unix milliseconds. */
  constructor(writer: Connection, busyTimeoutMs: number, now: () => number) {
    this.#writer = writer;
    this.#statements = new Statements(writer);
    this.#now = now;
    // SQLite's own wait stops the event loop: it gets a moment, the rest of the time is ours.
    writer.pragma(`busy_timeout = ${attemptMs}`);
    this.#beginAttempts = Math.ceil(busyTimeoutMs / (attemptMs + pauseMs));
  }

  /** Resolves once it is durable. Rejects with the work's error, or with UNAVAILABLE. */
  add<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      if (this.#group === null) this.#schedule();
    });
  }

  depth(): number {
    return this.#queue.length + this.#groupSize;
  }

  /** Resolves between two groups, or at once when none runs. */
  async pause(): Promise<void> {
    await this.#group;
  }

  /** Resolves when nothing is left to write. */
  async drained(): Promise<void> {
    while (this.#group !== null) await this.#group;
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
      this.#statements.of("COMMIT").run();
      this.#runs = [];
    } catch (error) {
      if (this.#writer.inTransaction) this.#writer.exec("ROLLBACK");
      this.#undoRuns();
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
        this.#statements.of("BEGIN IMMEDIATE").run();
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
    const now = this.#now();
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

  /** Throws when it is the storage that failed, or when the work did not keep to its turn. */
  async #attempt(write: PendingWrite, tx: SqliteTx, turn: Turn): Promise<Outcome> {
    let outcome: Outcome;
    try {
      outcome = { write, failed: false, value: await write.work(tx), effects: tx.effects };
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      tx.undo();
      outcome = { write, failed: true, error };
    }
    if (turn.over) throw overran();
    if (!this.#writer.inTransaction) throw new Error("SQLite ended the transaction");
    return outcome;
  }
}

class SqliteTx implements Tx {
  readonly now: number;
  readonly effects: (() => void)[] = [];
  #undoes: (() => void)[] = [];
  hasChanged = false;
  readonly #statements: Statements;
  readonly #turn: Turn;

  constructor(statements: Statements, now: number, turn: Turn) {
    this.#statements = statements;
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

  afterRollback(effect: () => void): void {
    this.#undoes.push(effect);
  }

  /** What it did comes to nothing. */
  undo(): void {
    for (const effect of this.#undoes) effect();
    this.#undoes = [];
  }

  #statement(sql: string): Statement {
    if (this.#turn.over) throw overran();
    return this.#statements.of(sql);
  }
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

/** The storage cannot write. */
export function unavailable(cause: unknown): AppError {
  return new AppError("UNAVAILABLE", "The storage cannot write right now; nothing was changed.", {
    cause,
    retryAfterSeconds: 1,
  });
}
