// Held polls and waiting readers, and how they are woken: by our own commits, and by what other
// processes write (looked for while somebody waits). Not authoritative: a ring says "look again".
// (docs/decisions/0005-state-in-memory.md)

import type { Caller } from "../caller.ts";

/** How often a foreign change is looked for while somebody waits, in milliseconds. */
const lookMs = 25;

export type WaitOutcome = "rung" | "time" | "gone" | "replaced" | "closed";

export interface DoorbellOptions {
  /** Looks for foreign changes; about a microsecond. */
  checkForeignChange: () => void;
  monotonic: () => number;
}

/** One waiter at a key, from its registration on: a ring between two waits is not lost. */
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

  /** Nobody waits here any more: replaced, closed, or the caller has left. */
  get ended(): boolean {
    return this.#ended !== null || this.#caller.gone;
  }

  ring(): void {
    if (this.#wake) this.#finish("rung");
    else this.#rung = true;
  }

  /** Ends this and every later wait. */
  end(outcome: WaitOutcome): void {
    this.#ended ??= outcome;
    this.#finish(outcome);
  }

  /** Waits for a ring, at most `ms`. Answers at once when one came since the last wait. */
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
      // Node's timers may fire up to a millisecond early; a wait that is over must be over.
      this.#timer = setTimeout(() => this.#finish("time"), Math.ceil(ms) + 1);
    });
  }

  /** Must be called when done. */
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

  /** A waiter at `key`, beside others. */
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

  /** Ends whoever waits at `key` now: a newer one has come. */
  replace(key: string): void {
    for (const waiter of this.#waiters.get(key) ?? []) waiter.end("replaced");
  }

  ring(key: string): void {
    for (const waiter of this.#waiters.get(key) ?? []) waiter.ring();
  }

  /** The keys somebody waits at. */
  keys(): IterableIterator<string> {
    return this.#waiters.keys();
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** How many wait: agents' polls, and readers for the end of a command. */
  countWaiting(): { polls: number; readers: number } {
    let polls = 0;
    let readers = 0;
    for (const [key, waiters] of this.#waiters) {
      if (key.startsWith(agentKey(""))) polls += waiters.size;
      else if (key.startsWith(commandKey(""))) readers += waiters.size;
    }
    return { polls, readers };
  }

  /** Ends every wait, now and from now on. */
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

/** Where an agent's held poll waits. */
export function agentKey(agentId: string): string {
  return `agent:${agentId}`;
}

/** Where readers wait for a command's end. */
export function commandKey(commandId: string): string {
  return `command:${commandId}`;
}
