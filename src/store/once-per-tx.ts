// Remembers what a transaction has read, so that it reads this only once.

import type { Tx } from "./database.ts";

interface OncePerTx<T> {
  /** Returns what `find` has returned when this was first called with `tx`. */
  get(tx: Tx): Promise<T>;
  /** Must be called after a change of what was found. */
  forget(tx: Tx): void;
}

/** `find` awaits only `tx`. */
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
