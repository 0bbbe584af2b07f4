// Wakes long polls and waiting readers after commits of this process and of other processes. A ring
// only means "look again". (docs/decisions/0005-state-in-memory.md)

import type { Caller } from "../caller.ts";

/** How often to check for changes by other processes while there are waiters. */
const lookMs = 25;

export type WaitOutcome = "rung" | "time" | "gone" | "replaced" | "closed";

export interface DoorbellOptions {
  /** Must be cheap; takes about a microsecond. */
  checkForeignChange: () => void;
  monotonic: () => number;
}

/** A caller that waits for a key to be rung. A ring between two waits is not lost. */
export class Waiter {
  #rung = false;
  #ended: WaitOutcome | null = null;
  #wake: ((outcome: WaitOutcome) => void) | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #leave: (waiter: Waiter) => void;
  #stopListening: (() => void) | null = null;
  readonly #caller: Caller;
  readonly #monotonic: () => number;
  #heldSince = 0;

  constructor(caller: Caller, leave: (waiter: Waiter) => void, monotonic: () => number) {
    this.#caller = caller;
    this.#leave = leave;
    this.#monotonic = monotonic;
  }

  /** Whether the waiter was replaced or closed, or its caller has left. */
  get ended(): boolean {
    return this.#ended !== null || this.#caller.gone;
  }

  ring(): void {
    if (this.#wake) this.#finish("rung");
    else this.#rung = true;
  }

  /** Ends the current wait and every later one. */
  end(outcome: WaitOutcome): void {
    this.#ended ??= outcome;
    this.#finish(outcome);
  }

  /** Returns immediately if there was a ring since the last wait. */
  wait(ms: number): Promise<WaitOutcome> {
    if (this.#ended) return Promise.resolve(this.#ended);
    if (this.#rung) {
      this.#rung = false;
      return Promise.resolve("rung");
    }
    if (this.#caller.gone) return Promise.resolve("gone");
    if (ms <= 0) return Promise.resolve("time");
    this.#stopListening ??= this.#caller.onGone(() => this.end("gone"));
    this.#heldSince = this.#monotonic();
    return new Promise((resolve) => {
      this.#wake = resolve;
      // Node's timers can fire a millisecond early.
      this.#timer = setTimeout(() => this.#finish("time"), Math.ceil(ms) + 1);
    });
  }

  /** Must be called after the last wait. */
  close(): void {
    this.#stopListening?.();
    this.#leave(this);
  }

  #finish(outcome: WaitOutcome): void {
    const wake = this.#wake;
    if (!wake) return;
    this.#wake = null;
    clearTimeout(this.#timer);
    this.#caller.noteHeld?.(this.#monotonic() - this.#heldSince);
    wake(outcome);
  }
}

export class Doorbell {
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #options: DoorbellOptions;
  #look: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: DoorbellOptions) {
    this.#options = options;
  }

  register(key: string, caller: Caller): Waiter {
    const leave = (left: Waiter) => this.#remove(key, left);
    const waiter = new Waiter(caller, leave, this.#options.monotonic);
    const others = this.#waiters.get(key);
    if (others) others.add(waiter);
    else this.#waiters.set(key, new Set([waiter]));
    if (this.#closed) waiter.end("closed");
    this.#look ??= setInterval(() => this.#options.checkForeignChange(), lookMs).unref();
    return waiter;
  }

  replace(key: string): void {
    for (const waiter of this.#waiters.get(key) ?? []) waiter.end("replaced");
  }

  ring(key: string): void {
    for (const waiter of this.#waiters.get(key) ?? []) waiter.ring();
  }

  keys(): IterableIterator<string> {
    return this.#waiters.keys();
  }

  get size(): number {
    return this.#waiters.size;
  }

  countWaiting(): { polls: number; readers: number } {
    let polls = 0;
    let readers = 0;
    for (const [key, waiters] of this.#waiters) {
      if (key.startsWith(agentKey(""))) polls += waiters.size;
      else if (key.startsWith(commandKey(""))) readers += waiters.size;
    }
    return { polls, readers };
  }

  /** Ends all current and later waits. */
  close(): void {
    this.#closed = true;
    for (const waiters of this.#waiters.values()) {
      for (const waiter of waiters) waiter.end("closed");
    }
    clearInterval(this.#look);
  }

  #remove(key: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(key);
    if (!waiters?.delete(waiter) || waiters.size > 0) return;
    this.#waiters.delete(key);
    if (this.#waiters.size > 0) return;
    clearInterval(this.#look);
    this.#look = undefined;
  }
}

export function agentKey(agentId: string): string {
  return `agent:${agentId}`;
}

export function commandKey(commandId: string): string {
  return `command:${commandId}`;
}
