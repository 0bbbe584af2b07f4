// Measures operators' reads on a database with a long history, and how they affect the agents.

import { type AgentLink, openLinks, pacedTrips } from "./agent-link.ts";
import { ask } from "./ask.ts";
import type { Answered, AskerReport, AskerTask } from "./asker-process.ts";
import { type BigSize, bigSize, keepsHistory, openBigDatabase } from "./big-database.ts";
import { Connection } from "./connection.ts";
import { clientOf } from "./fixtures.ts";
import { fewer, type KindOptions, loopReading, warmupSeconds } from "./fleet-kinds.ts";
import { connectionSettings, holdAgents, possibleHeld } from "./held-agents.ts";
import { type Helper, startHelper } from "./helper-process.ts";
import { fleetAgent } from "./large-fleet.ts";
import { paced } from "./paced.ts";
import { measureProcessors } from "./processors.ts";
import { firstPages, worstQuestions } from "./questions.ts";
import { type Measurement, type Reading, readingOf } from "./readings.ts";
import { encodeRequest } from "./requests.ts";
import { createKey, type ProbedSubject, patient, startProbedSubject } from "./subject.ts";

export interface BigOptions extends Omit<KindOptions, "folder"> {
  bigDir: string;
  /** Tests use a small database and few rounds. */
  size?: BigSize;
  listRounds?: number;
}

const listWarmups = 3;

const viewers = 16;
const measuredAgents = 50;
const dispatchesPerSecond = 50;
/** Each agent sends one heartbeat in this time. */
const heartbeatSeconds = 30;
const heartbeatConnections = 32;
/** The server's limit for one read, plus a second for everything else. */
const viewersLimitMs = 11_000;

interface Big {
  subject: ProbedSubject;
  size: BigSize;
  note: string;
}

async function startBig({ bigDir, size = bigSize, signal, progress }: BigOptions): Promise<Big> {
  const folder = await openBigDatabase(bigDir, size, signal, progress);
  progress("starting the server");
  const settings = { ...patient, ...keepsHistory, ...connectionSettings() };
  const { agents, services, commands, auditRows } = size;
  return {
    subject: await startProbedSubject(folder, signal, settings),
    size,
    note: `${agents} agents, ${services} services, ${commands} commands, ${auditRows} audit rows.`,
  };
}

export async function measureLists(options: BigOptions): Promise<Measurement> {
  const { listRounds = 100, signal, progress } = options;
  const { subject, note } = await startBig(options);
  try {
    await using operator = clientOf(subject.port, await createKey(subject.databaseFile, "owner"));
    const times = new Map(firstPages().map((path) => [path, [] as number[]]));
    progress("measuring: lists");
    let shares = measureProcessors(subject.pid, {});
    for (let round = -listWarmups; round < listRounds; round++) {
      if (round === 0) shares = measureProcessors(subject.pid, {});
      for (const [path, values] of times) {
        signal.throwIfAborted();
        const { ms, refusal } = await ask(operator, { method: "GET", path });
        if (refusal !== null) throw new Error(`GET ${path} was refused:\n${refusal}`);
        if (round >= 0) values.push(ms);
      }
    }
    const target = { figure: "p99", limit: 20 } as const;
    const readings = [...times].map(([path, values]) =>
      readingOf(decodeURIComponent(path.replace("/api/admin", "")), "ms", values, target),
    );
    return { name: "lists", notes: [note], readings, processors: shares() };
  } finally {
    await subject.stop();
  }
}

type Asker = Helper<AskerTask | { report: true }, AskerReport>;

