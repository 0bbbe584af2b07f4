// Holds the polls of N agents in other processes.

import { setTimeout as sleep } from "node:timers/promises";
import { connectionLimits } from "../../src/http/connections/limits.ts";
import { descriptorLimit } from "../../src/lib/files/descriptor-limit.ts";
import { clientOf } from "./fixtures.ts";
import { type Helper, startHelper } from "./helper-process.ts";
import type { HolderReport, HolderTask } from "./holder-process.ts";

/** Connections for the measuring process and the viewers, besides those of the agents. */
const otherConnections = 500;
const agentsPerProcess = 5_000;
const heldSeconds = 60;

export interface HeldAgents {
  pids: number[];
  stop(): Promise<void>;
}

/** How many polls this system's limit on open files allows the server to hold. */
export function possibleHeld(wanted: number): number {
  return Math.min(wanted, mostConnections() - otherConnections);
}

/** Lets one address have all connections, because all agents of a benchmark share one. */
export function connectionSettings(): Record<string, string> {
  return { PLATFORM_MAX_CONNECTIONS_PER_ADDRESS: String(mostConnections()) };
}

function mostConnections(): number {
  const wanted = { maxConnections: null, maxConnectionsPerAddress: null };
  return connectionLimits(wanted, descriptorLimit()).most;
}

/**
 * Resolves when the server holds the polls of the agents from number `first` on. By default, their
 * tokens are those of the inserted fleet.
 */
export async function holdAgents(
  server: { port: number; key: string },
  first: number,
  count: number,
  signal: AbortSignal,
  tokens?: string[],
): Promise<HeldAgents> {
  const helpers: Helper<HolderTask, HolderReport>[] = [];
  const stop = async () => {
    await Promise.all(helpers.map((helper) => helper.stop()));
  };
  try {
    for (let from = first; from < first + count; from += agentsPerProcess) {
      const helper = startHelper<HolderTask, HolderReport>("holder-process.ts", signal);
      helpers.push(helper);
      const end = Math.min(from + agentsPerProcess, first + count);
      const own = tokens && { tokens: tokens.slice(from - first, end - first) };
      helper.send({ port: server.port, first: from, end, ...own });
    }
    for (const helper of helpers) {
      const report = await helper.message();
      if ("failure" in report) throw new Error(`Holding polls failed: ${report.failure}`);
    }
    await untilHeld(server, count, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pids: helpers.map(({ pid }) => pid), stop };
}

/** Polls end after their waiting time, so a few agents are always between two polls. */
async function untilHeld(
  { port, key }: { port: number; key: string },
  count: number,
  signal: AbortSignal,
): Promise<void> {
  const enough = Math.floor(count * 0.99);
  const deadline = Date.now() + heldSeconds * 1000;
  await using operator = clientOf(port, key);
  for (;;) {
    const { heldPolls } = (await operator.call("diagnostics.get")).queues;
    if (heldPolls >= enough) return;
    if (Date.now() > deadline) throw new Error(`The server holds ${heldPolls} of ${count} polls.`);
    await sleep(100, undefined, { signal });
  }
}
