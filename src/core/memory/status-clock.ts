// Decides which agents are silent. After a jump of the wall clock or a pause of the process, all
// last calls look old, so this clock stops for one threshold period, in which no agent becomes
// silent. (docs/decisions/0018-time-and-randomness.md)

import { dayMs } from "../../lib/duration.ts";

/** A smaller difference between the two clocks counts as drift. */
export const jumpMs = 5_000;
/** `watch` is called every second; a longer gap than this is a pause. */
const pauseMs = 10_000;
/** How long the wall clock is considered doubtful after it was set forward. */
const doubtMs = dayMs;

export interface ClockJump {
  byMs: number;
  /** The first wall time after the jump, and the last one before the next jump. */
  since: number;
  until: number | null;
  /** When it was noticed, in monotonic milliseconds. */
  noticedAt: number;
  /** Whether only commands that an agent has received keep their remaining time. */
  startedOnly: boolean;
}

export interface StatusClockOptions {
  now: () => number;
  monotonic: () => number;
  /** How long this clock stops after a jump or pause. */
  graceMs: number;
  /** `jumpMs` is positive if the wall clock was set forward. */
  onJump: (jumpMs: number) => void;
  onPause: (pauseMs: number) => void;
}

export class StatusClock {
  /** The number of jumps and pauses, with which callers notice a new one. */
  disturbances = 0;
  /** Jumps for which clock-jumps.ts has not moved the deadlines yet, in order. */
  readonly jumps: ClockJump[] = [];
  #lastJump: ClockJump | null = null;
  readonly #options: StatusClockOptions;
  /** The readings of both clocks at the last check. */
  #wall: number;
  #monotonic: number;
  #watchedAt: number | null = null;
  #standsAt = 0;
  /** Monotonic milliseconds, in the past while this clock follows the wall clock. */
  #standsUntil = -Infinity;
  /** Monotonic milliseconds. */
  #doubtfulUntil = -Infinity;

  constructor(options: StatusClockOptions) {
    this.#options = options;
    this.#wall = options.now();
    this.#monotonic = options.monotonic();
  }

  /** Returns Unix milliseconds to compare with last calls, never ahead of the wall clock. */
  now(): number {
    const { wall, monotonic } = this.#look();
    return this.#at(wall, monotonic);
  }

  /** Whether the wall clock was set forward within a day: deletions must not depend on it. */
  isDoubtful(): boolean {
    return this.#look().monotonic < this.#doubtfulUntil;
  }

  /** Called when an owner has confirmed the wall clock. */
  trust(): void {
    this.#doubtfulUntil = -Infinity;
  }

  /** Must be called every second, to notice pauses and jumps. */
  watch(): void {
    const { wall, monotonic } = this.#look();
    const pause = monotonic - (this.#watchedAt ?? monotonic);
    this.#watchedAt = monotonic;
    if (pause < pauseMs) return;
    this.#standStill(wall - pause, wall, monotonic);
    this.#options.onPause(pause);
  }

  /**
   * Must be called at the start, with the last wall time of the previous server. Returns whether this
   * clock stops.
   */
  noteAbsence(since: number): boolean {
    const { wall, monotonic } = this.#look();
    const isLong = wall - since >= pauseMs;
    if (isLong) this.#standStill(since, wall, monotonic);
    return isLong;
  }

  /** Drops the jumps that were noticed longer ago: another node has moved the deadlines. */
  dropJumps(afterMs: number): void {
    const before = this.#options.monotonic() - afterMs;
    while (this.jumps[0] && this.jumps[0].noticedAt < before) this.jumps.shift();
  }

  /** Reads both clocks, and notices a jump since the last time. */
  #look() {
    const reading = { wall: this.#options.now(), monotonic: this.#options.monotonic() };
    const { wall, monotonic } = reading;
    const before = this.#wall;
    const gone = wall - before;
    const jump = gone - (monotonic - this.#monotonic);
    this.#wall = wall;
    this.#monotonic = monotonic;
    const isForward = jump >= jumpMs;
    const isBack = jump <= -jumpMs && gone < 0;
    if (!isForward && !isBack) return reading;
    this.#standStill(wall - jump, wall, monotonic);
    if (isForward) this.#doubtfulUntil = monotonic + doubtMs;
    if (this.#lastJump) this.#lastJump.until = wall - jump;
    const noticed = { noticedAt: monotonic, startedOnly: false };
    this.#lastJump = { byMs: jump, since: before + jump, until: null, ...noticed };
    this.jumps.push(this.#lastJump);
    this.#options.onJump(jump);
    return reading;
  }

  /** `before` is the time without the jump or pause. */
  #standStill(before: number, wall: number, monotonic: number): void {
    // Monotonic times have fractions, and are compared with stored times.
    this.#standsAt = Math.floor(Math.min(this.#at(before, monotonic), wall));
    this.#standsUntil = monotonic + this.#options.graceMs;
    this.disturbances++;
  }

  #at(wall: number, monotonic: number): number {
    return monotonic < this.#standsUntil ? Math.min(this.#standsAt, wall) : wall;
  }
}
