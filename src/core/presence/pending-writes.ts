// Values that the next flush writes to the database; a crash loses them. The values of the running
// flush can still be read, and are restored if it fails.

export class PendingWrites<Key, Value> {
  readonly #merge: (older: Value, newer: Value) => Value;
  #pending = new Map<Key, Value>();
  /** The values of the running flush. */
  #taken = new Map<Key, Value>();

  constructor(merge: (older: Value, newer: Value) => Value) {
    this.#merge = merge;
  }

  add(key: Key, value: Value): void {
    const older = this.#pending.get(key);
    this.#pending.set(key, older === undefined ? value : this.#merge(older, value));
  }

  /** Returns the value that the database does not have yet, or undefined. */
  get(key: Key): Value | undefined {
    const older = this.#taken.get(key);
    const newer = this.#pending.get(key);
    if (older === undefined || newer === undefined) return newer ?? older;
    return this.#merge(older, newer);
  }

  /** Drops the value, even if a flush is already writing it. */
  delete(key: Key): void {
    this.#taken.delete(key);
    this.#pending.delete(key);
  }

  get dirty(): boolean {
    return this.#pending.size > 0;
  }

  /**
   * Exactly one of `written` and `restore` must be called at the end of the flush, before the next
   * call of `take`.
   */
  take() {
    const values = this.#pending;
    this.#pending = new Map();
    this.#taken = values;
    return {
      values,
      written: () => {
        this.#taken = new Map();
      },
      restore: () => {
        this.#taken = new Map();
        const newer = this.#pending;
        this.#pending = new Map(values);
        for (const [key, value] of newer) this.add(key, value);
      },
    };
  }
}
