// Heartbeats and reports are sent between two polls, so that an idle agent needs only one
// connection. A call that becomes due during a poll waits only briefly for the poll to end, and
// then uses a second connection.

import { Bell } from "../bell.ts";
import { jittered, jitterPart } from "./backoff.ts";

/** How long a call that is due waits for a poll to end. */
const mostLateMs = 1000;

/** A poll can end this long before a call is due, because polls wait for whole seconds. */
const roundingMs = 500;

/** How long heartbeats and reports can delay the next poll. */
const mostHeldUpMs = 1000;

/** A call with a shorter interval does not shorten polls, which wait for whole seconds. */
const shortestSharedMs = 2000;

export class CallSchedule {
  readonly #calls: RecurringCall[] = [];
  #isPolling = false;

  add(): RecurringCall {
    const call = new RecurringCall(() => this.#isPolling);
    this.#calls.push(call);
    return call;
  }

  /**
   * Makes the calls that are almost due, one after the other, and waits for them for at most 1 s.
   * Never rejects.
   */
  async makeCalls(signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + mostHeldUpMs;
    for (const call of this.#calls.filter((each) => each.isNear())) {
      const leftMs = deadline - performance.now();
      if (leftMs > 0 && !signal.aborted) await call.makeNow(signal, leftMs);
    }
  }

  /** Returns how many seconds a poll can wait before the next call is due; at least 1. */
  secondsLeft(): number {
    const dueAt = Math.min(...this.#calls.map((call) => call.dueAt));
    return Math.max(1, Math.round((dueAt - performance.now()) / 1000));
  }

  async poll<T>(work: () => Promise<T>): Promise<T> {
    this.#isPolling = true;
    try {
      return await work();
    } finally {
      this.#isPolling = false;
    }
  }
}

export class RecurringCall {
  readonly #isPolling: () => boolean;
  readonly #turn = new Bell();
  readonly #over = new Bell();
  #isWanted = false;
  #dueAt = Number.POSITIVE_INFINITY;
  #nearAt = Number.POSITIVE_INFINITY;

  constructor(isPolling: () => boolean) {
    this.#isPolling = isPolling;
  }

  /**
   * A value of `performance.now()`. Infinite while the call is being made, or if its interval is
   * shorter than `shortestSharedMs`.
   */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** Repeats `work` until the signal is aborted. Rejects with the first error of `work`. */
  async repeat(
    intervalMs: () => number,
    work: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      if (!this.#isWanted) await this.#wait(intervalMs(), signal);
      this.#isWanted = false;
      if (signal.aborted) return;
      try {
        await work();
      } finally {
        this.#over.ring();
      }
    }
  }

  /** Makes the call now, or again if one is in progress, without waiting for a poll to end. */
  soon(): void {
    this.#isWanted = true;
    this.#turn.ring();
  }

  isNear(): boolean {
    return performance.now() >= this.#nearAt;
  }

  /** Resolves when the call has been made, when it lets the next poll begin, or after `ms`. */
  async makeNow(signal: AbortSignal, ms: number): Promise<void> {
    const over = this.#over.wait(signal, ms);
    this.soon();
    await over;
  }

  /** Lets the next poll begin while the call is in progress. */
  letPollBegin(): void {
    this.#over.ring();
  }

  async #wait(intervalMs: number, signal: AbortSignal): Promise<void> {
    const waitMs = jittered(intervalMs);
    const isShared = intervalMs >= shortestSharedMs;
    if (isShared) {
      const now = performance.now();
      this.#dueAt = now + waitMs;
      this.#nearAt = now + Math.min(intervalMs * (1 - jitterPart), waitMs - roundingMs);
    }
    await this.#turn.wait(signal, waitMs);
    if (isShared && !this.#isWanted && this.#isPolling()) {
      await this.#turn.wait(signal, mostLateMs);
    }
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#nearAt = Number.POSITIVE_INFINITY;
  }
}
