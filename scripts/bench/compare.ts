// Rounds on the real and the bare server alternate, so that other load on the machine affects both.
// The target is for the median of the rounds' ratios.

import { performance } from "node:perf_hooks";
import { Latencies } from "../../src/cli/commands/bench/stats/latencies.ts";
import type { Bench } from "./benches.ts";
import type { NextRequest } from "./connection.ts";
import { type Agent, commandId, insertRunningCommands } from "./fixtures.ts";
import { measureFloor } from "./floor.ts";
import { runLoad } from "./load.ts";
import { processCpuMs } from "./processors.ts";
import {
  latencyReading,
  type Measurement,
  medianAtLeast,
  type Reading,
  readingOf,
} from "./readings.ts";
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
): Promise<Measurement> {
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
  const rowMicros: number[] = [];
  const floors: number[] = [];
  for (let i = 0; i < plan.rounds; i++) {
    const one = await subjectRound(plan.seconds);
    const other = await bareRound(plan.seconds);
    ofSubject.push(one);
    ofBare.push(other);
    if (bench.floor && one.cpuMicros !== null && other.cpuMicros !== null) {
      const { kind } = bench.floor;
      const { seconds } = plan;
      const rows = await measureFloor({ kind, subject, agents, seconds, signal });
      const cpuMicros = rows.cpuMicros / rows.written;
      const needed = cpuMicros + other.cpuMicros / other.answered;
      rowMicros.push(cpuMicros);
      floors.push(needed / (one.cpuMicros / one.answered));
    }
  }
  return {
    name: bench.name,
    notes: [
      `${bench.work}: ${agents.length} connections, ${plan.rounds} rounds of ${plan.seconds} s.`,
    ],
    readings: [
      ratioReading("rate compared with bare node:http", ofSubject, ofBare, bench.target),
      ...roundReadings("the server", ofSubject),
      ...roundReadings("bare node:http", ofBare),
      ...(bench.floor && floors.length > 0
        ? [
            readingOf("the rows alone: CPU time per request", "µs", rowMicros, null),
            readingOf(
              "floor compared with the server's CPU time",
              "×",
              floors,
              medianAtLeast(bench.floor.target),
            ),
          ]
        : []),
    ],
    processors: { "the server": shareOf(ofSubject), "bare node:http": shareOf(ofBare) },
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

/** The rates as a multiple of another server's rates in the same rounds. */
export function ratioReading(
  work: string,
  rounds: Round[],
  others: Round[],
  target: number | null,
): Reading {
  const ratios = rounds.map(
    (round, i) => round.requestsPerSecond / (others[i]?.requestsPerSecond ?? Number.NaN),
  );
  return readingOf(work, "×", ratios, medianAtLeast(target));
}

export function roundReadings(server: string, rounds: Round[]): Reading[] {
  const latencies = new Latencies();
  for (const round of rounds) latencies.add(round.latencies.counts);
  const rates = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  const cpuMicros = rounds.flatMap(({ cpuMicros, answered }) =>
    cpuMicros === null ? [] : cpuMicros / answered,
  );
  return [
    readingOf(`${server}: requests`, "per second", rates, null),
    latencyReading(`${server}: response time`, latencies),
    ...(cpuMicros.length > 0
      ? [readingOf(`${server}: CPU time per request`, "µs", cpuMicros, null)]
      : []),
  ];
}

/** The share of one core that the server's process used. */
function shareOf(rounds: Round[]): number | null {
  if (rounds.some(({ cpuMicros }) => cpuMicros === null)) return null;
  const used = sum(rounds.map(({ cpuMicros }) => cpuMicros ?? 0));
  return used / sum(rounds.map(({ wallMicros }) => wallMicros));
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
