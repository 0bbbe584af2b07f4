// Does the look-ups of one turn of the event loop together. Each is done after it was asked for, so
// nothing is remembered.

export class TurnLookups<Key, Value> {
  readonly #find: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  #next: { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Value>> } | null = null;

  constructor(find: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {
    this.#find = find;
  }

  async find(key: Key): Promise<Value | null> {
    this.#next ??= this.#begin();
    this.#next.keys.add(key);
    return (await this.#next.found).get(key) ?? null;
  }

  #begin() {
    const keys = new Set<Key>();
    const { promise: found, resolve } = Promise.withResolvers<ReadonlyMap<Key, Value>>();
    setImmediate(() => {
      this.#next = null;
      resolve(this.#find([...keys]));
    });
    return { keys, found };
  }
}
