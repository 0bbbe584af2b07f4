// Ends many waits with one timer, because a separate timer for each wait takes 200 bytes. A wait
// never ends early. It ends at most one tick late.

interface Wait {
  timeIsUp(): void;
}

export interface Timing {
  monotonic: () => number;
  setTimer: SetTimer;
}

/** Calls `callBack` after `ms` on the monotonic clock. Returns a function that prevents this. */
export type SetTimer = (ms: number, callBack: () => void) => () => void;

export const setRealTimer: SetTimer = (ms, callBack) => {
  const timer = setTimeout(callBack, ms);
  return () => clearTimeout(timer);
};

export class TimerWheel<T extends Wait> {
  readonly #tickMs: number;
  readonly #timing: Timing;
  /** The waits, by the number of the tick at which they end. */
  readonly #waits = new Map<number, Set<T>>();
  #cancelTimer = () => {};
  /** The tick for which the timer is set. */
  #next = Number.POSITIVE_INFINITY;

  constructor(tickMs: number, timing: Timing) {
    this.#tickMs = tickMs;
    this.#timing = timing;
  }

  /** Returns the tick at which the wait ends, which `cancel` needs. */
  add(wait: T, ms: number): number {
    const tick = Math.ceil((this.#timing.monotonic() + ms) / this.#tickMs);
    const others = this.#waits.get(tick);
    if (others) others.add(wait);
    else this.#waits.set(tick, new Set([wait]));
    if (tick < this.#next) this.#setTimer(tick);
    return tick;
  }

  cancel(wait: T, tick: number): void {
    const waits = this.#waits.get(tick);
    if (!waits?.delete(wait) || waits.size > 0) return;
    this.#waits.delete(tick);
    if (this.#waits.size === 0) this.#setTimer(Number.POSITIVE_INFINITY);
  }

  #setTimer(tick: number): void {
    this.#cancelTimer();
    this.#cancelTimer = () => {};
    this.#next = tick;
    if (tick === Number.POSITIVE_INFINITY) return;
    // Node's timers can fire a millisecond early.
    const ms = Math.max(0, tick * this.#tickMs - this.#timing.monotonic()) + 1;
    this.#cancelTimer = this.#timing.setTimer(Math.ceil(ms), () => this.#turn());
  }

  #turn(): void {
    const now = this.#timing.monotonic();
    let next = Number.POSITIVE_INFINITY;
    const ended: Set<T>[] = [];
    for (const [tick, waits] of this.#waits) {
      if (tick * this.#tickMs > now) {
        next = Math.min(next, tick);
      } else {
        this.#waits.delete(tick);
        ended.push(waits);
      }
    }
    this.#setTimer(next);
    for (const waits of ended) for (const wait of waits) wait.timeIsUp();
  }
}
