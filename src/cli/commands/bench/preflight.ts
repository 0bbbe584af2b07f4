// Checks, before the load starts, that the server and this host allow it.

import { readFileSync } from "node:fs";
import { availableParallelism, platform, release } from "node:os";
import type { Client } from "../../../client/client.ts";
import { counted } from "../../../lib/counted.ts";
import { descriptorLimit } from "../../../lib/files/descriptor-limit.ts";
import { isLoopback } from "../../../lib/host.ts";
import type { Invocation } from "../../command.ts";
import { requireDestination } from "../../connecting/destination.ts";
import { proxyTo } from "../../connecting/proxy.ts";
import type { ServerDestination } from "../../connecting/server-destination.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { noteLine } from "../../terminal/notes.ts";
import {
  defaultProcesses,
  type Overhead,
  obstaclesTo,
  operatorRequests,
} from "./capacity-limits.ts";
import { findLeftovers } from "./cleanup.ts";
import { operatorCalls, sharedConnections } from "./load/connections.ts";
import type { Diagnostics } from "./server-watch.ts";
import type { BenchSettings } from "./settings.ts";

export interface ServerState {
  destination: ServerDestination;
  diagnostics: Diagnostics;
  processes: number;
  /** The requests per second with the operator's credential; null if there is no limit. */
  requestsPerSecond: number | null;
  /** Whether the server runs on this host. */
  sameHost: boolean;
  /** The number of agents that were not created by a bench. */
  otherAgents: number;
}

const overhead: Overhead = {
  connectionsPerProcess: sharedConnections + operatorCalls,
  descriptorsPerProcess: 64,
};

/** Users with other roles can only read. */
const mayBench = ["owner", "operator"];

export async function destinationOf({ io, options }: Invocation): Promise<ServerDestination> {
  const destination = await requireDestination(io, options);
  if (destination.kind !== "server") {
    throw usageError(
      "bench measures a running server: give its --server URL instead of a database.",
    );
  }
  if (proxyTo(io, destination.url) !== undefined) {
    throw usageError("bench would measure the proxy: set NO_PROXY for the server's host.");
  }
  return destination;
}

/** Throws if the user's role does not allow a bench. Returns whether the event bus is enabled. */
export async function requireRights(client: Client): Promise<boolean> {
  const { user, installation } = await client.call("auth.me");
  if (mayBench.includes(user.role)) return installation.busEnabled;
  throw new CliError(
    exit.notAllowed,
    `bench creates registration tokens, runs actions and deletes its agents, so it needs the operator or owner role; ${user.username} has the role ${user.role}.`,
    { code: "FORBIDDEN" },
  );
}

export async function inspectServer(
  { io, options }: Invocation,
  client: Client,
  destination: ServerDestination,
  settings: BenchSettings,
): Promise<ServerState> {
  const busEnabled = await requireRights(client);
  if (settings.eventsPerSecond > 0 && !busEnabled) {
    throw new CliError(
      exit.conflict,
      "--events: the server's event bus is off. Start the server with PLATFORM_CAPSULE_BUS_ENABLED=true, or leave out --events.",
      { code: "BUS_DISABLED" },
    );
  }
  const otherAgents = await countOthers(client, settings.amongOthers);
  const diagnostics = await client.call("diagnostics.get");
  const { inUse, perClient } = diagnostics.limits;
  const descriptors = descriptorLimit();
  const processes =
    settings.processes ??
    defaultProcesses(settings.agents, availableParallelism(), descriptors, overhead);
  const limits = {
    connections: inUse.connections,
    connectionsPerAddress: perClient.connectionsPerAddress,
    requestsPerSecond: perClient.requestsPerSecond,
    descriptors,
    ports: portsOfThisHost(),
  };
  const obstacles = obstaclesTo({ ...settings, processes }, limits, overhead);
  if (obstacles.length > 0) {
    const text = obstacles.length === 1 ? ` ${obstacles[0]}.` : obstacles.map(asItem).join("");
    throw new CliError(exit.conflict, `this load cannot run:${text}`, {
      code: "LIMITS_TOO_LOW",
      details: { obstacles },
    });
  }
  if (settings.eventsPerSecond > settings.agents) {
    const message =
      "Each agent will publish more than 60 events per minute, the default limit (PLATFORM_CAPSULE_BUS_INGEST_PER_MIN). If the server has this limit, it refuses the rest.";
    noteLine(io, options, "EVENT_LIMIT", message);
  }
  return {
    destination,
    diagnostics,
    processes,
    requestsPerSecond: operatorRequests(perClient.requestsPerSecond),
    sameHost: isThisHost(destination.url, diagnostics),
    otherAgents,
  };
}

/**
 * Returns the number of agents that were not created by a bench. Throws if there are agents of an
 * earlier bench or, without `amongOthers`, any other agents.
 */
async function countOthers(client: Client, amongOthers: boolean): Promise<number> {
  const { agents: own } = await findLeftovers(client, null);
  if (own.length > 0) {
    throw new CliError(
      exit.conflict,
      `the server still has ${counted(own.length, "agent")} of an earlier bench. Delete them first: platform bench --clean (unless another bench is running).`,
      { code: "LEFTOVERS" },
    );
  }
  const { pagination } = await client.page("agents.list", { query: { pageSize: 1 } });
  const others = pagination.total;
  if (others > 0 && !amongOthers) {
    throw new CliError(
      exit.conflict,
      `the server has ${counted(others, "agent")} that no bench has created. The load would slow them down, and they would change the figures. Run bench against a separate server (platform serve --data-dir FOLDER), or add --among-others.`,
      { code: "OTHER_AGENTS", details: { agents: others } },
    );
  }
  return others;
}

function asItem(obstacle: string): string {
  return `\n  ${obstacle}`;
}

/** A loopback address can also be a tunnel, so the operating systems must agree as well. */
function isThisHost(url: string, { process: { os } }: Diagnostics): boolean {
  return isLoopback(new URL(url).hostname) && os === `${platform()} ${release()}`;
}

/** Returns null if the system does not say. */
function portsOfThisHost(): number | null {
  try {
    const text = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8");
    const [first = 0, last = 0] = text.trim().split(/\s+/).map(Number);
    return last > first ? last - first : null;
  } catch {
    return null;
  }
}
