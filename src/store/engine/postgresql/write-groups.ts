// Commits all writes that arrive together in one transaction, under a lock that only one process of
// the cluster has at a time. A group whose connection was lost during COMMIT is looked for before
// anything is answered. (docs/decisions/0022-postgresql-writes.md)

import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { StorageFailure } from "../../../domain/storage/failures.ts";
import type { StorageState, Tx } from "../../database.ts";
import { cannotWrite, notConfirmed, storageReasonOf } from "../storage-errors.ts";
import type { DatabaseClock } from "./clock.ts";
import { GroupTx } from "./group-tx.ts";
import { ConnectionLost, isRetriable } from "./losses.ts";
import type { Session } from "./session.ts";
import { type Notice, noteGroup, wasCommitted } from "./write-group-log.ts";
import { beginLocked, type LockedTransaction, rollBack } from "./write-lock.ts";

interface PendingWrite {
  work: (tx: Tx) => Promise<unknown>;
  /** A value of `performance.now()`, because the wall clock can be set back. */
  arrivedAt: number;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

type Outcome =
  | { write: PendingWrite; failed: false; value: unknown; tx: GroupTx }
  | { write: PendingWrite; failed: true; error: unknown };

/** How many more turns of the event loop a group waits for writes at most. */
const maxGatherTurns = 3;

/** The writes of a larger group wait, so that the lock is not held for long. */
const mostWrites = 128;

/** How often a group runs at most, if its transactions fail. */
const mostRuns = 5;

/** The first and the longest pause before another attempt to connect. */
const shortestPauseMs = 20;
const longestPauseMs = 500;

export interface WriteGroupOptions {
  connect: () => Promise<Session>;
  /** How long a write waits for the lock or a connection. */
  waitMs: number;
  /** Identifies this process in `write_groups`. */
  node: string;
  /** Replaces the database's clock in tests. Unix milliseconds. */
  now?: (() => number) | undefined;
  /** Learns the time with each lock, and shows it while the database cannot be reached. */
  clock: DatabaseClock;
  /** Called when the connection was lost during a commit, whose changes readers may see or not. */
  onDoubt: (group: number) => void;
}

export class WriteGroups {
  readonly #options: WriteGroupOptions;
  #session: Session | null = null;
  #queue: PendingWrite[] = [];
  /** The number of writes in the running group that have no outcome yet. */
  #groupSize = 0;
  #group: Promise<void> | null = null;
  #runs: GroupTx[] = [];
  #groups = 0;
  #failure: StorageState["failure"] = null;
  #commits = 0;
  #committing: PromiseWithResolvers<void> | null = null;
  /** When the first of the latest attempts to connect failed, by `performance.now()`. */
  #downSince: number | null = null;

  constructor(options: WriteGroupOptions) {
    this.#options = options;
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

  /** Not null while there may be a commit that readers can see, but that has had no effects. */
  get committing(): Promise<void> | null {
    return this.#committing?.promise ?? null;
  }

  /** Resolves when no writes remain. */
  async drained(): Promise<void> {
    while (this.#group !== null) await this.#group;
  }

  /** Closes the connection. Call `drained` first. */
  async close(): Promise<void> {
    await this.#session?.end();
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

  /** Waits while each turn brings more writes, because every group costs a lock and a commit. */
  async #gather(): Promise<void> {
    let seen = 1;
    for (let turns = 0; turns < maxGatherTurns && this.#queue.length > seen; turns++) {
      seen = this.#queue.length;
      await nextTurn();
    }
  }

  /** Never rejects, because each write gets its own outcome. */
  async #runGroup(): Promise<void> {
    await this.#gather();
    const transaction = await this.#beginForQueue();
    if (transaction === null) return;
    const writes = this.#queue.splice(0, mostWrites);
    this.#groupSize = writes.length;
    await this.#runToEnd(writes, transaction);
  }

  async #runToEnd(writes: PendingWrite[], transaction: LockedTransaction): Promise<void> {
    try {
      this.#settle(await this.#runUntilCommitted(writes, transaction));
    } catch (error) {
      // What may have been made must not be undone in memory.
      if (error instanceof Unconfirmed) this.#runs = [];
      this.#undoRuns();
      await this.#leaveTransaction();
      this.#groupSize = 0;
      this.#refuse(writes, error);
    }
  }