export async function measureStall(options: BigOptions): Promise<Measurement> {
  const { seconds, signal, progress } = options;
  const { subject, size, note } = await startBig(options);
  const { port } = subject;
  const stops: (() => Promise<void> | void)[] = [subject.stop];
  try {
    const key = await createKey(subject.databaseFile, "owner");
    const held = Math.min(possibleHeld(options.held), size.agents);
    progress(`holding the polls of ${held} agents`);
    const others = await holdAgents({ port, key }, measuredAgents, held - measuredAgents, signal);
    stops.push(others.stop);
    const agents = Array.from({ length: measuredAgents }, (_, i) => fleetAgent(i, size));
    const links = await openLinks(port, agents, key);
    stops.push(() => {
      for (const link of links) link.close();
    });
    const beats = await openHeartbeats(port, size);
    stops.push(() => {
      for (const { connection } of beats) connection.destroy();
    });
    const askers = startAskers(signal);
    stops.push(() => stopAll(Object.values(askers)));
    askers.viewers.send({ port, key, loops: viewersLoops() });
    askers.operator.send({ port, key, loops: operatorsLoops });

    progress("measuring: stall");
    const load = { links, beats, heartbeatsPerSecond: size.agents / heartbeatSeconds };
    await measureAgents(load, warmupSeconds(options), signal);
    await subject.probe("reset");
    const shares = measureProcessors(subject.pid, {
      "the held agents": others.pids,
      "the viewers": [askers.viewers.pid],
      "export, verification and backup": [askers.operator.pid],
    });
    const { heartbeats, dispatches } = await measureAgents(load, seconds, signal);
    const { loop } = await subject.probe("read");
    const processors = shares();
    const seen = await reportOf(askers.viewers);
    const long = await reportOf(askers.operator);
    return {
      name: "stall",
      notes: [
        note,
        `${held} agents held${fewer(held, options.held)}, for ${seconds} s. ${viewers} viewers, and an ` +
          "export, a verification and a backup at once, repeat their requests.",
        ...longWork(long),
        ...refusalsOf(seen.answers),
      ],
      readings: [
        readingOf("heartbeat", "ms", heartbeats, { figure: "p99", limit: 25 }),
        readingOf("create → agent has it", "ms", dispatches, { figure: "p99", limit: 50 }),
        loopReading(loop, { figure: "max", limit: 50 }),
        ...viewersReadings(seen),
      ],
      processors,
    };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

interface Heartbeats {
  connection: Connection;
  request: () => Buffer;
}

/** Each connection sends the heartbeats of several agents in turn. */
async function openHeartbeats(port: number, size: BigSize): Promise<Heartbeats[]> {
  const buffer = Buffer.allocUnsafeSlow(64 * 1024);
  const all: Heartbeats[] = [];
  for (let i = 0; i < heartbeatConnections; i++) {
    const requests = Array.from({ length: 10 }, (_, n) => {
      const number = (i * 10 + n) % size.agents;
      const { token } = fleetAgent(number, size);
      return encodeRequest(port, {
        method: "POST",
        path: "/api/agents/heartbeat",
        token,
        body: {},
      });
    });
    let next = 0;
    const request = () => requests[next++ % requests.length] as Buffer;
    all.push({ connection: await Connection.open(port, buffer), request });
  }
  return all;
}

interface AgentsLoad {
  links: AgentLink[];
  beats: Heartbeats[];
  heartbeatsPerSecond: number;
}

async function measureAgents(load: AgentsLoad, seconds: number, signal: AbortSignal) {
  const heartbeats: number[] = [];
  const [trips] = await Promise.all([
    pacedTrips(load.links, { perSecond: dispatchesPerSecond, seconds }, signal),
    paced(
      load.beats,
      { perSecond: load.heartbeatsPerSecond, seconds },
      async ({ connection, request }, from) => {
        const { status, body, at } = await connection.ask(request());
        if (status !== 200) throw new Error(`A heartbeat was refused with ${status}:\n${body}`);
        heartbeats.push(at - from);
      },
      signal,
    ),
  ]);
  return { heartbeats, dispatches: trips.delivered };
}

function startAskers(signal: AbortSignal): { viewers: Asker; operator: Asker } {
  const start = (): Asker => startHelper("asker-process.ts", signal);
  return { viewers: start(), operator: start() };
}

/** Each viewer begins with a different question. */
function viewersLoops(): AskerTask["loops"] {
  const questions = worstQuestions().map((path) => ({ method: "GET", path }) as const);
  return Array.from({ length: viewers }, (_, i) => {
    const from = i % questions.length;
    return [...questions.slice(from), ...questions.slice(0, from)];
  });
}

const operatorsLoops: AskerTask["loops"] = [
  [{ method: "GET", path: "/api/admin/audit-events/export?format=jsonl" }],
  [{ method: "GET", path: "/api/admin/audit-events/verify" }],
  [{ method: "POST", path: "/api/admin/backup" }],
];

function reportOf(asker: Asker): Promise<AskerReport> {
  asker.send({ report: true });
  return asker.message();
}

async function stopAll(askers: Asker[]): Promise<void> {
  await Promise.all(askers.map((asker) => asker.stop()));
}

/** A read that exceeds its limit is refused with 503 and a message; anything else is an error. */
function isClearRefusal({ status, refusal }: Answered): boolean {
  return status === 503 && refusal?.code === "UNAVAILABLE" && refusal.message !== "";
}

/** A request that has waited longer than the limit counts as a response that took that long. */
export function viewersReadings({ answers, waiting }: AskerReport): Reading[] {
  const limit = { figure: "max", limit: viewersLimitMs } as const;
  const overdue = waiting.filter(({ ms }) => ms > viewersLimitMs);
  const ended = answers.filter(({ status }) => status !== 0);
  const all = [...ended, ...overdue].map(({ ms }) => ms);
  const answered = answers.filter(({ refusal }) => refusal === null).map(({ ms }) => ms);
  const unclear = answers.map((answer) =>
    answer.refusal === null || isClearRefusal(answer) ? 0 : 1,
  );
  return [
    readingOf("viewers: any response", "ms", all, limit),
    readingOf("viewers: answered", "ms", answered, null),
    readingOf("viewers: unexpected errors", "errors", unclear, { figure: "max", limit: 0 }),
  ];
}

function refusalsOf(answers: Answered[]): string[] {
  const counts = new Map<string, number>();
  for (const { refusal } of answers) {
    if (refusal === null) continue;
    const text = `${refusal.code}: ${refusal.message}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => `Viewers were refused ${count} times: ${text}`);
}

function longWork({ answers, waiting }: AskerReport): string[] {
  return ["export", "verify", "backup"].map((what) => {
    const own = answers.filter(({ path }) => path.includes(what));
    const refused = own.flatMap(({ refusal }) => (refusal === null ? [] : [refusal.message]));
    const running = waiting.find(({ path }) => path.includes(what));
    return [
      `${what}: completed ${own.length - refused.length} times`,
      ...(running ? [`running for ${Math.round(running.ms / 1000)} s at the end`] : []),
      ...(refused.length > 0 ? [`refused ${refused.length} times (${refused[0]})`] : []),
    ].join(", ");
  });
}
