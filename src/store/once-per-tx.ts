// Remembers what a transaction has read, so that it does not read it again.

import type { Reader, Tx } from "./database.ts";

interface OncePerTx<T> {
  /**
   * Calls `find` only once for each transaction, but every time for any other reader. A caller that
   * changes the result must therefore pass a transaction.
   */
  get(db: Reader): Promise<T>;
  /** Must be called after a change to what `find` has read. */
  forget(tx: Tx): void;
}

/** `find` must await only `db`. */
export function oncePerTx<T>(find: (db: Reader) => Promise<T>): OncePerTx<T> {
  const known = new WeakMap<Reader, Promise<T>>();
  return {
    get(db) {
      const found = known.get(db) ?? find(db);
      if ("run" in db) known.set(db, found);
      return found;
    },
    forget: (tx) => void known.delete(tx),
  };
}
