// Walks the audit trail for all who want it verified: one walk at a time, beside the event loop, whose answer
// all share who asked before it began. Whoever asks during a walk shares the next one: rows that were changed
// before somebody asked are in the answer.

import { AppError } from "../domain/errors.ts";
import type { TrailWalk } from "../domain/trail-walks.ts";
import type { Caller } from "./caller.ts";

type Walk = (signal: AbortSignal) => Promise<TrailWalk>;

export class TrailVerifier {
  readonly #walk: Walk;
  #running: Round | null = null;
  #next: Round | null = null;
  #closed = false;

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /**
   * What a walk finds that begins after this call. Throws AppError UNAVAILABLE when it cannot be done, when
   * the service stops, and when all who wait for it have left.
   */
  async walk(caller: Caller): Promise<TrailWalk> {
    if (this.#closed) throw stopping();
    if (!this.#running) return this.#start(new Round()).join(caller);
    this.#next ??= new Round();
    return this.#next.join(caller);
  }

  /** Gives up what is being walked. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#next?.giveUp(stopping());
    this.#running?.giveUp(stopping());
    await this.#running?.ended;
  }

  #start(round: Round): Round {
    this.#running = round;
    void round.run(this.#walk).then(() => {
      const next = this.#next;
      this.#running = null;
      this.#next = null;
      if (next) this.#start(next);
    });
    return round;
  }
}

/** One walk, and those who wait for it. */
class Round {
  readonly #answer = Promise.withResolvers<TrailWalk>();
  readonly #abort = new AbortController();
  #waiting = 0;

  constructor() {
    // Whoever waits hears of it; perhaps nobody does any more.
    this.#answer.promise.catch(() => undefined);
  }

  /** Resolves once the walk is over, however it ended. */
  get ended(): Promise<unknown> {
    return this.#answer.promise.catch(() => undefined);
  }

  async join(caller: Caller): Promise<TrailWalk> {
    this.#waiting++;
    let isWaiting = true;
    const leave = () => {
      if (!isWaiting) return;
      isWaiting = false;
      this.#waiting--;
      if (this.#waiting === 0) this.giveUp(new AppError("UNAVAILABLE", "The caller has left."));
    };
    const stopListening = caller.onGone(leave);
    if (caller.gone) leave();
    try {
      return await this.#answer.promise;
    } finally {
      isWaiting = false;
      stopListening();
    }
  }

  giveUp(reason: AppError): void {
    this.#abort.abort(reason);
  }

  /** Never rejects. */
  async run(walk: Walk): Promise<void> {
    const { signal } = this.#abort;
    try {
      signal.throwIfAborted();
      this.#answer.resolve(await walk(signal));
    } catch (error) {
      this.#answer.reject(error);
    }
  }
}

function stopping(): AppError {
  return new AppError("UNAVAILABLE", "The service is stopping.");
}
