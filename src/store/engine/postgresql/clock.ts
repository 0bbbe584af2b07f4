// The database's clock as this process knows it, so that all processes of a cluster agree on the
// time whatever their own wall clocks show. (docs/decisions/0018-time-and-randomness.md)

export class DatabaseClock {
  readonly #replaced: (() => number) | undefined;
  /** Unix milliseconds at `performance.now() === 0`. */
  #origin: number;

  /** `now` replaces the clock in tests. */
  constructor(reading: number, now?: () => number) {
    this.#replaced = now;
    this.#origin = reading - performance.now();
  }

  /** Returns Unix milliseconds. */
  now(): number {
    return this.#replaced?.() ?? Math.floor(this.#origin + performance.now());
  }

  /**
   * Corrects the time with a reading of the database's clock that was requested at `sentAt`
   * (`performance.now()`). The reading was taken at some time since then, so the later it arrives,
   * the less it corrects.
   */
  note(reading: number, sentAt: number): void {
    const earliest = reading - performance.now();
    const latest = reading + 1 - sentAt; // the reading was rounded down
    this.#origin = Math.min(Math.max(this.#origin, earliest), latest);
  }
}
