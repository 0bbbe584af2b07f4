// What a load process counts. The processes send their counts several times a second; the parent
// adds them up.

import { Latencies, type LatencyCounts } from "./latencies.ts";

const countNames = [
  "heartbeats",
  "polls",
  "reports",
  "results",
  "deliveries",
  "prepares",
  "actions",
  "roundTrips",
  "events",
] as const;
type CountName = (typeof countNames)[number];

/** `pollDelay`: from the end of an empty poll's waiting time until its response. */
const latencyNames = [
  "heartbeat",
  "pollDelay",
  "dispatch",
  "prepare",
  "roundTrip",
  "event",
] as const;
export type LatencyName = (typeof latencyNames)[number];

export interface TallyData {
  counts: Partial<Record<CountName, number>>;
  latencies: Partial<Record<LatencyName, LatencyCounts>>;
  /** How often each kind of error occurred, by its code. */
  errors: Record<string, number>;
}

export class Tally {
  readonly counts = Object.fromEntries(countNames.map((name) => [name, 0])) as Record<
    CountName,
    number
  >;
  readonly latencies = Object.fromEntries(
    latencyNames.map((name) => [name, new Latencies()]),
  ) as Record<LatencyName, Latencies>;
  errors: Record<string, number> = {};

  count(name: CountName): void {
    this.counts[name]++;
  }

  failed(kind: string): void {
    this.errors[kind] = (this.errors[kind] ?? 0) + 1;
  }

  get errorCount(): number {
    return Object.values(this.errors).reduce((sum, count) => sum + count, 0);
  }

  add({ counts, latencies, errors }: TallyData): void {
    for (const name of countNames) this.counts[name] += counts[name] ?? 0;
    for (const name of latencyNames) this.latencies[name].add(latencies[name] ?? []);
    for (const [kind, count] of Object.entries(errors)) {
      this.errors[kind] = (this.errors[kind] ?? 0) + count;
    }
  }

  /** Returns what was counted since the last call, and forgets it. */
  take(): TallyData {
    const { errors } = this;
    const counts = { ...this.counts };
    this.errors = {};
    for (const name of countNames) this.counts[name] = 0;
    const latencies = Object.fromEntries(
      latencyNames.map((name) => [name, this.latencies[name].take()]),
    );
    return { counts, latencies, errors };
  }
}
