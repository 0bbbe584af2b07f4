// Compares the wanted load with the limits of the server and of this host, before the load starts.

import { counted } from "../../../lib/counted.ts";

interface WantedLoad {
  agents: number;
  actionsPerSecond: number;
  eventsPerSecond: number;
  processes: number;
}

export interface KnownLimits {
  /** How many connections are open, and how many the server allows. */
  connections: { used: number; allowed: number };
  connectionsPerAddress: number | null;
  /** For each credential; 0 means no limit, null unknown. */
  requestsPerSecond: number | null;
  /** The limit on open files of each load process; null if unlimited or unknown. */
  descriptors: number | null;
  /** How many connections this host can open to one address and port; null if unknown. */
  ports: number | null;
}

/** What a load process needs in addition to the connections of its agents. */
export interface Overhead {
  connectionsPerProcess: number;
  /** The files that a process has open for itself. */
  descriptorsPerProcess: number;
}

/** Each action is created and awaited, and every tenth is prepared. */
const requestsPerAction = 2.1;
/** Requests per second that remain for the bench's reads of the server's own figures. */
const ownRequests = 4;
/** Leaves room for bursts, because the server counts requests per time window. */
const usablePart = 0.9;

/** Returns the requests per second that the bench can make with the operator's credential. */
export function operatorRequests(requestsPerSecond: number | null): number | null {
  return requestsPerSecond ? requestsPerSecond * usablePart : null;
}

/** Returns each reason why the load cannot run, with the setting to change. */
export function obstaclesTo(load: WantedLoad, limits: KnownLimits, overhead: Overhead): string[] {
  const { agents, actionsPerSecond, processes } = load;
  const { connections, connectionsPerAddress, descriptors, ports, requestsPerSecond } = limits;
  const needed = agents + processes * overhead.connectionsPerProcess;
  const obstacles: string[] = [];

  const free = connections.allowed - connections.used;
  if (needed > free) {
    obstacles.push(
      `the server accepts ${connections.allowed} connections, of which ${connections.used} are open, but ${counted(agents, "agent")} can need ${needed}: raise PLATFORM_MAX_CONNECTIONS (and the server's limit on open files), or use at most ${atLeast0(free - needed + agents)} agents`,
    );
  }
  if (connectionsPerAddress !== null && needed > connectionsPerAddress) {
    obstacles.push(
      `the server accepts ${connectionsPerAddress} connections from one address, but ${counted(agents, "agent")} can need ${needed}: raise PLATFORM_MAX_CONNECTIONS_PER_ADDRESS, or use at most ${atLeast0(connectionsPerAddress - needed + agents)} agents`,
    );
  }
  const rate = operatorRequests(requestsPerSecond);
  const wanted = actionsPerSecond * requestsPerAction + ownRequests;
  if (rate !== null && wanted > rate) {
    const most = Math.floor((rate - ownRequests) / requestsPerAction);
    obstacles.push(
      `the server accepts ${requestsPerSecond} requests per second with one credential, but ${actionsPerSecond} actions per second need about ${Math.ceil(wanted / usablePart)}: set PLATFORM_MAX_REQUESTS_PER_SECOND=0 on the server, or use --actions ${atLeast0(most)}`,
    );
  }
  const perProcess =
    Math.ceil(agents / processes) + overhead.connectionsPerProcess + overhead.descriptorsPerProcess;
  if (descriptors !== null && perProcess > descriptors) {
    obstacles.push(
      `this host allows ${descriptors} open files per process, but each of ${counted(processes, "load process", "load processes")} needs ${perProcess}: raise the limit (ulimit -n), or use more --processes`,
    );
  }
  if (ports !== null && needed > ports) {
    obstacles.push(
      `this host can open ${ports} connections to one address, but ${counted(agents, "agent")} can need ${needed}: widen net.ipv4.ip_local_port_range, or use fewer agents`,
    );
  }
  return obstacles;
}

/**
 * Returns one process for each `agentsWorthAProcess` agents, up to one less than the number of
 * cores; more if the limit on open files requires it.
 */
export function defaultProcesses(
  agents: number,
  cores: number,
  descriptors: number | null,
  overhead: Overhead,
): number {
  const { connectionsPerProcess, descriptorsPerProcess } = overhead;
  const room = (descriptors ?? Number.POSITIVE_INFINITY) - connectionsPerProcess;
  const forFiles = Math.ceil(agents / Math.max(1, room - descriptorsPerProcess));
  const forCores = Math.min(Math.max(1, cores - 1), Math.ceil(agents / agentsWorthAProcess));
  return Math.max(1, forFiles, forCores);
}

const agentsWorthAProcess = 1000;

function atLeast0(count: number): number {
  return Math.max(0, count);
}
