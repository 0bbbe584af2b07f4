// Limits the downloads of each credential, because a client can take minutes to read each of them.
// (docs/decisions/0015-limits-on-clients.md)

import type { LimitWatch } from "../../core/limits/limit-watch.ts";
import { AppError } from "../../domain/errors.ts";
import { maxDownloadsPerCredential } from "../../domain/limits.ts";

export class Downloads {
  readonly #watch: LimitWatch;
  readonly #inProgress = new Map<string, number>();

  constructor(watch: LimitWatch) {
    this.#watch = watch;
  }

  /** Returns a function that must be called when the download has ended. Throws RATE_LIMITED. */
  begin(credential: string): () => void {
    const count = this.#inProgress.get(credential) ?? 0;
    if (count >= maxDownloadsPerCredential) {
      this.#watch.note("heavyCalls", { credential });
      const message = `This credential already has ${maxDownloadsPerCredential} downloads in progress.`;
      throw new AppError("RATE_LIMITED", message, { retryAfterSeconds: 10 });
    }
    this.#inProgress.set(credential, count + 1);
    return () => this.#end(credential);
  }

  #end(credential: string): void {
    const count = (this.#inProgress.get(credential) ?? 0) - 1;
    if (count > 0) this.#inProgress.set(credential, count);
    else this.#inProgress.delete(credential);
  }
}
