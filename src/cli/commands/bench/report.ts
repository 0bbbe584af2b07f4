// The capacity report: what was measured, what reached its limit first, and the estimate.

import { formatDuration } from "../../../lib/duration.ts";
import {
  type Estimate,
  type EstimateLimit,
  estimateCapacity,
  shortestSeconds,
} from "./estimate.ts";
import type { FoundLimit } from "./limit-finder.ts";
import type { Outage } from "./outages.ts";
import type { ServerState } from "./preflight.ts";
import type { ServerUse } from "./server-watch.ts";
import type { BenchSettings } from "./settings.ts";
import { rounded } from "./stats/latencies.ts";
import type { LatencyName, Tally } from "./stats/tally.ts";

export interface Measurement {
  run: string;
  settings: BenchSettings;
  ground: ServerState;
  /** How long the load actually ran. */
  seconds: number;
  interrupted: boolean;
  /** How many agents were connected at the end of the load. */
  held: number;
  heldByServer: number | null;
  registerSeconds: number;
  holdAllSeconds: number;
  tally: Tally;
  idle: ServerUse;
  /** Null if the server did not respond during the load. */
  use: ServerUse | null;
  generator: { cpuShare: number; busiest: number; residentBytes: number; processes: number };
  outages: readonly Outage[];
  gaveOut: FoundLimit;
  /** The free memory of this host before the load. */
  freeBytes: number;
}

export type Report = ReturnType<typeof reportOf>;

export function reportOf(measurement: Measurement) {
  const { generator, ground, idle, seconds, settings, tally, use } = measurement;
  const { configuration, service } = ground.diagnostics;
  const { counts, errors } = tally;
  const perSecond = (count: number) => rounded(count / Math.max(seconds, 0.001));
  const estimate = use === null ? null : estimateOf(measurement, use);
  return {
    summary: summaryOf(measurement, estimate),
    run: {
      id: measurement.run,
      server: ground.destination.url,
      serverVersion: service.version,
      sameHost: ground.sameHost,
      otherAgents: ground.otherAgents,
      measuredSeconds: Number(seconds.toFixed(1)),
      interrupted: measurement.interrupted,
      heartbeatIntervalSeconds: configuration.agentHeartbeatIntervalSeconds,
      actionsPerSecondWanted: settings.actionsPerSecond,
      eventsPerSecondWanted: settings.eventsPerSecond,
    },
    agents: {
      wanted: settings.agents,
      held: measurement.held,
      heldByServer: measurement.heldByServer,
      allRegisteredAfterMs: Math.round(measurement.registerSeconds * 1000),
      allHeldAfterMs: Math.round(measurement.holdAllSeconds * 1000),
    },
    heartbeats: { perSecond: perSecond(counts.heartbeats), ...percentiles(tally, "heartbeat") },
    polls: { perSecond: perSecond(counts.polls), ...percentiles(tally, "pollDelay") },
    dispatch: {
      perSecond: perSecond(counts.actions),
      ...percentiles(tally, "dispatch"),
      clock: "one monotonic clock: the process that creates a command is its agent",
    },
    roundTrips: { perSecond: perSecond(counts.roundTrips), ...percentiles(tally, "roundTrip") },
    prepares: { perSecond: perSecond(counts.prepares), ...percentiles(tally, "prepare") },
    events: { perSecond: perSecond(counts.events), ...percentiles(tally, "event") },
    server: {
      cpuPercent: percent(use?.cpuShare),
      idleCpuPercent: percent(idle.cpuShare),
      residentBytes: use?.residentBytes ?? null,
      idleResidentBytes: idle.residentBytes,
      residentBytesPerAgent: use === null ? null : bytesPerAgent(measurement, use),
      eventLoopDelayP99Ms: use?.eventLoopDelayP99Ms ?? null,
      restarts: use?.restarts ?? 0,
      limitsReached: use?.limitsReached ?? {},
    },
    generator: {
      processes: generator.processes,
      cpuPercent: percent(generator.cpuShare),
      busiestProcessPercent: percent(generator.busiest),
      residentBytes: generator.residentBytes,
    },
    outages: measurement.outages.map((outage) => ({ ...outage })),
    errors: { total: tally.errorCount, ...(tally.errorCount > 0 ? { byKind: { ...errors } } : {}) },
    gaveOutFirst: measurement.gaveOut,
    estimate,
  };
}

/** Leaves out the summary, which is shown on its own, and describes each outage in a sentence. */
export function sheetForPeople({ summary: _, outages, ...sheet }: Report) {
  const told = outages.map(({ allBackAfterSeconds, atSeconds, fewest }) => {
    const end =
      allBackAfterSeconds === null
        ? "some agents were still missing at the end"
        : `all agents were back after ${allBackAfterSeconds} s`;
    return {
      when: `after ${atSeconds} s`,
      what: `${end}; at the fewest, ${fewest} were connected`,
    };
  });
  return { ...sheet, outages: told };
}

function percentiles(tally: Tally, name: LatencyName) {
  const latencies = tally.latencies[name];
  return { p50Ms: latencies.percentileMs(0.5), p99Ms: latencies.percentileMs(0.99) };
}

/** Returns null if the memory did not grow, for example because an earlier run had grown it. */
function bytesPerAgent({ held, idle }: Measurement, use: ServerUse): number | null {
  const grown = use.residentBytes - idle.residentBytes;
  return grown > 0 && held > 0 && use.restarts === 0 ? Math.round(grown / held) : null;
}

function estimateOf(measurement: Measurement, use: ServerUse): Estimate | null {
  const { freeBytes, ground, held, idle, seconds } = measurement;
  if (use.cpuShare === null) return null;
  const { allowed, used } = ground.diagnostics.limits.inUse.connections;
  return estimateCapacity({
    agents: held,
    seconds,
    idleCpuShare: idle.cpuShare ?? 0,
    cpuShare: use.cpuShare,
    bytesPerAgent: bytesPerAgent(measurement, use),
    availableBytes: ground.sameHost ? freeBytes : null,
    connections: allowed - used,
  });
}

function summaryOf({ ground, seconds }: Measurement, estimate: Estimate | null): string {
  if (estimate === null) {
    return seconds < shortestSeconds
      ? `No estimate: it needs a measurement of at least ${shortestSeconds} s.`
      : "No estimate: the server's own figures were not available.";
  }
  const { agents, limitedBy, spare } = estimate;
  const host = ground.sameHost ? "This host" : "The server's host";
  const every = formatDuration(ground.diagnostics.configuration.agentHeartbeatIntervalSeconds);
  const rest =
    spare >= 0 ? `with ${grouped(spare)} to spare` : `${grouped(-spare)} fewer than in this run`;
  return `${host} carries about ${grouped(agents)} agents at ${every} heartbeats, ${rest}. ${endings[limitedBy]}`;
}

const endings: Record<EstimateLimit, string> = {
  cpu: "The server's event loop reaches its limit first.",
  memory: "Its memory runs out first.",
  connections: "The limit on connections is reached first (PLATFORM_MAX_CONNECTIONS).",
  measured:
    "This is twice what was measured, and the limit may be higher: run it with more agents.",
};

function percent(share: number | null | undefined): number | null {
  return share === null || share === undefined ? null : Number((share * 100).toFixed(1));
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
