// The time by which silence is judged. When the wall clock jumps (set by hand, a suspended machine),
// every last sign of life looks old at once, though nobody had the chance to call; and so it does when
// the process itself stood still. For one threshold period this clock then stands still: nobody falls
// silent by it, and whoever was silent before stays so.
// (docs/decisions/0018-time-and-randomness.md)

import { dayMs } from "../../lib/duration.ts";

/** A difference between the clocks from one look to the next that is no drift any more. */
export const jumpMs = 5_000;
/** Being watched every second, and not for so long: nobody was heard meanwhile. */
const pauseMs = 10_000;
/** For so long after it was set forward, the wall clock may be wrong. */
const doubtMs = dayMs;

/** The wall clock was set, forward or back. */
export interface ClockJump {
  byMs: number;
  /** What it showed first after the jump, and last before the next one; null: it was the last. */
  since: number;
  until: number | null;
  /** Only the commands that an agent has received keep their time. */
  startedOnly: boolean;
}

export interface StatusClockOptions {
  now: () => number;
  monotonic: () => number;
  /** For how long this clock stands still after a jump or a pause. */
  graceMs: number;
  /** Told once of each. Positive: the wall clock was set forward. */
  onJump: (jumpMs: number) => void;
  onPause: (pauseMs: number) => void;
}

export class StatusClock {
  /** How many jumps and pauses there were: whoever remembers the number sees a new one. */
  disturbances = 0;
  /** Jumps that deadlines have not been moved for, in their order. */
  readonly jumps: ClockJump[] = [];
  #lastJump: ClockJump | null = null;
  readonly #options: StatusClockOptions;
  /** Both clocks, when last looked at. */
  #wall: number;
  #monotonic: number;
  #watchedAt: number | null = null;
  #standsAt = 0;
  /** On the monotonic clock; in the past: this clock goes with the wall clock. */
  #standsUntil = -Infinity;
  /** On the monotonic clock too. */
  #doubtfulUntil = -Infinity;

  constructor(options: StatusClockOptions) {
    this.#options = options;
    this.#wall = options.now();
    this.#monotonic = options.monotonic();
  }

  /** Unix milliseconds to compare signs of life with; never ahead of the wall clock. */
  now(): number {
    const wall = this.#options.now();
    const monotonic = this.#options.monotonic();
    this.#noticeJump(wall, monotonic);
    return this.#at(wall, monotonic);
  }

  /** The wall clock was set forward within a day: nothing is to be deleted by what it shows. */
  isDoubtful(): boolean {
    const monotonic = this.#options.monotonic();
    this.#noticeJump(this.#options.now(), monotonic);
    return monotonic < this.#doubtfulUntil;
  }

  /** Somebody has said that the wall clock is right. */
  trust(): void {
    this.#doubtfulUntil = -Infinity;
  }

  /** To be called every second, so that a jump is seen when it happens, and a pause at all. */
  watch(): void {
    const wall = this.#options.now();
    const monotonic = this.#options.monotonic();
    this.#noticeJump(wall, monotonic);
    const pause = monotonic - (this.#watchedAt ?? monotonic);
    this.#watchedAt = monotonic;
    if (pause < pauseMs) return;
    this.#standStill(wall - pause, wall, monotonic);
    this.#options.onPause(pause);
  }

  /** To be called at a start, with what the wall clock showed last while a service ran: nobody was heard since. */
  noteAbsence(since: number): void {
    const wall = this.#options.now();
    const monotonic = this.#options.monotonic();
    this.#noticeJump(wall, monotonic);
    if (wall - since >= pauseMs) this.#standStill(since, wall, monotonic);
  }

  #noticeJump(wall: number, monotonic: number): void {
    const before = this.#wall;
    const gone = wall - before;
    const jump = gone - (monotonic - this.#monotonic);
    this.#wall = wall;
    this.#monotonic = monotonic;
    const isForward = jump >= jumpMs;
    const isBack = jump <= -jumpMs && gone < 0;
    if (!isForward && !isBack) return;
    this.#standStill(wall - jump, wall, monotonic);
    if (isForward) this.#doubtfulUntil = monotonic + doubtMs;
    if (this.#lastJump) this.#lastJump.until = wall - jump;
    this.#lastJump = { byMs: jump, since: before + jump, until: null, startedOnly: false };
    this.jumps.push(this.#lastJump);
    this.#options.onJump(jump);
  }

  /** `before` is what the wall clock would show without what has happened. */
  #standStill(before: number, wall: number, monotonic: number): void {
    this.#standsAt = Math.min(this.#at(before, monotonic), wall);
    this.#standsUntil = monotonic + this.#options.graceMs;
    this.disturbances++;
  }

  #at(wall: number, monotonic: number): number {
    return monotonic < this.#standsUntil ? Math.min(this.#standsAt, wall) : wall;
  }
}
