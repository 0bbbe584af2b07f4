// The present moment, for what is told relative to it. One timer for the whole page.

import { useSyncExternalStore } from "react";

const tickMs = 1_000;

// biome-ignore lint/plugin: the one place where the console asks the browser for the time
const wallClock = (): number => Date.now();

let now = wallClock();
let timer: number | undefined;
const listeners = new Set<() => void>();

/** Milliseconds since 1970, moved on every second while somebody watches. */
export function useNow(): number {
  return useAsOfNow((ms) => ms);
}

/** What is told of the present moment: drawn anew only when that changes, not every second. */
export function useAsOfNow<T extends string | number>(tell: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => tell(now));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(tick, tickMs);
  now = wallClock();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = wallClock();
  for (const listener of listeners) listener();
}
