// Commits all writes that arrive together in one transaction, under a lock that only one process of
// the cluster holds at a time. If the connection is lost during COMMIT, no write gets its outcome
// until it is known whether the group was committed. (docs/decisions/0022-postgresql-writes.md)

import { StorageFailure } from "../../../../domain/storage/failures.ts";
import { EngineFailure, GroupFailed, GroupRun, type GroupTransaction } from "../../group-run.ts";
import { notConfirmed, storageReasonOf } from "../../storage-errors.ts";
import { turnExceeded } from "../../turn.ts";
import { type PendingWrite, WriteQueue } from "../../write-queue.ts";
import { ConnectionLost, isRetriable } from "../connection/losses.ts";
import type { Session } from "../connection/session.ts";
import { GroupTx } from "./group-tx.ts";
import { WriteBegin, type WriteBeginOptions } from "./write-begin.ts";
import { noteGroup, wasCommitted } from "./write-group-log.ts";
import type { LockedTransaction } from "./write-lock.ts";

/** Further writes wait for the next group, so that no group holds the lock for long. */
const mostWrites = 128;

/** The maximum number of attempts to run a group whose transactions fail. */
const mostRuns = 5;

export interface WriteGroupOptions extends WriteBeginOptions {
  /** Identifies this process in `write_groups`. */
  node: string;
  /**
   * Called when the connection was lost during a commit. Readers may or may not see the changes.
   */
  onDoubt: (group: number) => void;
}

export class WriteGroups extends WriteQueue {
  readonly #options: WriteGroupOptions;
  readonly #transactions: WriteBegin;
  #groups = 0;
  #committing: PromiseWithResolvers<void> | null = null;

  constructor(options: WriteGroupOptions) {
    super();
    this.#options = options;
    this.#transactions = new WriteBegin(options);
  }

  /** Not null while readers may already see a commit whose effects have not run yet. */
  get committing(): Promise<void> | null {
    return this.#committing?.promise ?? null;
  }

  /** Closes the connection. Call `end` first. */
  async close(): Promise<void> {
    await this.#transactions.close();
  }

  protected override now(): number {
    return this.#options.clock.now();
  }

  /** Never rejects, because each write gets its own outcome. */
  protected override async runGroup(): Promise<void> {
    const transaction = await this.#beginForQueue();
    if (transaction === null) return;
    const writes = this.take(mostWrites);
    try {
      const run = await this.#runUntilCommitted(writes, transaction);
      if (run.changed.length > 0) this.noteCommit();
      this.noteOutcomes();
      run.giveOutcomes();
      this.#endCommitting();
    } catch (error) {
      await this.#transactions.leave();
      this.noteOutcomes();
      this.refuse(writes, error, error instanceof Unconfirmed ? notConfirmed : undefined);
    }
  }

  /** Runs the group again after failures that may not happen twice. */
  async #runUntilCommitted(writes: PendingWrite[], first: LockedTransaction): Promise<GroupRun> {
    const group = ++this.#groups;
    let transaction = first;
    let isTogether = true;
    for (let failures = 0; ; ) {
      const run = new GroupRun(transactionOf(transaction));
      try {
        await (isTogether ? run.together(writes) : run.oneByOne(writes));
        await this.#commit(group, run, transaction.session);
        return run;
      } catch (error) {
        // Changes that may have been committed must not be undone in memory.
        if (error instanceof Unconfirmed) throw error;
        run.undo();
        if (isTogether && error instanceof GroupFailed) isTogether = false;
        else if (!isRetriable(error) || ++failures === mostRuns) throw error;
      }
      transaction = await this.#transactions.beginAgain();
    }
  }

  /** Throws `Unconfirmed` if it remains unknown whether the group was committed. */
  async #commit(group: number, run: GroupRun, session: Session): Promise<void> {
    const { changed } = run;
    if (changed.length === 0) {
      await session.query("COMMIT");
      return;
    }
    this.#committing = Promise.withResolvers();
    try {
      await noteGroup(session, {
        node: this.#options.node,
        group,
        keys: [...new Set(changed.flatMap(({ concerned }) => concerned))],
      });
    } catch (error) {
      const isUnknown = error instanceof ConnectionLost;
      // Finding out may take seconds. Reads need not wait for it, because nothing in memory is
      // trusted now.
      if (isUnknown) this.#options.onDoubt(group);
      this.#endCommitting();
      if (!isUnknown) throw error;
      if (!(await this.#wasCommitted(group))) throw error;
    }
  }

  /** Looks for the group only after taking the lock: by then, the group's transaction has ended. */
  async #wasCommitted(group: number): Promise<boolean> {
    try {
      const { session } = await this.#transactions.beginAgain();
      return await wasCommitted(session, this.#options.node, group);
    } catch (error) {
      throw new Unconfirmed(error);
    } finally {
      await this.#transactions.leave();
    }
  }

  #endCommitting(): void {
    this.#committing?.resolve();
    this.#committing = null;
  }

  /**
   * Begins a transaction for the writes that have arrived. Meanwhile refuses the writes that have
   * waited too long. Returns null if no write remains.
   */
  async #beginForQueue(): Promise<LockedTransaction | null> {
    const { waitMs } = this.#transactions;
    let problem: unknown = new StorageFailure("write", "LOCKED");
    let timer: NodeJS.Timeout | undefined;
    const refuseOverdue = () => {
      this.refuseOverdue(performance.now() - waitMs, problem);
      const oldest = this.oldest ?? performance.now();
      timer = setTimeout(refuseOverdue, Math.max(1, oldest + waitMs - performance.now()));
    };
    refuseOverdue();
    try {
      for (let attempts = 0; !this.isEmpty; attempts++) {
        try {
          const transaction = await this.#transactions.begin();
          if (!this.isEmpty) return transaction;
          await this.#transactions.leave();
        } catch (error) {
          problem = error;
          if (!this.#transactions.isWorthRetrying(error)) this.refuseAll(error);
          else if (!this.isEmpty) await this.#transactions.pause(attempts);
        }
      }
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * The connection was lost during COMMIT, and the database cannot be asked whether the group was
 * committed.
 */
class Unconfirmed extends StorageFailure {
  constructor(cause: unknown) {
    super("write", storageReasonOf(cause) ?? "UNREACHABLE", cause);
  }
}

function transactionOf(transaction: LockedTransaction): GroupTransaction {
  return {
    newTx: () => new GroupTx(transaction),
    execute: (sql) => transaction.session.query(sql),
    perform: async (tx, work) => {
      const own = tx as GroupTx;
      const [outcome] = await Promise.allSettled([own.perform(work)]);
      const { failure } = own;
      if (own.hasOverrun) throw new EngineFailure(turnExceeded());
      if (failure !== null && (storageReasonOf(failure) !== null || isRetriable(failure))) {
        throw new EngineFailure(failure);
      }
      if (outcome.status === "rejected") throw outcome.reason;
      // PostgreSQL does not continue a transaction in which a statement failed, even if the work
      // caught the error.
      if (failure !== null) throw failure;
      return outcome.value;
    },
  };
}
