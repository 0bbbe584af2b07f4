// The time from creating a command until its agent has it, while others hold their polls. With
// several nodes, the agent waits at another node than the one that creates the command.

import { AgentLink, pacedTrips } from "./agent-link.ts";
import type { Side } from "./engine-sides.ts";
import { dispatchesPerSecond, measuredAgents, warmupSeconds } from "./fleet-kinds.ts";
import { type HeldAgents, holdAgents } from "./held-agents.ts";
import { readingOf } from "./readings.ts";

interface Options {
  duration: number;
  signal: AbortSignal;
}

export async function dispatchesOn(
  { nodes, heldAgents, operatorKey }: Side,
  { duration, signal }: Options,
): Promise<{ p50Ms: number; p99Ms: number }> {
  const portAt = (place: number) => nodes[place % nodes.length]?.port ?? 0;
  const waiting: HeldAgents[] = [];
  const links: AgentLink[] = [];
  try {
    const tokens = heldAgents.slice(measuredAgents).map(({ token }) => token);
    for (const [place, { port }] of nodes.entries()) {
      const own = tokens.filter((_, i) => i % nodes.length === place);
      waiting.push(await holdAgents({ port, key: operatorKey }, 0, own.length, signal, own));
    }
    const buffer = Buffer.allocUnsafeSlow(64 * 1024);
    for (const [place, agent] of heldAgents.slice(0, measuredAgents).entries()) {
      links.push(
        await AgentLink.open(portAt(place), agent, operatorKey, buffer, portAt(place + 1)),
      );
    }
    const pace = { perSecond: dispatchesPerSecond, seconds: warmupSeconds({ seconds: duration }) };
    await pacedTrips(links, pace, signal);
    const { delivered } = await pacedTrips(links, { ...pace, seconds: duration }, signal);
    const { p50, p99 } = readingOf("dispatch", "ms", delivered, null);
    return { p50Ms: p50, p99Ms: p99 };
  } finally {
    for (const link of links) link.close();
    await Promise.all(waiting.map((held) => held.stop()));
  }
}
