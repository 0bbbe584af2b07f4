// Counters in memory, added to the stored ones with the next flush. Not authoritative: a crash loses
// what was counted since the last flush, at most a second. (`decisions.md` 9)

import { addToCounter } from "../store/counters.ts";
import type { Tx } from "../store/database.ts";

export const counterNames = [
  "agentCommandPolls",
  "commandsDispatched",
  "commandsCompleted",
  "commandsFailed",
  "actionPrepareRequested",
  "actionPrepareTimeouts",
  "actionPrepareFailures",
  "oversizedCommandResultsRejected",
] as const;
export type CounterName = (typeof counterNames)[number];

export class Counters {
  #pending = new Map<CounterName, number>();

  add(name: CounterName, amount = 1): void {
    this.#pending.set(name, (this.#pending.get(name) ?? 0) + amount);
  }

  get dirty(): boolean {
    return this.#pending.size > 0;
  }

  /** Takes what is pending; hand it back with `restore` when it could not be written. */
  take(): Map<CounterName, number> {
    const taken = this.#pending;
    this.#pending = new Map();
    return taken;
  }

  restore(taken: Map<CounterName, number>): void {
    for (const [name, amount] of taken) this.add(name, amount);
  }
}

export async function writeCounters(tx: Tx, taken: Map<CounterName, number>): Promise<void> {
  for (const [name, amount] of taken) await addToCounter(tx, name, amount);
}
