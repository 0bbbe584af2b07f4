// The errors of a rollout, each with the services on which it occurred.

import type { Target } from "./rollout.ts";

export interface ErrorGroup {
  code: string;
  /** The most frequent message. */
  message: string | null;
  targets: readonly Target[];
}

/** Returns the most frequent errors first. */
export function errorGroups(targets: readonly Target[]): ErrorGroup[] {
  const groups = Map.groupBy(targets, ({ errorCode }) => errorCode);
  groups.delete(null);
  return [...groups]
    .map(([code, of]) => ({ code: code ?? "", message: mostFrequentMessage(of), targets: of }))
    .sort((a, b) => b.targets.length - a.targets.length || a.code.localeCompare(b.code));
}

function mostFrequentMessage(targets: readonly Target[]): string | null {
  const messages = Map.groupBy(targets, ({ errorMessage }) => errorMessage);
  const [most] = [...messages].sort(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? null;
}
