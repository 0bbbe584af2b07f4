// The current time, for texts such as "2 min ago". The whole page shares one timer.

import { useSyncExternalStore } from "react";

const tickMs = 1_000;

// biome-ignore lint/plugin: the one place where the console asks the browser for the time
const wallClock = (): number => Date.now();

let now = wallClock();
let timer: number | undefined;
const listeners = new Set<() => void>();

/** Returns Unix milliseconds, updated every second. */
export function useNow(): number {
  return useAsOfNow((ms) => ms);
}

/** Renders the component again only when the value changes. */
export function useAsOfNow<T extends string | number>(valueAt: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => valueAt(currentTime()));
}

/**
 * Returns the current time, at most `tickMs` old. It changes only once in `tickMs`, because React
 * reads it more than once in a render.
 */
export function currentTime(): number {
  // Without a timer, `now` has not moved since the last component that showed a time.
  if (timer === undefined && wallClock() - now >= tickMs) now = wallClock();
  return now;
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
