// Measures how fast commands reach agents, and what a held poll costs, with a fleet in an otherwise
// empty database.

import { mkdirSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { type AgentLink, openLinks, pacedTrips } from "./agent-link.ts";
import { connectionSettings, type HeldAgents, holdAgents, possibleHeld } from "./held-agents.ts";
import { type FleetSize, fleetAgent, insertLargeFleet } from "./large-fleet.ts";
import { measureProcessors, processCpuMs } from "./processors.ts";
import { type Measurement, type Reading, readingOf, type Target, verdictOf } from "./readings.ts";
import { createKey, type ProbedSubject, patient, startProbedSubject } from "./subject.ts";

export interface KindOptions {
  /** A folder for this measurement's data. */
  folder: string;
  /** The number of agents whose polls are held. */
  held: number;
  seconds: number;
  signal: AbortSignal;
  progress: (text: string) => void;
}

/** These agents get commands; the others only wait. */
export const measuredAgents = 50;
export const dispatchesPerSecond = 100;
const agentsAtOnce = 100;
const memoryReadings = 5;

/** The first requests load code and fill caches. */
export function warmupSeconds({ seconds }: Pick<KindOptions, "seconds">): number {
  return Math.min(3, seconds);
}

interface Fleet {
  subject: ProbedSubject;
  key: string;
  size: FleetSize;
}

async function startFleet({ folder, signal }: KindOptions, agents: number): Promise<Fleet> {
  mkdirSync(folder, { mode: 0o700 });
  const subject = await startProbedSubject(folder, signal, { ...patient, ...connectionSettings() });
  try {
    const size = { agents, services: agents, servicesPerAgent: 1, commands: 0, days: 1 };
    insertLargeFleet(subject.databaseFile, size);
    return { subject, key: await createKey(subject.databaseFile, "owner"), size };
  } catch (error) {
    await subject.stop();
    throw error;
  }
}

/** Returns the first agents, which are measured. The others only hold their polls. */
function measuredOf(size: FleetSize, count: number) {
  return Array.from({ length: count }, (_, number) => fleetAgent(number, size));
}

export async function measureDispatch(options: KindOptions): Promise<Measurement> {
  const { seconds, signal, progress } = options;
  const held = possibleHeld(options.held);
  const { subject, key, size } = await startFleet(options, held);
  let others: HeldAgents | null = null;
  let links: AgentLink[] = [];
  try {
    progress(`holding the polls of ${held} agents`);
    const server = { port: subject.port, key };
    others = await holdAgents(server, measuredAgents, held - measuredAgents, signal);
    links = await openLinks(subject.port, measuredOf(size, measuredAgents), key);
    progress("measuring: dispatch");
    const pace = { perSecond: dispatchesPerSecond, seconds: warmupSeconds(options) };
    await pacedTrips(links, pace, signal);
    await subject.probe("reset");
    const shares = measureProcessors(subject.pid, { "the held agents": others.pids });
    const { created, delivered } = await pacedTrips(links, { ...pace, seconds }, signal);
    const { loop } = await subject.probe("read");
    return {
      name: "dispatch",
      notes: [
        `${held} agents held${fewer(held, options.held)}, of which ${measuredAgents} get ` +
          `${dispatchesPerSecond} commands a second in turn, for ${seconds} s.`,
      ],
      readings: [
        readingOf("create → agent has it", "ms", delivered, { figure: "p99", limit: 10 }),
        readingOf("create → response", "ms", created, null),
        loopReading(loop, null),
      ],
      processors: shares(),
    };
  } finally {
    for (const link of links) link.close();
    await others?.stop();
    await subject.stop();
  }
}

export function fewer(held: number, wanted: number): string {
  return held === wanted ? "" : ` (of ${wanted}: the limit on open files allows no more)`;
}

export function loopReading(
  { minMs, p50Ms, p99Ms, maxMs, samples }: Awaited<ReturnType<ProbedSubject["probe"]>>["loop"],
  target: Target | null,
): Reading {
  const figures = { min: minMs, p50: p50Ms, p99: p99Ms, max: maxMs, samples };
  return { work: "event loop delay", unit: "ms", ...figures, ...verdictOf(figures, target) };
}

export async function measureRoundTrips(options: KindOptions): Promise<Measurement> {
  const { seconds, signal, progress } = options;
  const { subject, key, size } = await startFleet(options, agentsAtOnce);
  let links: AgentLink[] = [];
  try {
    links = await openLinks(subject.port, measuredOf(size, agentsAtOnce), key);
    progress("measuring: round trips");
    await repeatTrips(links, warmupSeconds(options), signal);
    const shares = measureProcessors(subject.pid, {});
    const cpuBefore = processCpuMs(subject.pid);
    const { times, perSecond } = await repeatTrips(links, seconds, signal);
    const cpuAfter = processCpuMs(subject.pid);
    const target = { figure: "p50", limit: 3000, atLeast: true } as const;
    return {
      name: "roundtrip",
      notes: [
        `${agentsAtOnce} agents at once, each with the next command as soon as its result is ` +
          `confirmed, for ${seconds} s. Each second is a sample of the rate.`,
      ],
      readings: [
        readingOf("create → poll → result", "per second", perSecond, target),
        readingOf("one round trip", "ms", times, null),
        ...(cpuBefore === null || cpuAfter === null
          ? []
          : [
              readingOf(
                "CPU of the server per trip",
                "µs",
                [((cpuAfter - cpuBefore) * 1000) / times.length],
                null,
              ),
            ]),
      ],
      processors: shares(),
    };
  } finally {
    for (const link of links) link.close();
    await subject.stop();
  }
}

async function repeatTrips(links: AgentLink[], seconds: number, signal: AbortSignal) {
  const times: number[] = [];
  const startedAt = performance.now();
  const perSecond = Array.from({ length: Math.max(1, Math.floor(seconds)) }, () => 0);
  const endAt = startedAt + perSecond.length * 1000;
  await Promise.all(
    links.map(async (link) => {
      for (let from = performance.now(); from < endAt; from = performance.now()) {
        signal.throwIfAborted();
        const { finishedAt } = await link.trip();
        const second = Math.floor((finishedAt - startedAt) / 1000);
        if (second >= perSecond.length) continue;
        perSecond[second] = (perSecond[second] ?? 0) + 1;
        times.push(finishedAt - from);
      }
    }),
  );
  return { times, perSecond };
}

export async function measureMemory(options: KindOptions): Promise<Measurement> {
  const { signal, progress } = options;
  const held = possibleHeld(options.held);
  const { subject, key } = await startFleet(options, held);
  let agents: HeldAgents | null = null;
  try {
    const server = { port: subject.port, key };
    // The first polls load code and fill caches, which are not a cost of each poll.
    await (await holdAgents(server, 0, Math.min(200, held), signal)).stop();
    await subject.probe("collect");
    const before = await subject.probe("collect");
    progress(`holding the polls of ${held} agents`);
    agents = await holdAgents(server, 0, held, signal);
    progress("measuring: memory");
    const [rss, heap, whole]: [number[], number[], number[]] = [[], [], []];
    for (let i = 0; i < memoryReadings; i++) {
      const { rssBytes, heapBytes } = await subject.probe("collect");
      rss.push((rssBytes - before.rssBytes) / held / 1000);
      heap.push((heapBytes - before.heapBytes) / held / 1000);
      whole.push(rssBytes / 1e6);
    }
    const target = { figure: "max", limit: 20 } as const;
    return {
      name: "memory",
      notes: [
        `${held} agents held${fewer(held, options.held)}. Garbage is collected before each ` +
          "reading except the first; 1 KB is 1,000 bytes.",
      ],
      readings: [
        readingOf("resident memory per held poll", "KB", rss, target),
        readingOf("JavaScript heap per held poll", "KB", heap, target),
        readingOf("resident memory of the server", "MB", whole, null),
      ],
      processors: {},
    };
  } finally {
    await agents?.stop();
    await subject.stop();
  }
}
