// Walks the audit trail for all who want it verified, beside the event loop: one walk at a time. Callers share a
// walk that has not read anything yet; whoever asks later waits for the next one, which all who ask meanwhile
// share. So every row that was changed before a caller asked is in that caller's answer. A walk that has begun
// could not promise that: it has passed rows that may have been changed since.
// (docs/decisions/0014-child-processes.md)

import type { TrailWalk } from "../../domain/audit/trail-walks.ts";
import type { Caller } from "../caller.ts";
import { AwaitedWork, stopping } from "../memory/awaited-work.ts";

/** Calls `onReading` before it reads the first row. */
type Walk = (signal: AbortSignal, onReading: () => void) => Promise<TrailWalk>;

export class TrailVerifier {
  readonly #walk: Walk;
  #running: Round | null = null;
  #next: Round | null = null;
  #closed = false;

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /**
   * Returns what a walk finds that reads its first row after this call. Throws AppError UNAVAILABLE when it
   * cannot be done, when the service stops, and when all who wait for it have left.
   */
  async walk(caller: Caller): Promise<TrailWalk> {
    if (this.#closed) throw stopping();
    return this.#openRound().answerTo(caller);
  }

  /** Gives up what is being walked. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#next?.giveUp(stopping());
    this.#running?.giveUp(stopping());
    await this.#running?.ended;
  }

  #openRound(): Round {
    if (!this.#running) return this.#start(new Round());
    if (this.#running.isOpen) return this.#running;
    if (!this.#next?.isOpen) this.#next = new Round();
    return this.#next;
  }

  #start(round: Round): Round {
    this.#running = round;
    void round.run(this.#walk).then(() => {
      const next = this.#next;
      this.#running = null;
      this.#next = null;
      if (next?.isOpen) this.#start(next);
    });
    return round;
  }
}

/** One walk, and those who wait for it. */
class Round extends AwaitedWork {
  readonly #answer = Promise.withResolvers<TrailWalk>();
  readonly #over = Promise.withResolvers<void>();
  #isReading = false;

  constructor() {
    super();
    // Whoever waits hears of it; perhaps nobody does any more.
    this.#answer.promise.catch(() => undefined);
    this.signal.addEventListener("abort", () => this.#answer.reject(this.signal.reason));
  }

  /** More callers may share it. */
  get isOpen(): boolean {
    return !this.#isReading && !this.signal.aborted;
  }

  /** Resolves once the walk is over, however it ended. */
  get ended(): Promise<void> {
    return this.#over.promise;
  }

  async answerTo(caller: Caller): Promise<TrailWalk> {
    const stopWaiting = this.join(caller);
    try {
      return await this.#answer.promise;
    } finally {
      stopWaiting();
    }
  }

  /** Never rejects. */
  async run(walk: Walk): Promise<void> {
    const onReading = () => {
      this.#isReading = true;
    };
    try {
      this.#answer.resolve(await walk(this.signal, onReading));
    } catch (error) {
      this.#answer.reject(error);
    } finally {
      this.#over.resolve();
    }
  }
}
