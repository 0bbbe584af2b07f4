// How often something may happen in a sliding window of time, by key. In memory, on the monotonic
// clock: a jump of the wall clock neither locks out nor lets through.

import { AppError } from "../../domain/errors.ts";

/** Beyond this many keys, those whose window is over are dropped. */
const maxKeys = 10_000;

export class RateWindow {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #monotonic: () => number;
  /** When each of the last events was, oldest first. */
  readonly #events = new Map<string, number[]>();

  constructor(limit: number, windowSeconds: number, monotonic: () => number) {
    this.#limit = limit;
    this.#windowMs = windowSeconds * 1000;
    this.#monotonic = monotonic;
  }

  /** Throws RATE_LIMITED, with the time to wait, when `key` has used up its window. */
  require(key: string, what: string): void {
    const waitMs = this.waitMs(key);
    if (waitMs > 0) throw tooMany(what, waitMs);
  }

  /** How long until `key` may again; 0 for now. */
  waitMs(key: string): number {
    const events = this.#recent(key);
    const oldest = events[0];
    if (events.length < this.#limit || oldest === undefined) return 0;
    return oldest + this.#windowMs - this.#monotonic();
  }

  /** Counts one; answers whether this one has used up the window. */
  note(key: string): boolean {
    const events = this.#recent(key);
    const wasFull = events.length >= this.#limit;
    events.push(this.#monotonic());
    if (events.length > this.#limit) events.shift();
    if (this.#events.size >= maxKeys) this.#dropOld();
    this.#events.set(key, events);
    return !wasFull && events.length >= this.#limit;
  }

  /** The newest one was none after all. */
  takeBack(key: string): void {
    this.#events.get(key)?.pop();
  }

  /** Begins anew for this key. */
  reset(key: string): void {
    this.#events.delete(key);
  }

  /** Drops what is over: of a large window only that is looked at, and one more. */
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

/** RATE_LIMITED: too many of `what`, until `waitMs` have passed. */
export function tooMany(what: string, waitMs: number): AppError {
  return new AppError("RATE_LIMITED", `Too many ${what}: try again later.`, {
    retryAfterSeconds: Math.max(1, waitMs / 1000),
  });
}
