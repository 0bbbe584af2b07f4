// Compares PostgreSQL with SQLite: one node, and three nodes over which the load is spread. The
// rounds on all of them alternate, so that other load on the machine affects each alike.

import { Latencies } from "../../src/cli/commands/bench/stats/latencies.ts";
import { AgentLink, pacedTrips } from "./agent-link.ts";
import { benches } from "./benches.ts";
import {
  measure,
  type Plan,
  type Round,
  ratioReading,
  requestsFor,
  roundReadings,
} from "./compare.ts";
import { type Side, startSides } from "./engine-sides.ts";
import { dispatchesPerSecond, measuredAgents, warmupSeconds } from "./fleet-kinds.ts";
import { type HeldAgents, holdAgents } from "./held-agents.ts";
import { type Measurement, type Reading, readingOf } from "./readings.ts";

export interface EngineOptions extends Plan {
  connections: number;
  held: number;
  /** For how many seconds dispatch is measured. */
  duration: number;
  /** The folder for PostgreSQL's data, which PostgreSQL's user must be able to reach. */
  dir: string;
  /** The folder for everything else. */
  folder: string;
  signal: AbortSignal;
  progress: (text: string) => void;
}

const measured = ["heartbeat", "poll", "result", "create"];
const targets: Record<string, number> = { heartbeat: 0.3, result: 0.5 };
/** How many commands are inserted for each second of the first round. */
const resultsPerSecondGuess = 5_000;

export async function measureEngines(options: EngineOptions): Promise<Measurement[]> {
  const { sides, stop } = await startSides(options);
  try {
    // Dispatch is measured first, because the other measurements leave pending commands behind.
    const dispatches: Reading[] = [];
    for (const side of sides) {
      options.progress(`measuring: dispatch on ${side.name}`);
      dispatches.push(await dispatchesOn(side, options));
    }
    const rates: Measurement[] = [];
    for (const name of measured) {
      options.progress(`measuring: ${name}`);
      rates.push(await measureRates(name, sides, options));
    }
    const note = "From creating a command until its agent has it.";
    const dispatch = { notes: [note], readings: dispatches, processors: {} };
    return [...rates, { name: "postgresql dispatch", ...dispatch }];
  } finally {
    await stop();
  }
}

/**
 * Measures the time from creating a command until its agent has it, while other agents hold their
 * polls. With several nodes, the operator and the agent use different nodes.
 */
async function dispatchesOn(
  { name, nodes, heldAgents, operatorKey }: Side,
  { duration, signal }: EngineOptions,
): Promise<Reading> {
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
    return readingOf(name, "ms", delivered, null);
  } finally {
    for (const link of links) link.close();
    await Promise.all(waiting.map((held) => held.stop()));
  }
}

async function measureRates(
  name: string,
  sides: Side[],
  { rounds, seconds, warmupSeconds }: EngineOptions,
): Promise<Measurement> {
  const bench = benches.find((one) => one.name === name);
  if (!bench) throw new Error(`There is no benchmark "${name}".`);
  const expected = new Map<Side, number>();
  const roundOn = async (side: Side, length: number): Promise<Round> => {
    const { nodes, agents, operatorKey } = side;
    const count = Math.ceil((expected.get(side) ?? resultsPerSecondGuess) * length * 1.3);
    const numbers = bench.usesUpCommands
      ? await side.insertCommands(count)
      : { first: 1, end: Infinity };
    const nodeOf = (place: number) => nodes[place % nodes.length] as (typeof nodes)[number];
    const all = requestsFor(bench, nodeOf, { agents, operatorKey }, numbers);
    const parts = await Promise.all(
      nodes.map((node) =>
        measure(
          node,
          all.filter((_, place) => nodeOf(place) === node),
          length,
        ),
      ),
    );
    const round = together(parts);
    expected.set(side, round.requestsPerSecond);
    return round;
  };
  for (const side of sides) await roundOn(side, warmupSeconds);
  const done = new Map(sides.map((side) => [side, [] as Round[]]));
  for (let i = 0; i < rounds; i++) {
    for (const side of sides) done.get(side)?.push(await roundOn(side, seconds));
  }
  const [sqlite = []] = done.values();
  return {
    name: `postgresql ${name}`,
    notes: [`${bench.work}; the CPU time is that of the nodes, without PostgreSQL's.`],
    readings: [...done].flatMap(([side, own], place) => [
      ...(place === 0
        ? []
        : [
            ratioReading(
              `${side.name}: rate compared with SQLite`,
              own,
              sqlite,
              targets[name] ?? null,
            ),
          ]),
      ...roundReadings(side.name, own),
    ]),
    processors: {},
  };
}

/** Adds up what the nodes of a cluster did at the same time. */
function together(parts: Round[]): Round {
  const latencies = new Latencies();
  for (const part of parts) latencies.add(part.latencies.counts);
  const sum = (of: (part: Round) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    answered: sum(({ answered }) => answered),
    requestsPerSecond: sum(({ requestsPerSecond }) => requestsPerSecond),
    latencies,
    cpuMicros: parts.some(({ cpuMicros }) => cpuMicros === null)
      ? null
      : sum(({ cpuMicros }) => cpuMicros ?? 0),
    wallMicros: Math.max(...parts.map(({ wallMicros }) => wallMicros)),
  };
}
