// How much work one call may do. (docs/decisions/0015-limits-on-clients.md)

import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../domain/errors.ts";
import { counted } from "../lib/counted.ts";
import type { Caller } from "./caller.ts";
import { stopping } from "./memory/awaited-work.ts";

/** After this time a call lets others run. */
const sliceMs = 5;
/** Between two slices the event loop is free for this time. */
const restMs = 1;

/** All long calls take turns, so that many of them delay others no more than one does. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the caller may continue. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => pause(restMs));
    return this.#last;
  }
}

interface Surroundings {
  monotonic: () => number;
  stopping: AbortSignal;
  turns: Turns;
}

/**
 * The work of one call. A use case whose work grows with its input or with what is stored calls
 * `spend` after each part that takes up to a millisecond.
 */
export class Budget {
  /** How many units were spent. */
  spent = 0;
  /** In units: things that the call looks at. Null means no limit. */
  limit: number | null = null;
  readonly #core: Surroundings;
  readonly #caller: Caller;
  /** The end of the slice that runs, in monotonic milliseconds. */
  #until: number | null = null;

  constructor(core: Surroundings, caller: Caller) {
    this.#core = core;
    this.#caller = caller;
  }

  /**
   * Resolves when the call may continue, which is at once or after others have run. Must not be awaited in
   * a transaction. Throws TOO_MUCH_WORK past the limit, and UNAVAILABLE if nobody waits for the call
   * or the service stops.
   */
  async spend(units = 1): Promise<void> {
    this.spent += units;
    if (this.limit !== null && this.spent > this.limit) throw tooMuch(this.limit);
    this.#requireWanted();
    const { monotonic, turns } = this.#core;
    this.#until ??= monotonic() + sliceMs;
    if (monotonic() < this.#until) return;
    await turns.next();
    this.#until = monotonic() + sliceMs;
    this.#requireWanted();
  }

  #requireWanted(): void {
    if (this.#core.stopping.aborted) throw stopping();
    if (this.#caller.gone) throw new AppError("UNAVAILABLE", "The caller has left.");
  }
}

function tooMuch(limit: number): AppError {
  const message = `This call would have to look at more than ${counted(limit, "thing")}`;
  return new AppError(
    "TOO_MUCH_WORK",
    `${message}: documents, services, rows and users. Split it into several calls.`,
    { details: { limit } },
  );
}
