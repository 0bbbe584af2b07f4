// A cache of what was read from the database. A read that began before an invalidation is not remembered after
// it: take `generation` before the read and pass it to `set`. Not authoritative: another process's changes clear
// it (foreign-changes.ts), our own invalidate the entries that they concern.

export class InvalidatedMap<Key, Value> {
  readonly #values = new Map<Key, Value>();
  readonly #maxSize: number;
  #generation = 0;

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

  /** Does nothing if anything was invalidated since `generation` was taken. */
  set(key: Key, value: Value, generation: number): void {
    if (generation !== this.#generation) return;
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
