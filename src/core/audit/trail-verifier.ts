// Verifies the audit trail outside the event loop. At most one full and one incremental walk over
// the rows run at a time. All calls during a walk share the next one, so each result includes every
// change made before the call.
// (docs/decisions/0014-child-processes.md)

import type { TrailWalk } from "../../domain/audit/trail-walks.ts";
import { AwaitedWork, stopping } from "../awaited-work.ts";
import type { Caller } from "../caller.ts";

type Walk = (signal: AbortSignal) => Promise<TrailWalk>;

export class TrailVerifier {
  readonly #walk: Walk;
  #running: Round | null = null;
  #next: Round | null = null;
  /** Resolves at the end of the latest walk, whatever its result; null before the first walk. */
  #ended: Promise<void> | null = null;
  #closed = false;

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /** Throws UNAVAILABLE if the walk fails, the service stops, or all its callers have left. */
  async walk(caller: Caller): Promise<TrailWalk> {
    if (this.#closed) throw stopping();
    return this.#openRound().resultFor(caller);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#next?.giveUp(stopping());
    this.#running?.giveUp(stopping());
    await this.#ended;
  }

  #openRound(): Round {
    if (!this.#running) return this.#start(new Round());
    if (!this.#next || this.#next.signal.aborted) this.#next = new Round();
    return this.#next;
  }

  #start(round: Round): Round {
    this.#running = round;
    this.#ended = round.run(this.#walk).then(() => {
      const next = this.#next;
      this.#running = null;
      this.#next = null;
      if (next && !next.signal.aborted) this.#start(next);
    });
    return round;
  }
}

/** One walk and its callers. */
class Round extends AwaitedWork {
  readonly #result = Promise.withResolvers<TrailWalk>();

  constructor() {
    super();
    // Handled here, because all callers may have left.
    this.#result.promise.catch(() => undefined);
    this.signal.addEventListener("abort", () => this.#result.reject(this.signal.reason));
  }

  async resultFor(caller: Caller): Promise<TrailWalk> {
    const stopWaiting = this.join(caller);
    try {
      return await this.#result.promise;
    } finally {
      stopWaiting();
    }
  }

  /** Runs the walk. Never rejects. */
  async run(walk: Walk): Promise<void> {
    try {
      this.#result.resolve(await walk(this.signal));
    } catch (error) {
      this.#result.reject(error);
    }
  }
}
