// Keeps the writes that have arrived until each has its outcome. Those that arrive together form a
// group. (docs/decisions/0003-group-commit.md)

import { setImmediate as nextTurn } from "node:timers/promises";
import type { BatchHandler, StorageState, Tx } from "../database.ts";
import { cannotWrite, storageReasonOf } from "./storage-errors.ts";

export interface PendingWrite {
  handler: BatchHandler<unknown, unknown>;
  item: unknown;
  /** Two items with the same key are never in one call of the handler. */
  key: string | undefined;
  /** A value of `performance.now()`, because the wall clock can be set back. */
  arrivedAt: number;
  /** The time of arrival in Unix milliseconds. */
  arrivedAtWall: number;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** A handler for one write. No other write shares its call. */
export function single<T>(work: (tx: Tx) => Promise<T>): BatchHandler<null, T> {
  return async (tx) => [{ status: "fulfilled", value: await work(tx) }];
}

/** The maximum number of further turns of the event loop in which a group waits for writes. */
const maxGatherTurns = 3;

export abstract class WriteQueue {
  #waiting: PendingWrite[] = [];
  /** The number of writes in the running group that have no outcome yet. */
  #groupSize = 0;
  /** The oldest write of the running group, if it has no outcome yet. */
  #groupOldest: PendingWrite | undefined;
  #group: Promise<void> | null = null;
  #failure: StorageState["failure"] = null;
  #commits = 0;
  #isEnded = false;

  /** Takes writes from the queue and gives each its outcome. Must not reject. */
  protected abstract runGroup(): Promise<void>;

  /** Returns the wall time in Unix milliseconds. */
  protected abstract now(): number;

  /** Resolves when the change is durable. Rejects with the handler's error, or with UNAVAILABLE. */
  add<Item, Value>(handler: BatchHandler<Item, Value>, item: Item, key?: string): Promise<Value> {
    if (this.#isEnded) return Promise.reject(cannotWrite(new Error("the database is closed")));
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const arrival = { arrivedAt: performance.now(), arrivedAtWall: this.now() };
    this.#waiting.push({
      handler: handler as PendingWrite["handler"],
      item,
      key,
      ...arrival,
      resolve,
      reject,
    });
    if (this.#group === null) this.#schedule();
    return promise;
  }

  /** The number of writes without an outcome. */
  get pendingWrites(): number {
    return this.#waiting.length + this.#groupSize;
  }

  /** Why writes are refused, or null. */
  get failure(): StorageState["failure"] {
    return this.#failure;
  }

  /**
   * When the oldest write arrived that has failed since the last success or has no outcome yet, in
   * Unix milliseconds; null if there is none.
   */
  get stoppedSince(): number | null {
    const oldest = this.#groupOldest ?? this.#waiting[0];
    return this.#failure?.since ?? oldest?.arrivedAtWall ?? null;
  }

  /** How many groups have changed something. */
  get commits(): number {
    return this.#commits;
  }

  protected get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** When the oldest waiting write arrived; undefined if there is none. */
  protected get oldest(): number | undefined {
    return this.#waiting[0]?.arrivedAt;
  }

  /** Resolves between two groups, or immediately if no group is running. */
  async pause(): Promise<void> {
    await this.#group;
  }

  /** Refuses further writes, and resolves when those that have arrived have their outcomes. */
  async end(): Promise<void> {
    this.#isEnded = true;
    while (this.#group !== null) await this.#group;
  }

  /** Moves the oldest writes from the queue to the running group. */
  protected take(most = Number.POSITIVE_INFINITY): PendingWrite[] {
    const taken = this.#waiting.splice(0, most);
    this.#groupSize = taken.length;
    this.#groupOldest = taken[0];
    return taken;
  }

  /** Must be called before the first write of the running group gets its outcome. */
  protected noteOutcomes(): void {
    this.#groupSize = 0;
    this.#groupOldest = undefined;
  }

  protected noteCommit(): void {
    this.#failure = null;
    this.#commits++;
  }

  protected refuse(writes: PendingWrite[], error: unknown, toError = cannotWrite): void {
    const reason = storageReasonOf(error);
    if (reason !== null) {
      const since = this.#failure?.since ?? writes[0]?.arrivedAtWall ?? this.now();
      this.#failure = { reason, since };
    }
    const refusal = toError(error);
    for (const write of writes) write.reject(refusal);
  }

  protected refuseAll(error: unknown): void {
    this.refuse(this.#waiting.splice(0), error);
  }

  /** Refuses the writes that arrived at `latest` or earlier, by `performance.now()`. */
  protected refuseOverdue(latest: number, error: unknown): void {
    const inTime = this.#waiting.findIndex(({ arrivedAt }) => arrivedAt > latest);
    const count = inTime === -1 ? this.#waiting.length : inTime;
    if (count > 0) this.refuse(this.#waiting.splice(0, count), error);
  }

  #schedule(): void {
    this.#group = new Promise((done) => {
      setImmediate(() => {
        void this.#gatherAndRun().then(() => {
          this.#group = null;
          if (!this.isEmpty) this.#schedule();
          done();
        });
      });
    });
  }

  /** Waits while each turn brings more writes, because every group costs a commit and a flush. */
  async #gatherAndRun(): Promise<void> {
    let seen = 1;
    for (let turns = 0; turns < maxGatherTurns && this.#waiting.length > seen; turns++) {
      seen = this.#waiting.length;
      await nextTurn();
    }
    await this.runGroup();
  }
}
