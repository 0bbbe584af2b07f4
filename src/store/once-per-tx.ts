// Remembers what a transaction has read, so that it does not read it again.

import type { Tx } from "./database.ts";

interface OncePerTx<T> {
  /** Calls `find` the first time for each `tx`, and later returns the same result. */
  get(tx: Tx): Promise<T>;
  /** Must be called after a change to what `find` has read. */
  forget(tx: Tx): void;
}

/** `find` must await only `tx`. */
export function oncePerTx<T>(find: (tx: Tx) => Promise<T>): OncePerTx<T> {
  const known = new WeakMap<Tx, Promise<T>>();
  return {
    get(tx) {
      const found = known.get(tx) ?? find(tx);
      known.set(tx, found);
      return found;
    },
    forget: (tx) => void known.delete(tx),
  };
}
