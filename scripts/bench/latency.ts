// Percentiles of many short times, counted in buckets of 10 µs so that recording a time costs one
// array access. The last bucket, at two seconds, also counts all longer times.

const bucketsPerMs = 100;

export class Latency {
  readonly #buckets = new Uint32Array(2000 * bucketsPerMs);
  #count = 0;

  record(ms: number): void {
    const bucket = Math.min(Math.trunc(ms * bucketsPerMs), this.#buckets.length - 1);
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1;
    this.#count++;
  }

  add(other: Latency): void {
    for (const [i, count] of other.#buckets.entries()) {
      this.#buckets[i] = (this.#buckets[i] as number) + count;
    }
    this.#count += other.#count;
  }

  /** Returns the upper edge of the percentile's bucket. `share` is 0 to 1. */
  percentile(share: number): number {
    let left = Math.max(1, Math.ceil(this.#count * share));
    const bucket = this.#buckets.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return (bucket + 1) / bucketsPerMs;
  }
}
