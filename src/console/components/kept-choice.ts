// A choice for the whole console, which the browser stores.

import { useSyncExternalStore } from "react";
import { type KeptKey, keep, readKept } from "./kept.ts";

/** The first choice is the default, which is not stored. */
export function keptChoice<T extends string>(key: KeptKey, choices: readonly [T, ...T[]]) {
  let current = choices.find((each) => each === readKept(key)) ?? choices[0];
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get: () => current,
    set(next: T): void {
      current = next;
      keep(key, next === choices[0] ? null : next);
      for (const listener of listeners) listener();
    },
    use: (): T => useSyncExternalStore(subscribe, () => current),
  };
}
