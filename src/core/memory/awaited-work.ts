// Work that takes long and that callers wait for: it is given up when the last of them has left, and when the
// service stops.

import { AppError } from "../../domain/errors.ts";
import type { Caller } from "../caller.ts";

export class AwaitedWork {
  readonly #abort = new AbortController();
  #waiting = 0;

  /** Aborts when the work is given up; its reason is an AppError. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** This caller waits, too. Returns how to stop waiting without giving up anything. */
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
