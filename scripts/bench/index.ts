// Only ratios to bare Node in the same run can be compared between machines. The kinds that need a
// browser, a large fleet or a long history run only if they are named. None of this is a test.
// (docs/benchmarks.md)

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Argument, Command, InvalidArgumentError } from "commander";
import { benches } from "./benches.ts";
import { measureLists, measureStall } from "./big-kinds.ts";
import { compare, type Plan } from "./compare.ts";
import { measureConsole } from "./console.ts";
import { measureEngines } from "./engines.ts";
import { registerAgents } from "./fixtures.ts";
import { measureDispatch, measureMemory, measureRoundTrips } from "./fleet-kinds.ts";
import { measureMove } from "./move-kind.ts";
import { formatMeasurement, type Measurement } from "./readings.ts";
import { measureRollouts } from "./rollout-kind.ts";
import { type ServerProcess, startBareServer } from "./server-process.ts";
import { measureStartup } from "./startup.ts";
import { createKey, patient, startSubject } from "./subject.ts";

interface Options extends Plan {
  connections: number;
  dir: string;
  held?: number;
  duration: number;
  bigDir?: string;
  json?: true;
}

interface Context {
  options: Options;
  /** A folder for the data of one kind. */
  folder: string;
  signal: AbortSignal;
}

const startupName = "cli";
const usual = [...benches.map((bench) => bench.name), startupName];
/** More agents would measure the load on this machine, because all compared servers run at once. */
const heldByEngines = 1_000;
/** One start takes little time, so a round has several starts. */
const startsPerRound = 4;
const needingBigDir = ["lists", "stall", "move"];

/** These run only if they are named. */
const namedKinds: Record<string, (context: Context) => Promise<Measurement | Measurement[]>> = {
  console: ({ folder, options, signal }) => measureConsole(folder, options.rounds, signal),
  postgresql: ({ folder, options, signal }) => {
    const held = options.held ?? heldByEngines;
    return measureEngines({ ...options, held, folder, signal, progress });
  },
  dispatch: (context) => measureDispatch(fleetOptions(context)),
  roundtrip: (context) => measureRoundTrips(fleetOptions(context)),
  memory: (context) => measureMemory(fleetOptions(context)),
  rollouts: (context) => measureRollouts(fleetOptions(context)),
  lists: (context) => measureLists(bigOptions(context)),
  stall: (context) => measureStall(bigOptions(context)),
  move: (context) => measureMove(bigOptions(context)),
};

function fleetOptions({ folder, options, signal }: Context) {
  const { held = 10_000, duration } = options;
  return { folder, held, seconds: duration, signal, progress };
}

function bigOptions(context: Context) {
  return { ...fleetOptions(context), bigDir: resolve(context.options.bigDir ?? "") };
}

const names = [...usual, ...Object.keys(namedKinds)];
const interruption = new AbortController();
const interrupt = () => interruption.abort();

await new Command("bench")
  .description(
    "Measures the server and bare node:http in alternating rounds, and prints the ratios.",
  )
  .addArgument(
    new Argument("[names...]", `what to measure (default: ${usual.join(", ")})`).choices(names),
  )
  .option("--rounds <n>", "number of rounds on each server", count, 5)
  .option("--seconds <n>", "seconds per round", positive, 1.5)
  .option("--warmup-seconds <n>", "seconds of the warm-up round", positive, 2)
  .option("--connections <n>", "number of agents, each with one connection", count, 32)
  .option(
    "--dir <folder>",
    "folder for the temporary database, whose disk affects the results",
    tmpdir(),
  )
  .option(
    "--held <n>",
    `agents whose polls are held (default: 10,000 in dispatch, memory and stall; 1,000 in postgresql)`,
    count,
  )
  .option(
    "--duration <n>",
    "seconds for which dispatch, roundtrip, stall and postgresql's dispatch are measured",
    positive,
    30,
  )
  .option(
    "--big-dir <folder>",
    "folder for the databases of lists, stall and move, which are built once and kept (5 GB)",
  )
  .option("--json", "print JSON")
  .action(main)
  .parseAsync();

async function main(chosen: string[], options: Options): Promise<void> {
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const results = await run(chosen, options);
    const setting = { node: process.version, cores: availableParallelism() };
    if (options.json) {
      const { rounds, seconds, connections } = options;
      const figures = Object.fromEntries(results.map((result) => [result.name, result]));
      const all = { ...setting, connections, rounds, seconds, ...figures };
      console.log(JSON.stringify(all, null, 2));
    } else {
      for (const result of results) console.log(formatMeasurement(result));
      console.log(`Node ${setting.node}, ${setting.cores} cores shared with the load generator.`);
    }
  } catch (error) {
    if (!interruption.signal.aborted) console.error(error instanceof Error ? error.message : error);
    process.exitCode = interruption.signal.aborted ? 130 : 1;
  }
}

async function run(chosen: string[], options: Options): Promise<Measurement[]> {
  const needing = needingBigDir.find((name) => chosen.includes(name));
  if (needing && options.bigDir === undefined) throw new Error(`"${needing}" needs --big-dir.`);
  const { signal } = interruption;
  const folder = await mkdtemp(join(options.dir, "platform-bench-"));
  try {
    const ofUsual = usual.filter((name) => chosen.length === 0 || chosen.includes(name));
    const results = ofUsual.length > 0 ? await runUsual(ofUsual, { options, folder, signal }) : [];
    for (const [name, measure] of Object.entries(namedKinds)) {
      if (!chosen.includes(name)) continue;
      progress(`measuring: ${name}`);
      results.push(...[await measure({ options, folder: join(folder, name), signal })].flat());
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runUsual(
  wanted: string[],
  { options, folder, signal }: Context,
): Promise<Measurement[]> {
  const servers: ServerProcess[] = [];
  const results: Measurement[] = [];
  try {
    progress("starting the servers");
    const bare = await startBareServer(signal);
    servers.push(bare);
    const subject = await startSubject(folder, signal, patient);
    servers.push(subject);
    const compared = benches.filter(({ name }) => wanted.includes(name));
    if (compared.length > 0) {
      progress(`registering ${options.connections} agents`);
      const operatorKey = await createKey(subject.databaseFile, "operator");
      const agents = await registerAgents(subject.port, operatorKey, options.connections);
      const stage = { subject, bare, agents, operatorKey };
      for (const bench of compared) {
        progress(`measuring: ${bench.work}`);
        results.push(await compare(bench, stage, options, signal));
      }
    }
    if (wanted.includes(startupName)) {
      progress("measuring the command line's start");
      const starts = options.rounds * startsPerRound;
      results.push(await measureStartup(subject, join(folder, "bundle"), starts, signal));
    }
    return results;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function progress(text: string): void {
  console.error(`bench: ${text}`);
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

function count(text: string): number {
  const value = positive(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError("It must be a whole number.");
  return value;
}
