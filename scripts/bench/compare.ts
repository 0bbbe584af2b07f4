// Rounds on the real and the bare server alternate, so that other load on the machine affects both.
// The result is the median of the rounds' ratios.

import { performance } from "node:perf_hooks";
import { Latencies } from "../../src/cli/commands/bench/stats/latencies.ts";
import type { Bench } from "./benches.ts";
import type { NextRequest } from "./connection.ts";
import { type Agent, commandId, insertRunningCommands } from "./fixtures.ts";
import { measureFloor } from "./floor.ts";
import { runLoad } from "./load.ts";
import { processCpuMs } from "./processors.ts";
import { encodeRequest, type Numbers, numberRequests } from "./requests.ts";
import type { ServerProcess } from "./server-process.ts";
import type { Subject } from "./subject.ts";

export interface Stage {
  subject: Subject;
  bare: ServerProcess;
  /** There is one agent for each connection. */
  agents: Agent[];
  operatorKey: string;
}

export interface Plan {
  rounds: number;
  seconds: number;
  warmupSeconds: number;
}

export interface Summary {
  /** Each value is the median of the rounds. */
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicrosPerRequest: number | null;
  /** The share of one core that the server's process used. */
  busy: number | null;
}

export interface Comparison {
  name: string;
  work: string;
  target: number;
  ratio: number;
  roundRatios: number[];
  subject: Summary;
  bare: Summary;
  /** Null for requests that write nothing, and if CPU times are unknown. */
  floor: Floor | null;
}

export interface Floor {
  target: number;
  /** The CPU time for the rows of one request: the median of the rounds. */
  cpuMicros: number;
  /** The median share of the server's CPU time that its rows and bare node:http need together. */
  share: number;
}

export interface Round {
  answered: number;
  requestsPerSecond: number;
  latencies: Latencies;
  cpuMicros: number | null;
  wallMicros: number;
}

/**
 * The estimate for the warm-up. Each later round gets as many commands as the previous one needed.
 */
const resultsPerSecondGuess = 10_000;
let nextCommandNumber = 1;

export async function compare(
  bench: Bench,
  stage: Stage,
  plan: Plan,
  signal: AbortSignal,
): Promise<Comparison> {
  const { subject, bare, agents } = stage;
  let expectedPerSecond = resultsPerSecondGuess;

  const subjectRound = async (seconds: number) => {
    const count = Math.ceil(expectedPerSecond * seconds * 1.3);
    const first = nextCommandNumber;
    const numbers = { first, end: bench.usesUpCommands ? first + count : Infinity };
    if (bench.usesUpCommands) {
      nextCommandNumber = numbers.end;
      insertRunningCommands(subject.databaseFile, stage.agents, numbers);
    }
    const requests = requestsFor(bench, () => subject, stage, numbers);
    const round = await measure(subject, requests, seconds);
    expectedPerSecond = round.requestsPerSecond;
    return round;
  };
  const bareRound = (seconds: number) =>
    measure(
      bare,
      requestsFor(bench, () => bare, stage, { first: 1, end: Infinity }),
      seconds,
    );

  await subjectRound(plan.warmupSeconds);
  await bareRound(plan.warmupSeconds);
  const ofSubject: Round[] = [];
  const ofBare: Round[] = [];
  const roundRatios: number[] = [];
  const floors: { cpuMicros: number; share: number }[] = [];
  for (let i = 0; i < plan.rounds; i++) {
    const one = await subjectRound(plan.seconds);
    const other = await bareRound(plan.seconds);
    ofSubject.push(one);
    ofBare.push(other);
    roundRatios.push(one.requestsPerSecond / other.requestsPerSecond);
    if (bench.floor && one.cpuMicros !== null && other.cpuMicros !== null) {
      const { kind } = bench.floor;
      const { seconds } = plan;
      const rows = await measureFloor({ kind, subject, agents, seconds, signal });
      const cpuMicros = rows.cpuMicros / rows.written;
      const needed = cpuMicros + other.cpuMicros / other.answered;
      floors.push({ cpuMicros, share: needed / (one.cpuMicros / one.answered) });
    }
  }
  const { name, work, target } = bench;
  return {
    name,
    work,
    target,
    ratio: median(roundRatios),
    roundRatios,
    subject: summarize(ofSubject),
    bare: summarize(ofBare),
    floor: bench.floor && floors.length > 0 ? floorOf(bench.floor.target, floors) : null,
  };
}

function floorOf(target: number, floors: { cpuMicros: number; share: number }[]): Floor {
  return {
    target,
    cpuMicros: median(floors.map((each) => each.cpuMicros)),
    share: median(floors.map((each) => each.share)),
  };
}

/** `serverOf` returns the server of the agent at this place in `agents`. */
export function requestsFor(
  bench: Bench,
  serverOf: (place: number) => { port: number },
  { agents, operatorKey }: Pick<Stage, "agents" | "operatorKey">,
  { first, end }: { first: number; end: number },
): NextRequest[] {
  return agents.map((agent, i) => {
    const bytes = encodeRequest(serverOf(i).port, bench.request(agent, operatorKey));
    if (!bench.usesUpCommands) return () => bytes;
    const numbers: Numbers = { first: first + i, step: agents.length, end };
    return numberRequests(bytes, commandId(0), numbers);
  });
}

export async function measure(
  server: ServerProcess,
  requests: NextRequest[],
  seconds: number,
): Promise<Round> {
  const cpuBefore = processCpuMs(server.pid);
  const startedAt = performance.now();
  const load = await runLoad(server.port, requests, seconds);
  const wallMicros = (performance.now() - startedAt) * 1000;
  const cpuAfter = processCpuMs(server.pid);
  return {
    answered: load.answered,
    requestsPerSecond: load.answered / load.seconds,
    latencies: load.latencies,
    cpuMicros: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) * 1000,
    wallMicros,
  };
}

export function summarize(rounds: Round[]): Summary {
  const latencies = new Latencies();
  for (const round of rounds) latencies.add(round.latencies.counts);
  const cpuMicros = rounds.some((round) => round.cpuMicros === null)
    ? null
    : sum(rounds.map((round) => round.cpuMicros ?? 0));
  return {
    requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
    p50Ms: latencies.percentileMs(0.5) ?? Number.NaN,
    p99Ms: latencies.percentileMs(0.99) ?? Number.NaN,
    cpuMicrosPerRequest: cpuMicros && cpuMicros / sum(rounds.map((round) => round.answered)),
    busy: cpuMicros && cpuMicros / sum(rounds.map((round) => round.wallMicros)),
  };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}
