// Runs the writes of a group in one transaction, one handler call at a time, on both engines.
// (docs/decisions/0003-group-commit.md)

import { AppError } from "../../domain/errors.ts";
import type { EngineTx } from "./engine-tx.ts";
import type { PendingWrite } from "./write-queue.ts";

/** The engine's part in a run. All methods throw if the storage failed. */
export interface GroupTransaction {
  /**
   * Does the work of a call. Throws an `EngineFailure` if the storage failed or the work awaited
   * something other than `tx`. Otherwise, throws what the work threw.
   */
  perform<T>(tx: EngineTx, work: () => Promise<T>): Promise<T>;
  newTx(): EngineTx;
  /** Runs SQL without parameters, such as SAVEPOINT. */
  execute(sql: string): Promise<unknown>;
}

/** Ends the whole run: the storage failed, or a handler awaited something other than `tx`. */
export class EngineFailure extends Error {
  constructor(cause: unknown) {
    super("the group of writes cannot run", { cause });
  }
}

/**
 * A handler has failed after it changed something. The changes of all other handlers are undone,
 * too.
 */
export class GroupFailed extends Error {
  constructor(cause: unknown) {
    super("the writes of the group must run one by one", { cause });
  }
}

/** `tx` is null if the handler failed. */
interface Call {
  writes: readonly PendingWrite[];
  tx: EngineTx | null;
  outcomes: PromiseSettledResult<unknown>[];
}

export class GroupRun {
  readonly #transaction: GroupTransaction;
  readonly #txs: EngineTx[] = [];
  #calls: Call[] = [];

  constructor(transaction: GroupTransaction) {
    this.#transaction = transaction;
  }

  /** The transaction objects of the calls that changed something. */
  get changed(): EngineTx[] {
    return this.#calls.flatMap(({ tx }) => (tx !== null && tx.changes > 0 ? [tx] : []));
  }

  /**
   * Runs the writes of one handler as one call, at the position of the first write. Throws
   * `GroupFailed` if a call fails after it has changed something.
   */
  async together(writes: readonly PendingWrite[]): Promise<void> {
    for (const batch of batchesOf(writes)) {
      const tx = this.#newTx();
      try {
        this.#calls.push(await this.#call(batch, tx));
      } catch (error) {
        if (error instanceof EngineFailure) throw error.cause;
        // A single write that has changed nothing fails alone.
        if (tx.isDirty || batch.length > 1) throw new GroupFailed(error);
        tx.undo();
        this.#calls.push(failed(batch, error));
      }
    }
  }

  /** Calls the handler for each write within a savepoint. */
  async oneByOne(writes: readonly PendingWrite[]): Promise<void> {
    for (const write of writes) {
      await this.#transaction.execute("SAVEPOINT one_write");
      const tx = this.#newTx();
      try {
        this.#calls.push(await this.#call([write], tx));
      } catch (error) {
        if (error instanceof EngineFailure) throw error.cause;
        await this.#transaction.execute("ROLLBACK TO one_write");
        tx.undo();
        this.#calls.push(failed([write], error));
      }
      await this.#transaction.execute("RELEASE one_write");
    }
  }

  /** Must be called if the transaction was not committed. */
  undo(): void {
    for (const tx of this.#txs) tx.undo();
  }

  /** Must be called after the transaction is durable. */
  giveOutcomes(): void {
    for (const { writes, tx, outcomes } of this.#calls) {
      tx?.commit();
      for (const [at, write] of writes.entries()) {
        const outcome = outcomes[at] as PromiseSettledResult<unknown>;
        if (outcome.status === "rejected") write.reject(outcome.reason);
        else write.resolve(outcome.value as never);
      }
    }
  }

  #newTx(): EngineTx {
    const tx = this.#transaction.newTx();
    this.#txs.push(tx);
    return tx;
  }

  async #call(writes: readonly PendingWrite[], tx: EngineTx): Promise<Call> {
    const { handler } = writes[0] as PendingWrite;
    const items = writes.map(({ item }) => item);
    const outcomes = await this.#transaction.perform(tx, async () => {
      const ended = await handler(tx, items);
      for (const each of ended) if (isFailure(each)) throw each.reason;
      return ended;
    });
    return { writes, tx, outcomes };
  }
}

/**
 * Any error other than an AppError may come from the storage, so it is not the outcome of one item.
 */
function isFailure(outcome: PromiseSettledResult<unknown>): outcome is PromiseRejectedResult {
  return outcome.status === "rejected" && !(outcome.reason instanceof AppError);
}

function failed(writes: readonly PendingWrite[], reason: unknown): Call {
  return { writes, tx: null, outcomes: writes.map(() => ({ status: "rejected", reason })) };
}

/** Puts writes with the same handler and different keys together. */
function batchesOf(writes: readonly PendingWrite[]): PendingWrite[][] {
  const batches: PendingWrite[][] = [];
  const open = new Map<PendingWrite["handler"], { keys: Set<string>; batch: PendingWrite[] }>();
  for (const write of writes) {
    const { handler, key } = write;
    const current = open.get(handler);
    if (current && (key === undefined || !current.keys.has(key))) {
      if (key !== undefined) current.keys.add(key);
      current.batch.push(write);
      continue;
    }
    const batch = [write];
    batches.push(batch);
    open.set(handler, { keys: new Set(key === undefined ? [] : [key]), batch });
  }
  return batches;
}
