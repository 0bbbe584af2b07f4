// Compares PostgreSQL with SQLite: one node, and three nodes over which the load is spread. The
// rounds on all of them alternate, so that other load on the machine affects each alike.

import type { HorizontalTableRow } from "cli-table3";
import { Latencies } from "../../src/cli/commands/bench/stats/latencies.ts";
import { AgentLink, pacedTrips } from "./agent-link.ts";
import { benches } from "./benches.ts";
import { measure, median, type Plan, type Round, requestsFor, summarize } from "./compare.ts";
import { type Side, startSides } from "./engine-sides.ts";
import { dispatchesPerSecond, measuredAgents, warmupSeconds } from "./fleet-kinds.ts";
import { type HeldAgents, holdAgents } from "./held-agents.ts";
import { readingOf } from "./readings.ts";
import { tableOf } from "./table.ts";

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

export interface EngineFigure {
  work: string;
  /** SQLite, or PostgreSQL with a number of nodes. */
  on: string;
  /** Requests per second; null for dispatch, whose rate is fixed. */
  perSecond: number | null;
  /**
   * A multiple of SQLite's requests per second or, for dispatch, of SQLite's p99. Null for SQLite
   * itself.
   */
  ratio: number | null;
  target: number | null;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the nodes per request, without that of PostgreSQL; null if unknown. */
  cpuMicrosPerRequest: number | null;
}

const measured = ["heartbeat", "poll", "result", "create"];
const targets: Record<string, number> = { heartbeat: 0.3, result: 0.5 };
/** How many commands are inserted for each second of the first round. */
const resultsPerSecondGuess = 5_000;

export async function measureEngines(options: EngineOptions): Promise<EngineFigure[]> {
  const { sides, stop } = await startSides(options);
  try {
    const figures: EngineFigure[] = [];
    // Dispatch is measured first, because the other measurements leave pending commands behind.
    const dispatched: EngineFigure[] = [];
    for (const side of sides) {
      options.progress(`measuring: dispatch on ${side.name}`);
      const { p50Ms, p99Ms } = await dispatchesOn(side, options);
      const first = dispatched[0];
      const ratio = first ? p99Ms / first.p99Ms : null;
      dispatched.push({
        work: "dispatch",
        on: side.name,
        perSecond: null,
        ratio,
        target: null,
        p50Ms,
        p99Ms,
        cpuMicrosPerRequest: null,
      });
    }
    for (const name of measured) {
      options.progress(`measuring: ${name}`);
      figures.push(...(await measureRates(name, sides, options)));
    }
    return [...figures, ...dispatched];
  } finally {
    await stop();
  }
}

/**
 * Measures the time from creating a command until its agent has it, while other agents hold their
 * polls. With several nodes, the operator and the agent use different nodes.
 */
async function dispatchesOn(
  { nodes, heldAgents, operatorKey }: Side,
  { duration, signal }: EngineOptions,
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

async function measureRates(
  name: string,
  sides: Side[],
  { rounds, seconds, warmupSeconds }: EngineOptions,
): Promise<EngineFigure[]> {
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
  return [...done].map(([side, own], place) => {
    const { requestsPerSecond, p50Ms, p99Ms, cpuMicrosPerRequest } = summarize(own);
    const ratios = own.map((round, i) => round.requestsPerSecond / rateOf(sqlite[i]));
    return {
      work: bench.work,
      on: side.name,
      perSecond: requestsPerSecond,
      ratio: place === 0 ? null : median(ratios),
      target: place === 0 ? null : (targets[name] ?? null),
      p50Ms,
      p99Ms,
      cpuMicrosPerRequest,
    };
  });
}

function rateOf(round: Round | undefined): number {
  return round?.requestsPerSecond ?? Number.NaN;
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

export function formatEngines(figures: EngineFigure[]): string {
  const head = ["work", "on", "req/s", "ratio", "target", "p50 ms", "p99 ms", "CPU µs"];
  const rows = figures.map((figure): HorizontalTableRow => {
    const { work, on, perSecond, ratio, target, p50Ms, p99Ms, cpuMicrosPerRequest } = figure;
    const verdict = (ratio ?? 0) >= (target ?? 0) ? "met" : "missed";
    return [
      ...[work, on, perSecond === null ? "" : Math.round(perSecond)],
      ratio === null ? "" : ratio.toFixed(2),
      target === null ? "" : `≥ ${target.toFixed(2)} ${verdict}`,
      ...[p50Ms.toFixed(2), p99Ms.toFixed(2), cpuMicrosPerRequest?.toFixed(0) ?? ""],
    ];
  });
  return [
    tableOf(head, rows, 2),
    "The ratio compares with SQLite: the requests per second or, for dispatch, the p99. The CPU time is " +
      "that\nof the nodes for one request, without PostgreSQL's.",
  ].join("\n");
}
