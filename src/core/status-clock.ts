// The time by which silence is judged. When the wall clock jumps (set by hand, a suspended machine),
// every last sign of life looks old at once, though nobody had the chance to call: for one threshold
// period the jump does not count, and nobody is declared offline for it. (`decisions.md` 4)

/** A difference between the clocks within one look that is no drift any more. */
const jumpMs = 5_000;

export interface StatusClockOptions {
  now: () => number;
  monotonic: () => number;
  /** For how long a jump is forgiven. */
  graceMs: number;
  onJump: (jumpMs: number) => void;
}

export class StatusClock {
  readonly #now: () => number;
  readonly #monotonic: () => number;
  readonly #graceMs: number;
  readonly #onJump: (jumpMs: number) => void;
  /** Wall time less monotonic time, when last looked at. */
  #difference: number;
  /** What the wall clock is ahead by, while it is forgiven. */
  #forgiven = 0;
  #forgivenUntil = 0;

  constructor(options: StatusClockOptions) {
    const { now, monotonic } = options;
    this.#now = now;
    this.#monotonic = monotonic;
    this.#graceMs = options.graceMs;
    this.#onJump = options.onJump;
    this.#difference = now() - monotonic();
  }

  /**
   * Unix milliseconds to compare signs of life with: the wall clock, less what it has just jumped
   * forward. To be looked at every second or so, that a jump is seen when it happens.
   */
  now(): number {
    this.look();
    return this.#now() - this.#forgiven;
  }

  /** Looks whether the wall clock has jumped since the last look. */
  look(): void {
    const monotonic = this.#monotonic();
    const difference = this.#now() - monotonic;
    const jump = difference - this.#difference;
    this.#difference = difference;
    if (this.#forgiven > 0 && monotonic >= this.#forgivenUntil) this.#forgiven = 0;
    if (Math.abs(jump) < jumpMs) return;
    // Set back, old signs of life lie in the future and count as fresh: nothing is to be forgiven.
    this.#forgiven = Math.max(0, this.#forgiven + jump);
    this.#forgivenUntil = monotonic + this.#graceMs;
    this.#onJump(jump);
  }
}
