// Counters in memory, added to the stored ones with the next flush. Not authoritative: a crash loses
// what was counted since the last flush, at most a second.

import type { Tx } from "../../store/database.ts";
import { addToCounter } from "../../store/tables/counters.ts";

const operationalCounters = [
  "agentCommandPolls",
  "commandsDispatched",
  "commandsCompleted",
  "commandsFailed",
  "actionPrepareRequested",
  "actionPrepareTimeouts",
  "actionPrepareFailures",
  "oversizedCommandResultsRejected",
] as const;
const busCounters = [
  "busEventsReceived",
  "busEventsDuplicate",
  "busEventsRejected",
  "busEventsRateLimited",
  "busCommandsCreated",
  "busRoutesFailed",
] as const;

export const counterNames = [...operationalCounters, ...busCounters] as const;
export type CounterName = (typeof counterNames)[number];

export class Counters {
  #pending = new Map<CounterName, number>();
  /** Taken, and not known to be stored yet. */
  readonly #taken = new Set<Map<CounterName, number>>();

  add(name: CounterName, amount = 1): void {
    this.#pending.set(name, (this.#pending.get(name) ?? 0) + amount);
  }

  get dirty(): boolean {
    return this.#pending.size > 0;
  }

  /** Takes what is pending. To be ended with `written`, or with `restore` when that failed. */
  take(): Map<CounterName, number> {
    const taken = this.#pending;
    this.#pending = new Map();
    this.#taken.add(taken);
    return taken;
  }

  written(taken: Map<CounterName, number>): void {
    this.#taken.delete(taken);
  }

  restore(taken: Map<CounterName, number>): void {
    this.#taken.delete(taken);
    for (const [name, amount] of taken) this.add(name, amount);
  }

  /** What has to be added to the stored counters to have the true ones. */
  unwritten(): Record<CounterName, number> {
    const maps = [this.#pending, ...this.#taken];
    const sumOf = (name: CounterName) => maps.reduce((sum, map) => sum + (map.get(name) ?? 0), 0);
    const sums = counterNames.map((name) => [name, sumOf(name)]);
    return Object.fromEntries(sums) as Record<CounterName, number>;
  }
}

export async function writeCounters(tx: Tx, taken: Map<CounterName, number>): Promise<void> {
  for (const [name, amount] of taken) await addToCounter(tx, name, amount);
}
