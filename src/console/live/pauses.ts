// The delays before the live stream reconnects. They increase until a stream has stayed open for a
// while, because the server may be too busy if streams close soon after they open.

const firstMs = 500;
const maxMs = 10_000;
/** A stream that has stayed open this long counts as stable. */
const stableMs = 10_000;

export class Pauses {
  #nextMs = firstMs;
  #openSince: number | null = null;

  noteOpen(now: number): void {
    this.#openSince = now;
  }

  /**
   * Returns the next delay in milliseconds. `chance` (0 to 1) varies it, so that pages do not all
   * reconnect at the same moment.
   */
  next(now: number, chance: number): number {
    if (this.#openSince !== null && now - this.#openSince >= stableMs) this.#nextMs = firstMs;
    this.#openSince = null;
    const pauseMs = this.#nextMs;
    this.#nextMs = Math.min(maxMs, pauseMs * 2);
    return pauseMs * (0.5 + chance / 2);
  }
}
