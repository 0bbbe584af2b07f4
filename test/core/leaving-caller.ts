import type { Caller } from "../../src/core/caller.ts";

/** A caller that leaves when `leave` is called. */
export function leavingCaller() {
  const listeners = new Set<() => void>();
  let gone = false;
  const caller: Caller = {
    get gone() {
      return gone;
    },
    onGone(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const leave = () => {
    gone = true;
    for (const listener of listeners) listener();
  };
  return { caller, leave, listens: () => listeners.size > 0 };
}
