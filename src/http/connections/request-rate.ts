import type { LimitWatch } from "../../core/limits/limit-watch.ts";
import { AppError } from "../../domain/errors.ts";

/** Requests are counted in windows of this length, so that short bursts are allowed. */
const rateWindowMs = 10_000;

export class RequestRate {
  readonly #most: number;
  readonly #watch: LimitWatch;
  readonly #monotonic: () => number;
  #counts = new Map<string, number>();
  #windowEnds = 0;

  constructor(perSecond: number, watch: LimitWatch, monotonic: () => number) {
    this.#most = (perSecond * rateWindowMs) / 1000;
    this.#watch = watch;
    this.#monotonic = monotonic;
  }

  /** Counts a request. Throws RATE_LIMITED if there were too many. */
  require(credential: string | null): void {
    if (this.#most === 0 || credential === null) return;
    const now = this.#monotonic();
    if (now >= this.#windowEnds) {
      this.#counts = new Map();
      this.#windowEnds = now + rateWindowMs;
    }
    const count = (this.#counts.get(credential) ?? 0) + 1;
    this.#counts.set(credential, count);
    if (count <= this.#most) return;
    this.#watch.note("requestsPerCredential", { credential });
    throw new AppError("RATE_LIMITED", "Too many requests with this credential.", {
      retryAfterSeconds: Math.max(1, (this.#windowEnds - now) / 1000),
    });
  }
}
