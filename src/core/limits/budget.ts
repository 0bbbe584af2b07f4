// Limits the work of one call, and lets other calls run in between.
// (docs/decisions/0015-limits-on-clients.md)

import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import { counted } from "../../lib/counted.ts";
import { stopping } from "../awaited-work.ts";
import type { Caller } from "../caller.ts";

/** How long a call runs before others get a turn. */
const sliceMs = 5;
/** How long the event loop is free between two slices. */
const restMs = 1;

/** Long calls take turns, so that many of them delay other calls no more than one does. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the caller may continue. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => pause(restMs));
    return this.#last;
  }
}

interface BudgetNeeds {
  monotonic: () => number;
  stopping: AbortSignal;
  turns: Turns;
}

/**
 * Counts the work of one call. If the work depends on the size of the request or of the database,
 * the use case must call `spend` at least once per millisecond of CPU time.
 */
export class Budget {
  /** The units spent so far. */
  spent = 0;
  /**
   * The maximum of `spent`; null means no limit. A unit is a row, document or user that is read.
   */
  limit: number | null = null;
  readonly #core: BudgetNeeds;
  readonly #caller: Caller;
  /** When the current slice ends, in monotonic milliseconds. */
  #until: number | null = null;

  constructor(core: BudgetNeeds, caller: Caller) {
    this.#core = core;
    this.#caller = caller;
  }

  /**
   * Adds units, and resolves when the call may continue. At the end of a slice, other calls run
   * first. Must not be awaited in a transaction. Throws TOO_MUCH_WORK beyond the limit, and
   * UNAVAILABLE if the caller has left or the service is stopping.
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
  const message = `This call would have to examine more than ${counted(limit, "item")}`;
  return new AppError(
    "TOO_MUCH_WORK",
    `${message}: documents, services, rows and users. Split it into several calls.`,
    { details: { limit } },
  );
}
