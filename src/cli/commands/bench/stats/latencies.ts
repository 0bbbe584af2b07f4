// A histogram of latencies that processes can send to each other and add up. Its buckets are 4 %
// wide, so a percentile is at most 4 % too high.

/** Pairs of a bucket and its count. */
export type LatencyCounts = [bucket: number, count: number][];

const smallestMs = 0.05;
const width = 1.04;

export class Latencies {
  readonly #counts = new Map<number, number>();
  #total = 0;

  get count(): number {
    return this.#total;
  }

  record(ms: number): void {
    this.#add(bucketOf(ms), 1);
  }

  add(counts: LatencyCounts): void {
    for (const [bucket, count] of counts) this.#add(bucket, count);
  }

  get counts(): LatencyCounts {
    return [...this.#counts];
  }

  /** Returns the counts since the last call, and forgets them. */
  take(): LatencyCounts {
    const { counts } = this;
    this.#counts.clear();
    this.#total = 0;
    return counts;
  }

  /** `part` 0.99 is the 99th percentile. Returns null if there are no values. */
  percentileMs(part: number): number | null {
    if (this.#total === 0) return null;
    const rank = Math.max(1, Math.ceil(part * this.#total));
    let seen = 0;
    let last = 0;
    for (const [bucket, count] of [...this.#counts].sort(([a], [b]) => a - b)) {
      last = bucket;
      seen += count;
      if (seen >= rank) break;
    }
    return rounded(smallestMs * width ** last);
  }

  #add(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#total += count;
  }
}

/** Bucket n holds the values up to `smallestMs · widthⁿ`. */
function bucketOf(ms: number): number {
  if (!(ms > smallestMs)) return 0;
  return Math.ceil(Math.log(ms / smallestMs) / Math.log(width) - 1e-9);
}

/** Rounds to three digits, which is more exact than a bucket. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
