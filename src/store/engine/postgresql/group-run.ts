// Runs the works of a group in one transaction. (docs/decisions/0022-postgresql-writes.md)

import { storageReasonOf } from "../storage-errors.ts";
import type { Outcome as OutcomeOf, PendingWrite } from "../write-queue.ts";
import { Group, GroupTx } from "./group-tx.ts";
import { isRetriable } from "./losses.ts";
import type { BoundStatement } from "./session.ts";
import type { LockedTransaction } from "./write-lock.ts";

type Outcome = OutcomeOf<GroupTx>;

/** A work or a statement has failed in a way that undoes the changes of all works. */
export class Spoilt extends Error {
  constructor(cause: unknown) {
    super("the group must run one by one", { cause });
  }
}

/** Returns the error itself if the storage caused it. */
export function spoiltBy(error: unknown): unknown {
  return storageReasonOf(error) !== null || isRetriable(error) ? error : new Spoilt(error);
}

export class GroupRun {
  readonly #group: Group;
  readonly #txs: GroupTx[] = [];
  #outcomes: Outcome[] = [];
  /** The first error that ends the run. The works that have begun by then still end. */
  #end: unknown = null;

  constructor(transaction: LockedTransaction) {
    this.#group = new Group(transaction);
  }

  /** The works that changed something. */
  get changed(): GroupTx[] {
    return this.#outcomes.flatMap((each) => (!each.failed && each.tx.changes > 0 ? [each.tx] : []));
  }

  /** Returns the statements that must run before the commit. */
  takeLater(): BoundStatement[] {
    return this.#group.later.take();
  }

  /**
   * Runs works about different agents at the same time, and the others one after the other. Throws
   * `Spoilt` if a work fails after it has changed something, or a statement fails. Throws another
   * error if the storage failed or a work awaited something else.
   */
  async together(writes: readonly PendingWrite[]): Promise<void> {
    const outcomes = new Map<PendingWrite, Outcome>();
    for (const stretch of stretchesOf(writes)) {
      const left = stretch[0]?.scope ? await this.#sideBySide(stretch, outcomes) : stretch;
      for (const write of left) await this.#tryOne(write, true, outcomes);
    }
    if (this.#end !== null) throw this.#end;
    this.#outcomes = writes.map((write) => outcomes.get(write) as Outcome);
  }

  /** Runs each work within a savepoint. Throws if the storage failed or a work awaited something else. */
  async oneByOne(writes: readonly PendingWrite[]): Promise<void> {
    const { session } = this.#group;
    for (const write of writes) {
      // The work's first statement need not wait for the savepoint.
      const saved = session.query("SAVEPOINT one_write");
      const [outcome] = await Promise.all([this.#performSafely(write), saved]);
      if (outcome.failed) {
        await session.query("ROLLBACK TO one_write");
        this.#group.forget();
      }
      await session.query("RELEASE one_write");
      this.#outcomes.push(outcome);
    }
  }

  /** Must be called if the transaction was not committed. */
  undo(): void {
    for (const tx of this.#txs) tx.undo();
  }

  /** Must be called if it cannot be found out whether the transaction was committed. */
  doubt(): void {
    for (const tx of this.#txs) tx.doubt();
  }

  /** Must be called after the transaction is durable. */
  settle(): void {
    const good = new Set(this.#outcomes.flatMap((each) => (each.failed ? [] : [each.tx])));
    for (const { tx, effect } of this.#group.effects) if (good.has(tx)) effect();
    for (const outcome of this.#outcomes) {
      if (outcome.failed) outcome.write.reject(outcome.error);
      else outcome.write.resolve(outcome.value as never);
    }
  }

  /** Returns the writes that must run alone, in their order. */
  async #sideBySide(
    writes: readonly PendingWrite[],
    outcomes: Map<PendingWrite, Outcome>,
  ): Promise<PendingWrite[]> {
    const left: PendingWrite[] = [];
    const leftAgents = new Set<string | undefined>();
    const newest = new Map<string | undefined, Promise<void>>();
    const runs = writes.map((write) => {
      const agentId = write.scope?.agentId;
      const run = async () => {
        if (!leftAgents.has(agentId) && (await this.#tryOne(write, false, outcomes))) return;
        leftAgents.add(agentId);
        left.push(write);
      };
      const before = newest.get(agentId);
      const running = before === undefined ? run() : before.then(run);
      newest.set(agentId, running);
      return running;
    });
    await Promise.all(runs);
    return left.sort((a, b) => writes.indexOf(a) - writes.indexOf(b));
  }

  /** Returns false if the work must run again, alone. */
  async #tryOne(
    write: PendingWrite,
    isAlone: boolean,
    outcomes: Map<PendingWrite, Outcome>,
  ): Promise<boolean> {
    if (this.#end !== null) return true;
    try {
      const outcome = await this.#perform(write, isAlone);
      const { tx, failed } = outcome;
      const mustUndo = tx.hasChanged || tx.failure !== null;
      if ((failed || tx.mustBeAlone) && mustUndo) throw new Spoilt(failed ? outcome.error : null);
      if (tx.mustBeAlone) return false;
      outcomes.set(write, outcome);
    } catch (error) {
      this.#endWith(error);
    }
    return true;
  }

  #endWith(error: unknown): void {
    // A lost connection says more than that the statements after it have failed.
    if (this.#end === null || this.#end instanceof Spoilt) this.#end = error;
  }

  async #performSafely(write: PendingWrite): Promise<Outcome> {
    const outcome = await this.#perform(write, true);
    if (outcome.failed) return outcome;
    try {
      await this.#group.session.batch(this.#group.later.take());
      return outcome;
    } catch (error) {
      return failedWith(outcome, error);
    }
  }

  /** Throws if the storage failed or the work awaited something else. */
  async #perform(write: PendingWrite, isAlone: boolean): Promise<Outcome> {
    const tx = new GroupTx(this.#group, isAlone);
    this.#txs.push(tx);
    let outcome: Outcome;
    try {
      outcome = { write, tx, failed: false, value: await tx.perform(write.work) };
    } catch (error) {
      if (tx.hasOverrun) throw error;
      outcome = { write, tx, failed: true, error };
    }
    tx.failure ??= this.#group.failure;
    // PostgreSQL continues no transaction in which a statement failed, whatever the work made of it.
    if (tx.failure !== null) return failedWith(outcome, tx.failure);
    if (outcome.failed || tx.mustBeAlone) tx.undo();
    return outcome;
  }
}

/** Throws if the error is not the fault of the work. */
function failedWith(outcome: Outcome, error: unknown): Outcome {
  if (storageReasonOf(error) !== null || isRetriable(error)) throw error;
  const { write, tx } = outcome;
  tx.undo();
  return { write, tx, failed: true, error: outcome.failed ? outcome.error : error };
}

/** Splits writes into those that may run at the same time, and single ones. */
function stretchesOf(writes: readonly PendingWrite[]): PendingWrite[][] {
  const stretches: PendingWrite[][] = [];
  let open: PendingWrite[] | null = null;
  for (const write of writes) {
    if (write.scope === null) {
      stretches.push([write]);
      open = null;
    } else if (open) {
      open.push(write);
    } else {
      open = [write];
      stretches.push(open);
    }
  }
  return stretches;
}
