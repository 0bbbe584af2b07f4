// Limits events per key in a sliding window, in memory, on the monotonic clock.

import { AppError } from "../../domain/errors.ts";

/**
 * At this number of keys, expired keys are dropped; if there are none, the oldest key is dropped.
 */
const maxKeys = 50_000;

export class RateWindow {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #monotonic: () => number;
  /** The times of the last events per key, oldest first. */
  readonly #events = new Map<string, number[]>();

  constructor(limit: number, windowSeconds: number, monotonic: () => number) {
    this.#limit = limit;
    this.#windowMs = windowSeconds * 1000;
    this.#monotonic = monotonic;
  }

  /** Returns how many milliseconds remain until `key` is below its limit; 0 if it already is. */
  waitMs(key: string): number {
    const events = this.#recent(key);
    const oldest = events[0];
    if (events.length < this.#limit || oldest === undefined) return 0;
    return oldest + this.#windowMs - this.#monotonic();
  }

  /** Counts an event and returns whether it reached the limit. */
  note(key: string): boolean {
    const events = this.#recent(key);
    const wasFull = events.length >= this.#limit;
    events.push(this.#monotonic());
    if (events.length > this.#limit) events.shift();
    if (!this.#events.has(key) && this.#events.size >= maxKeys) this.#dropOld();
    this.#events.set(key, events);
    return !wasFull && events.length >= this.#limit;
  }

  takeBack(key: string): void {
    this.#events.get(key)?.pop();
  }

  /** Drops the key's expired events, which come first, and returns the others. */
  #recent(key: string): number[] {
    const events = this.#events.get(key);
    if (!events) return [];
    const since = this.#monotonic() - this.#windowMs;
    const first = events.findIndex((at) => at > since);
    events.splice(0, first === -1 ? events.length : first);
    return events;
  }

  #dropOld(): void {
    for (const key of this.#events.keys()) {
      if (this.#recent(key).length === 0) this.#events.delete(key);
    }
    const [first] = this.#events.keys();
    if (this.#events.size >= maxKeys && first !== undefined) this.#events.delete(first);
  }
}

export function tooMany(what: string, waitMs: number): AppError {
  return new AppError("RATE_LIMITED", `Too many ${what}: try again later.`, {
    retryAfterSeconds: Math.max(1, waitMs / 1000),
  });
}
