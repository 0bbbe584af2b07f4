// How long to wait before the live stream is tried again: longer and longer, until one has held for a while.
// One that breaks off soon after it was opened has helped nobody; the server may be too busy for this page.

const firstMs = 500;
const maxMs = 10_000;
/** Open for this long, it has held. */
const heldMs = 10_000;

export class Pauses {
  #nextMs = firstMs;
  #openSince: number | null = null;

  noteOpen(now: number): void {
    this.#openSince = now;
  }

  /** `chance` is from 0 to 1: after a restart of the server not all pages come back at the same moment. */
  next(now: number, chance: number): number {
    if (this.#openSince !== null && now - this.#openSince >= heldMs) this.#nextMs = firstMs;
    this.#openSince = null;
    const pauseMs = this.#nextMs;
    this.#nextMs = Math.min(maxMs, pauseMs * 2);
    return pauseMs * (0.5 + chance / 2);
  }
}
