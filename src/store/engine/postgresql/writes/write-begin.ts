// Begins transactions that hold the write lock, and opens a new connection when one is lost.
// (docs/decisions/0022-postgresql-writes.md)

import { setTimeout as pause } from "node:timers/promises";
import { storageReasonOf } from "../../storage-errors.ts";
import type { DatabaseClock } from "../clock.ts";
import type { Session } from "../connection/session.ts";
import { beginLocked, type LockedTransaction, readClockAndMark, rollBack } from "./write-lock.ts";

/** The first and the longest pause before another attempt to connect. */
const shortestPauseMs = 20;
const longestPauseMs = 500;

/** Problems that may soon be over. */
const transient: unknown[] = ["LOCKED", "UNREACHABLE"];

export interface WriteBeginOptions {
  connect: () => Promise<Session>;
  /** How long a write waits for the lock or a connection. */
  waitMs: number;
  /** Writes can wait until this long after the opening, even if `waitMs` is shorter. */
  startMs: number;
  /** Replaces the database's clock in tests. Returns Unix milliseconds. */
  now?: (() => number) | undefined;
  /** Whether to refuse writes after the data was moved away. */
  refuseMoved: boolean;
  /** Corrected by the database's time whenever the lock is taken. */
  clock: DatabaseClock;
}

export class WriteBegin {
  readonly #options: WriteBeginOptions;
  #session: Session | null = null;
  /** When the first of the latest attempts to connect failed, by `performance.now()`. */
  #downSince: number | null = null;
  readonly #startedAt = performance.now();

  constructor(options: WriteBeginOptions) {
    this.#options = options;
  }

  /** How long a write that arrives now can wait. */
  get waitMs(): number {
    const { waitMs, startMs } = this.#options;
    return Math.max(waitMs, this.#startedAt + startMs - performance.now());
  }

  async begin(): Promise<LockedTransaction> {
    try {
      if (!this.#session?.isOpen) this.#session = await this.#options.connect();
      const sentAt = performance.now();
      const query = this.#options.refuseMoved ? readClockAndMark : undefined;
      const transaction = await beginLocked(this.#session, this.#options.now, query);
      this.#downSince = null;
      this.#options.clock.note(transaction.now, sentAt);
      return transaction;
    } catch (error) {
      if (storageReasonOf(error) !== "LOCKED") this.#downSince ??= performance.now();
      throw error;
    }
  }

  /** Begins another transaction for a group that has already had one. */
  async beginAgain(): Promise<LockedTransaction> {
    const until = performance.now() + this.waitMs;
    await this.leave();
    for (let attempts = 0; ; attempts++) {
      try {
        return await this.begin();
      } catch (error) {
        if (!this.isWorthRetrying(error) || performance.now() >= until) throw error;
        await this.pause(attempts);
      }
    }
  }

  /** Whether to try again. During a long outage, writes are refused at once. */
  isWorthRetrying(error: unknown): boolean {
    const isKnownOutage =
      this.#downSince !== null && performance.now() - this.#downSince > this.waitMs;
    return !isKnownOutage && transient.includes(storageReasonOf(error));
  }

  /** Waits before the next attempt. The pauses grow with the number of attempts. */
  async pause(attempts: number): Promise<void> {
    await pause(Math.min(shortestPauseMs * 2 ** attempts, longestPauseMs));
  }

  /** Rolls back the transaction, if there is one. */
  async leave(): Promise<void> {
    if (this.#session?.isOpen) await rollBack(this.#session);
  }

  async close(): Promise<void> {
    await this.#session?.end();
  }
}
