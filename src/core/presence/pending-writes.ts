// Values that the next flush writes to the database; a crash loses them. The values of a running
// flush can still be read, and are restored if it fails.

export class PendingWrites<Key, Value> {
  readonly #merge: (older: Value, newer: Value) => Value;
  #pending = new Map<Key, Value>();
  /** The values of running flushes, oldest first. */
  readonly #taken = new Set<Map<Key, Value>>();

  constructor(merge: (older: Value, newer: Value) => Value) {
    this.#merge = merge;
  }

  add(key: Key, value: Value): void {
    const older = this.#pending.get(key);
    this.#pending.set(key, older === undefined ? value : this.#merge(older, value));
  }

  /** Returns the value that the database does not have yet, or undefined. */
  get(key: Key): Value | undefined {
    let found: Value | undefined;
    for (const values of [...this.#taken, this.#pending]) {
      const value = values.get(key);
      if (value !== undefined) found = found === undefined ? value : this.#merge(found, value);
    }
    return found;
  }

  /** Drops the value, even if a flush is already writing it. */
  delete(key: Key): void {
    for (const values of [...this.#taken, this.#pending]) values.delete(key);
  }

  get dirty(): boolean {
    return this.#pending.size > 0;
  }

  /** Exactly one of `written` and `restore` must be called at the end of the flush. */
  take() {
    const values = this.#pending;
    this.#pending = new Map();
    this.#taken.add(values);
    return {
      values,
      written: () => void this.#taken.delete(values),
      restore: () => {
        this.#taken.delete(values);
        const newer = this.#pending;
        this.#pending = new Map(values);
        for (const [key, value] of newer) this.add(key, value);
      },
    };
  }
}
