// Long work that is aborted when its last caller leaves or the service stops.

import { AppError } from "../domain/errors.ts";
import type { Caller } from "./caller.ts";

export class AwaitedWork {
  readonly #abort = new AbortController();
  #waiting = 0;

  /** Aborts with an AppError as the reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Adds a caller. The returned function removes it without aborting the work. */
  join(caller: Caller): () => void {
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
    return () => {
      isWaiting = false;
      stopListening();
    };
  }

  giveUp(reason: AppError): void {
    this.#abort.abort(reason);
  }
}

export function stopping(): AppError {
  return new AppError("UNAVAILABLE", "The service is stopping.");
}
