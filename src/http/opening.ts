// Requests that arrive while the service is starting wait for it.

import { AppError } from "../domain/errors.ts";

export class Opening {
  /** Null when the service is open. If it rejects, requests fail with UNAVAILABLE. */
  pending: Promise<void> | null = null;

  constructor(opening: Promise<void> | undefined) {
    if (opening === undefined) return;
    this.pending = opening.then(
      () => {
        this.pending = null;
      },
      (cause: unknown) => {
        throw new AppError("UNAVAILABLE", "The server could not start.", { cause });
      },
    );
    // The failure is ignored here because each request reports it.
    this.pending.catch(() => undefined);
  }
}
