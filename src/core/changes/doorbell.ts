// Wakes long polls and waiting readers after commits of this process and of other processes. A ring
// only means "look again". (docs/decisions/0005-state-in-memory.md)

import { TimerWheel, type Timing } from "../../lib/timer-wheel.ts";
import type { Caller } from "../caller.ts";

/** How often to check for changes by other processes while there are waiters. */
const lookMs = 25;
/** The resolution of the timer: a wait can end late by up to this much. */
const tickMs = 100;

type WaitOutcome = "rung" | "time" | "gone" | "replaced" | "closed";

interface DoorbellOptions extends Timing {
  /** Must be cheap: it takes about a microsecond. May throw. */
  checkForeignChange: () => void;
}

/** The parts of a doorbell that its waiters use. */
interface Bell {
  readonly wheel: TimerWheel<Waiter>;
  readonly monotonic: () => number;
  remove(waiter: Waiter): void;
}

/**
 * A caller that waits for a key to be rung. A ring between two waits is not lost. Each held poll
 * has a waiter. To save memory, waiters share a timer.
 */
export class Waiter {
  readonly key: string;
  #rung = false;
  #ended: WaitOutcome | null = null;
  #wake: ((outcome: WaitOutcome) => void) | null = null;
  #tick = 0;
  #stopListening: (() => void) | null = null;
  readonly #caller: Caller;
  readonly #bell: Bell;
  #heldSince = 0;

  constructor(bell: Bell, key: string, caller: Caller) {
    this.#bell = bell;
    this.key = key;
    this.#caller = caller;
  }

  /** Whether the waiter was replaced or closed, or its caller has left. */
  get ended(): boolean {
    return this.#ended !== null || this.#caller.gone;
  }

  /** Whether a wait is in progress, and its caller has not left. */
  get isWaiting(): boolean {
    return this.#wake !== null && !this.ended;
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
    this.#heldSince = this.#bell.monotonic();
    this.#tick = this.#bell.wheel.add(this, ms);
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  timeIsUp(): void {
    this.#finish("time");
  }

  /** Must be called after the last wait. */
  close(): void {
    this.#stopListening?.();
    this.#bell.remove(this);
  }

  #finish(outcome: WaitOutcome): void {
    const wake = this.#wake;
    if (!wake) return;
    this.#wake = null;
    this.#bell.wheel.cancel(this, this.#tick);
    this.#caller.noteHeld?.(this.#bell.monotonic() - this.#heldSince);
    wake(outcome);
  }
}

export class Doorbell {
  readonly #waiters = new Map<string, Waiter[]>();
  readonly #options: DoorbellOptions;
  readonly #bell: Bell;
  #look: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: DoorbellOptions) {
    this.#options = options;
    const { monotonic } = options;
    const wheel = new TimerWheel<Waiter>(tickMs, options);
    this.#bell = { wheel, monotonic, remove: (waiter) => this.#remove(waiter) };
  }

  register(key: string, caller: Caller): Waiter {
    const waiter = new Waiter(this.#bell, key, caller);
    this.#waiters.set(key, this.#waitersFor(key).concat(waiter));
    if (this.#closed) waiter.end("closed");
    const { checkForeignChange } = this.#options;
    this.#look ??= setInterval(() => attempt(checkForeignChange), lookMs).unref();
    return waiter;
  }

  replace(key: string): void {
    for (const waiter of this.#waitersFor(key)) waiter.end("replaced");
  }

  ring(key: string): void {
    for (const waiter of this.#waitersFor(key)) waiter.ring();
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
    for (const [key, { length }] of this.#waiters) {
      if (key.startsWith(agentKey(""))) polls += length;
      else if (isReadersKey(key)) readers += length;
    }
    return { polls, readers };
  }

  /** Ends all current and later waits. */
  close(): void {
    this.#closed = true;
    for (const waiter of [...this.#waiters.values()].flat()) waiter.end("closed");
    clearInterval(this.#look);
  }

  #waitersFor(key: string): readonly Waiter[] {
    return this.#waiters.get(key) ?? [];
  }

  #remove(waiter: Waiter): void {
    const { key } = waiter;
    const others = this.#waitersFor(key).filter((each) => each !== waiter);
    if (others.length > 0) this.#waiters.set(key, others);
    else this.#waiters.delete(key);
    if (this.#waiters.size > 0) return;
    clearInterval(this.#look);
    this.#look = undefined;
  }
}

function attempt(check: () => void): void {
  try {
    check();
  } catch {
    // The next check may work. Meanwhile, the calls of clients report that the storage fails.
  }
}

export function agentKey(agentId: string): string {
  return `agent:${agentId}`;
}

export function commandKey(commandId: string): string {
  return `command:${commandId}`;
}

/** Rung when the command has more output, and when it has ended. */
export function outputKey(commandId: string): string {
  return `output:${commandId}`;
}

/** Rung when the request for approval has ended. */
export function approvalKey(approvalId: string): string {
  return `approval:${approvalId}`;
}

export function isReadersKey(key: string): boolean {
  return [commandKey(""), outputKey(""), approvalKey("")].some((kind) => key.startsWith(kind));
}