  /** Runs the group again after failures that may not happen twice. */
  async #runUntilCommitted(writes: PendingWrite[], first: LockedTransaction): Promise<Outcome[]> {
    const group = ++this.#groups;
    let transaction = first;
    for (let run = 1; ; run++) {
      try {
        const outcomes = await this.#runWorks(writes, transaction);
        const next = await this.#commit(group, outcomes);
        if (next === null) return outcomes;
        if (run === mostRuns) throw new ConnectionLost(new Error("no COMMIT came through"));
        transaction = next;
      } catch (error) {
        if (run === mostRuns || !isRetriable(error)) throw error;
        transaction = await this.#beginAgain();
      }
      this.#undoRuns();
    }
  }

  async #runWorks(writes: PendingWrite[], transaction: LockedTransaction): Promise<Outcome[]> {
    const plain = await this.#runPlain(writes, transaction);
    return plain ?? this.#runSafely(writes, await this.#beginAgain());
  }

  /** Returns null if a write fails after it has changed something, or after a statement failed. */
  async #runPlain(
    writes: PendingWrite[],
    { session, now }: LockedTransaction,
  ): Promise<Outcome[] | null> {
    const outcomes: Outcome[] = [];
    for (const write of writes) {
      const tx = this.#newRun(session, now);
      const outcome = await attempt(write, tx);
      if (outcome.failed && (tx.hasChanged || tx.failure !== null)) {
        this.#undoRuns();
        return null;
      }
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async #runSafely(
    writes: PendingWrite[],
    { session, now }: LockedTransaction,
  ): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const write of writes) {
      // The write's first statement need not wait for the savepoint.
      const saved = session.query("SAVEPOINT one_write");
      const [outcome] = await Promise.all([attempt(write, this.#newRun(session, now)), saved]);
      if (outcome.failed) await session.query("ROLLBACK TO one_write");
      await session.query("RELEASE one_write");
      outcomes.push(outcome);
    }
    return outcomes;
  }

  #newRun(session: Session, now: number): GroupTx {
    const tx = new GroupTx(session, now);
    this.#runs.push(tx);
    return tx;
  }

  #undoRuns(): void {
    for (const tx of this.#runs) tx.undo();
    this.#runs = [];
  }

  /**
   * Returns null if the group is committed, and otherwise a transaction in which it can run again.
   * Throws `Unconfirmed` if this cannot be found out.
   */
  async #commit(group: number, outcomes: Outcome[]): Promise<LockedTransaction | null> {
    const session = this.#session as Session;
    const changed = changedIn(outcomes);
    if (changed.length === 0) {
      await session.query("COMMIT");
      return null;
    }
    this.#committing = Promise.withResolvers();
    try {
      await noteGroup(session, this.#options.node, group, noticeOf(changed));
      return null;
    } catch (error) {
      const isUnknown = error instanceof ConnectionLost;
      // Reads need not wait for what may take seconds, if nothing remembered is trusted.
      if (isUnknown) this.#options.onDoubt(group);
      this.#endCommitting();
      if (!isUnknown) throw error;
      return await this.#find(group);
    }
  }

  /** Looks for a group under the lock, so that its transaction has ended. */
  async #find(group: number): Promise<LockedTransaction | null> {
    try {
      const transaction = await this.#beginAgain();
      const { session } = transaction;
      if (!(await wasCommitted(session, this.#options.node, group))) return transaction;
    } catch (error) {
      throw new Unconfirmed(error);
    }
    await this.#leaveTransaction();
    return null;
  }

  #endCommitting(): void {
    this.#committing?.resolve();
    this.#committing = null;
  }

  #settle(outcomes: Outcome[]): void {
    if (changedIn(outcomes).length > 0) {
      this.#failure = null;
      this.#commits++;
    }
    this.#runs = [];
    this.#groupSize = 0;
    for (const outcome of outcomes) settle(outcome);
    this.#endCommitting();
  }

  /**
   * Begins a transaction for the writes that have arrived. Meanwhile refuses the writes that have
   * waited too long. Returns null if no write remains.
   */
  async #beginForQueue(): Promise<LockedTransaction | null> {
    const { waitMs } = this.#options;
    let problem: unknown = new StorageFailure("write", "LOCKED");
    let timer: NodeJS.Timeout | undefined;
    const refuseOverdue = () => {
      const latest = performance.now() - waitMs;
      const inTime = this.#queue.findIndex(({ arrivedAt }) => arrivedAt > latest);
      const count = inTime === -1 ? this.#queue.length : inTime;
      if (count > 0) this.#refuse(this.#queue.splice(0, count), problem);
      const oldest = this.#queue[0]?.arrivedAt ?? performance.now();
      timer = setTimeout(refuseOverdue, Math.max(1, oldest + waitMs - performance.now()));
    };
    refuseOverdue();
    try {
      for (let attempts = 0; this.#queue.length > 0; attempts++) {
        try {
          const transaction = await this.#begin();
          if (this.#queue.length > 0) return transaction;
          await this.#leaveTransaction();
        } catch (error) {
          problem = error;
          if (!this.#mayPass(error)) this.#refuse(this.#queue.splice(0), error);
          else if (this.#queue.length > 0) await pause(pauseMs(attempts));
        }
      }
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Begins a transaction for a group that has already begun one. */
  async #beginAgain(): Promise<LockedTransaction> {
    const until = performance.now() + this.#options.waitMs;
    await this.#leaveTransaction();
    for (let attempts = 0; ; attempts++) {
      try {
        return await this.#begin();
      } catch (error) {
        if (!this.#mayPass(error) || performance.now() >= until) throw error;
        await pause(pauseMs(attempts));
      }
    }
  }

  async #begin(): Promise<LockedTransaction> {
    try {
      if (!this.#session?.isOpen) this.#session = await this.#options.connect();
      const sentAt = performance.now();
      const transaction = await beginLocked(this.#session, this.#options.now);
      this.#downSince = null;
      this.#options.clock.note(transaction.now, sentAt);
      return transaction;
    } catch (error) {
      // After a failover, another connection may reach the new primary.
      if (storageReasonOf(error) === "READ_ONLY") this.#session?.destroy();
      if (storageReasonOf(error) !== "LOCKED") this.#downSince ??= performance.now();
      throw error;
    }
  }

  /** Whether to wait. During a long outage, writes are refused at once. */
  #mayPass(error: unknown): boolean {
    const isKnownOutage =
      this.#downSince !== null && performance.now() - this.#downSince > this.#options.waitMs;
    return !isKnownOutage && passing.includes(storageReasonOf(error));
  }

  async #leaveTransaction(): Promise<void> {
    if (this.#session?.isOpen) await rollBack(this.#session);
  }

  #refuse(writes: PendingWrite[], error: unknown): void {
    const reason = storageReasonOf(error);
    if (reason !== null) {
      this.#failure = { reason, since: this.#failure?.since ?? this.#options.clock.now() };
    }
    const refusal = error instanceof Unconfirmed ? notConfirmed(error) : cannotWrite(error);
    for (const write of writes) write.reject(refusal);
  }
}

/** The connection was lost during COMMIT, and the database cannot be asked what became of it. */
class Unconfirmed extends StorageFailure {
  constructor(cause: unknown) {
    super("write", storageReasonOf(cause) ?? "UNREACHABLE", cause);
  }
}

/** Problems that may be over in a moment. */
const passing: unknown[] = ["LOCKED", "UNREACHABLE", "READ_ONLY"];

/** Throws if the storage failed or the work awaited something else. */
async function attempt(write: PendingWrite, tx: GroupTx): Promise<Outcome> {
  let outcome: Outcome;
  try {
    outcome = { write, failed: false, value: await tx.perform(write.work), tx };
  } catch (error) {
    if (tx.overran) throw error;
    outcome = { write, failed: true, error };
  }
  // PostgreSQL continues no transaction in which a statement failed, whatever the work made of it.
  if (tx.failure !== null) {
    if (storageReasonOf(tx.failure) !== null || isRetriable(tx.failure)) throw tx.failure;
    if (!outcome.failed) outcome = { write, failed: true, error: tx.failure };
  }
  if (outcome.failed) tx.undo();
  return outcome;
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

function changedIn(outcomes: Outcome[]): GroupTx[] {
  return outcomes.flatMap((each) => (!each.failed && each.tx.changes > 0 ? [each.tx] : []));
}

function noticeOf(changed: GroupTx[]): Notice {
  const keys = new Set<string>();
  for (const { concerned } of changed) {
    if (concerned === null) return null;
    for (const key of concerned) keys.add(key);
  }
  return [...keys];
}

function pauseMs(attempts: number): number {
  return Math.min(shortestPauseMs * 2 ** attempts, longestPauseMs);
}
