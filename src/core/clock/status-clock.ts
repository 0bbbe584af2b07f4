// The clock by which silence is measured, and the only place where clock jumps, pauses and outages
// are noticed. It stops while no agent can be heard: while the process is paused or not running,
// and while its storage does not work. It also stops when the wall clock jumps. Afterwards, it
// stays stopped for the offline threshold, and all agents have time to call before they count as
// silent. (docs/decisions/0018-time-and-randomness.md)

import type { Absence, MovedJump } from "../../store/tables/clock.ts";

/** A smaller difference between the two clocks counts as drift. */
export const jumpMs = 5_000;
/** `watch` is called every second. A gap of at least this length counts as a pause. */
export const pauseMs = 10_000;

export interface ClockJump {
  byMs: number;
  /** The first wall time after the jump, and the last one before the next jump. */
  since: number;
  until: number | null;
  /** When the jump was noticed, in monotonic milliseconds. */
  noticedAt: number;
  /** Whether only commands that an agent has received keep their remaining time. */
  startedOnly: boolean;
}

interface StatusClockOptions {
  now: () => number;
  monotonic: () => number;
  /** How long this clock stops after a jump, pause, absence or outage. */
  graceMs: number;
  /** A shorter absence of the server, or outage of its storage, does not stop this clock. */
  absenceMs: number;
  /** The time when the storage stopped working, in Unix milliseconds; null if it works. */
  outageSince: () => number | null;
  /** `jumpMs` is positive if the wall clock was set forward. */
  onJump: (jumpMs: number) => void;
  onPause: (pauseMs: number) => void;
}

export class StatusClock {
  /**
   * The number of jumps, pauses, absences and outages. Callers recognize a new one by a higher
   * number.
   */
  disturbances = 0;
  /**
   * The value of `disturbances` when schedules/clock-jumps.ts last checked the due times; null
   * before that.
   */
  dueTimesCheckedAt: number | null = null;
  /** Jumps for which deadlines.ts has not moved the deadlines yet, in order. */
  readonly jumps: ClockJump[] = [];
  /** The number of transactions in which deadlines.ts is moving deadlines now. */
  moves = 0;
  /** The last jump for which this process has moved the deadlines, or null. */
  movedJump: MovedJump | null = null;
  /** The last outage of the storage, after its end, until absence.ts has told the other nodes. */
  endedOutage: Absence | null = null;
  /**
   * The end of the last absence that this clock knows of, in Unix milliseconds; null if there is
   * none. Any node may have noticed that absence.
   */
  absenceKnownTo: number | null = null;
  /** Whether another node may have stored an absence that this one has not read. */
  isAbsenceUnread = false;
  #outage: Absence | null = null;
  #lastJump: ClockJump | null = null;
  readonly #options: StatusClockOptions;
  /** The readings of both clocks at the last check. */
  #wall: number;
  #monotonic: number;
  #watchedAt: number | null = null;
  /** When the wall clock was last set, and last set forward, in monotonic milliseconds. */
  #setAt = -Infinity;
  #setForwardAt = -Infinity;
  /** When calls could be heard again, in monotonic milliseconds. */
  #heardSince: number;
  /** The time that this clock shows until `graceMs` after `#heardSince`. */
  #standsAt = Infinity;

  constructor(options: StatusClockOptions) {
    this.#options = options;
    this.#wall = options.now();
    this.#monotonic = options.monotonic();
    this.#heardSince = this.#monotonic;
  }

  /**
   * Returns the time with which the last calls of agents are compared, in Unix milliseconds. It is
   * never ahead of the wall clock.
   */
  now(): number {
    const { wall, monotonic } = this.#look();
    return this.#at(wall, monotonic);
  }

  /**
   * Returns how long ago this process noticed the last jump, in milliseconds; Infinity if it
   * noticed none.
   */
  steadyForMs(): number {
    return this.#look().monotonic - this.#setAt;
  }

  /** Like `steadyForMs`, but counts only jumps forward. */
  notForwardForMs(): number {
    return this.#look().monotonic - this.#setForwardAt;
  }

  /** Returns whether there is a jump for which deadlines.ts has not moved the deadlines yet. */
  hasJump(): boolean {
    this.#look();
    return this.jumps.length + this.moves > 0;
  }

  /** Returns for how long calls have been heard without interruption, in milliseconds. */
  heardForMs(): number {
    return this.#look().monotonic - this.#heardSince;
  }

  /** Whether this clock has stopped because the storage does not work. */
  get isInOutage(): boolean {
    return this.#outage !== null;
  }

  /** Must be called every second, to notice pauses, jumps and outages of the storage. */
  watch(): void {
    const { wall, monotonic } = this.#look();
    this.#lookAtStorage(wall, monotonic);
    const pause = monotonic - (this.#watchedAt ?? monotonic);
    this.#watchedAt = monotonic;
    if (pause < pauseMs) return;
    this.#standStill(wall - pause, wall, monotonic);
    this.#options.onPause(pause);
  }

  /** Whether an absence of the server, or an outage of its storage, is long enough to count. */
  isAbsence({ from, to }: Absence): boolean {
    return to - from >= this.#options.absenceMs;
  }

  /** Must be called for an absence that this or another node has found. */
  noteAbsence(since: number): void {
    const { wall, monotonic } = this.#look();
    if (!this.isAbsence({ from: since, to: wall })) return;
    this.#standStill(since, wall, monotonic);
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
    this.#setAt = monotonic;
    if (isForward) this.#setForwardAt = monotonic;
    if (this.#lastJump) this.#lastJump.until = wall - jump;
    const noticed = { noticedAt: monotonic, startedOnly: false };
    this.#lastJump = { byMs: jump, since: before + jump, until: null, ...noticed };
    this.jumps.push(this.#lastJump);
    this.#options.onJump(jump);
    return reading;
  }

  /** Stops this clock while the storage does not work, and for `graceMs` afterwards. */
  #lookAtStorage(wall: number, monotonic: number): void {
    const since = this.#options.outageSince();
    // After the wall clock was set back, `since` can be in the future.
    if (since === null || (since <= wall && !this.isAbsence({ from: since, to: wall }))) {
      if (this.#outage) this.endedOutage = this.#outage;
      this.#outage = null;
      return;
    }
    const from = Math.min(since, this.#outage?.from ?? since);
    if (this.#outage === null) this.#standStill(from, wall, monotonic);
    else this.#heardSince = monotonic;
    this.#outage = { from, to: wall };
  }

  /**
   * `before` is what the wall clock would show without the jump, or what it showed before the
   * pause, absence or outage.
   */
  #standStill(before: number, wall: number, monotonic: number): void {
    // Rounded down, because monotonic times have fractions, and stored times have none.
    this.#standsAt = Math.floor(Math.min(this.#at(before, monotonic), wall));
    this.#heardSince = monotonic;
    this.disturbances++;
  }

  #at(wall: number, monotonic: number): number {
    const isStopped = monotonic - this.#heardSince < this.#options.graceMs;
    return isStopped ? Math.min(this.#standsAt, wall) : wall;
  }
}
