// The line that people see while a bench runs.

import { formatBytes } from "../../../lib/bytes.ts";
import { counted } from "../../../lib/counted.ts";
import type { ServerUse } from "./server-watch.ts";
import type { Tally } from "./stats/tally.ts";

/** Returns a function that computes the rate of requests since its last call. */
export function requestRate(): (tally: Tally, nowMs: number) => number | null {
  let before: { count: number; atMs: number; rate: number | null; of: Tally } | null = null;
  return (tally, nowMs) => {
    const { counts } = tally;
    const { actions, events, heartbeats, polls, prepares, reports, results } = counts;
    const count = heartbeats + polls + reports + results + events + prepares + 2 * actions;
    if (before?.of === tally && nowMs - before.atMs < 1000) return before.rate;
    const rate =
      before?.of === tally
        ? Math.round(((count - before.count) * 1000) / (nowMs - before.atMs))
        : null;
    before = { count, atMs: nowMs, rate, of: tally };
    return rate;
  };
}

export interface LiveFacts {
  wanted: number;
  registered: number;
  held: number;
  tally: Tally;
  requestsPerSecond: number | null;
  server: ServerUse | null;
}

export function liveLine(facts: LiveFacts): string {
  const { held, registered, requestsPerSecond, server, tally, wanted } = facts;
  const { dispatch } = tally.latencies;
  const parts = [
    registered < wanted
      ? `${registered} of ${wanted} registered, ${held} connected`
      : `${held} of ${wanted} connected`,
    requestsPerSecond === null ? null : `${requestsPerSecond} req/s`,
    dispatch.count === 0
      ? null
      : `dispatch p50 ${dispatch.percentileMs(0.5)} p99 ${dispatch.percentileMs(0.99)} ms`,
    tally.errorCount === 0 ? null : counted(tally.errorCount, "error"),
    server === null
      ? null
      : `server ${Math.round((server.cpuShare ?? 0) * 100)} % CPU ${formatBytes(server.residentBytes)}`,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}
