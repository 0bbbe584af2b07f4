// Ends many waits with one timer, because a timer of its own costs each wait 200 bytes. A wait never
// ends early, and at most one tick late.

export interface Wait {
  timeIsUp(): void;
}

export class TimerWheel<T extends Wait> {
  readonly #tickMs: number;
  readonly #monotonic: () => number;
  /** The waits that end at the same tick, by the number of the tick. */
  readonly #waits = new Map<number, Set<T>>();
  #timer: NodeJS.Timeout | undefined;
  /** The tick for which the timer is set. */
  #next = Number.POSITIVE_INFINITY;

  constructor(tickMs: number, monotonic: () => number) {
    this.#tickMs = tickMs;
    this.#monotonic = monotonic;
  }

  /** Returns the tick at which the wait ends, which `cancel` needs. */
  add(wait: T, ms: number): number {
    const tick = Math.ceil((this.#monotonic() + ms) / this.#tickMs);
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
    clearTimeout(this.#timer);
    this.#next = tick;
    if (tick === Number.POSITIVE_INFINITY) return;
    // Node's timers can fire a millisecond early.
    const ms = Math.max(0, tick * this.#tickMs - this.#monotonic()) + 1;
    this.#timer = setTimeout(() => this.#turn(), Math.ceil(ms));
  }

  #turn(): void {
    const now = this.#monotonic();
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
