// Estimates from a measurement how many agents the host can carry. (docs/performance.md)

export interface Measured {
  agents: number;
  seconds: number;
  /** The server's CPU time per second before and during the load. */
  idleCpuShare: number;
  cpuShare: number;
  /** Null if the memory did not grow measurably. */
  bytesPerAgent: number | null;
  /** The memory available to the server, including what it used before; null if unknown. */
  availableBytes: number | null;
  /** The connections that the server allows, minus those that were open before the run. */
  connections: number;
}

const estimateLimits = ["cpu", "memory", "connections", "measured"] as const;
export type EstimateLimit = (typeof estimateLimits)[number];

export interface Estimate {
  agents: number;
  /** How many more agents than in this run; negative if the run had too many. */
  spare: number;
  /** What limits the estimate. `measured`: this run was too small for a higher estimate. */
  limitedBy: EstimateLimit;
  byLimit: Record<EstimateLimit, number | null>;
}

/** The server's event loop is one thread. Above this share of a core, latencies grow quickly. */
const usableCpuShare = 0.7;
const usableMemoryPart = 0.8;
const usableConnectionsPart = 0.9;
/** The estimate is at most this many times the number of agents in the run. */
const mostTimesMeasured = 2;
/** A shorter run contains too few heartbeats. */
export const shortestSeconds = 10;

/** Returns null if the run was too short. */
export function estimateCapacity(measured: Measured): Estimate | null {
  const { agents, availableBytes, bytesPerAgent, connections, seconds } = measured;
  if (seconds < shortestSeconds || agents === 0) return null;
  const byLimit = {
    cpu: byCpu(measured),
    memory:
      bytesPerAgent === null || availableBytes === null
        ? null
        : Math.floor((availableBytes * usableMemoryPart) / bytesPerAgent),
    connections: Math.floor(connections * usableConnectionsPart),
    measured: agents * mostTimesMeasured,
  };
  let limitedBy: EstimateLimit = "measured";
  for (const name of estimateLimits) {
    if ((byLimit[name] ?? Number.POSITIVE_INFINITY) < (byLimit[limitedBy] ?? 0)) limitedBy = name;
  }
  const most = twoDigits(byLimit[limitedBy] ?? 0);
  return { agents: most, spare: most - agents, limitedBy, byLimit };
}

function byCpu({ agents, cpuShare, idleCpuShare }: Measured): number | null {
  const forAgents = cpuShare - idleCpuShare;
  if (forAgents <= 0) return null;
  return Math.floor((agents * Math.max(0, usableCpuShare - idleCpuShare)) / forAgents);
}

/** Rounds down, because more digits would promise too much. */
function twoDigits(count: number): number {
  if (count < 100) return count;
  const unit = 10 ** (Math.floor(Math.log10(count)) - 1);
  return Math.floor(count / unit) * unit;
}
