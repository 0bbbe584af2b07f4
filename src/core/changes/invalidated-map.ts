// A cache of database reads. Get `generation` before a read and pass it to `set`, which ignores the
// value if there was an invalidation in between.

export class InvalidatedMap<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #maxSize: number;
  #generation = 0;

  /** If `maxSize` is 0, the map stays empty. */
  constructor(maxSize = Number.POSITIVE_INFINITY) {
    this.#maxSize = maxSize;
  }

  /** The number of invalidations so far. */
  get generation(): number {
    return this.#generation;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value, generation: number): void {
    if (generation !== this.#generation || this.#maxSize === 0) return;
    if (this.#values.size >= this.#maxSize) this.#values.clear();
    this.#values.set(key, value);
  }

  invalidate(key: Key): void {
    this.#generation++;
    this.#values.delete(key);
  }

  clear(): void {
    this.#generation++;
    this.#values.clear();
  }
}
