// Whether single-key shortcuts are on. People who speak to their computer, or press keys by
// accident, can turn them off (WCAG 2.1.4). The browser stores the choice.

import { useSyncExternalStore } from "react";
import { keep, readKept } from "../../components/kept.ts";

let isOn = readKept("shortcuts") !== "off";
const listeners = new Set<() => void>();

export function setSingleKeys(next: boolean): void {
  isOn = next;
  keep("shortcuts", next ? null : "off");
  for (const listener of listeners) listener();
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, () => isOn);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
