// Only ratios to bare Node in the same run can be compared between machines. The kinds that need a
// browser, a large fleet or a long history run only if they are named. None of this is a test.
// (docs/benchmarks.md)

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Argument, Command, InvalidArgumentError } from "commander";
import { benches } from "./benches.ts";
import { measureLists, measureStall } from "./big-kinds.ts";
import { type Comparison, compare, type Plan } from "./compare.ts";
import { measureConsole } from "./console.ts";
import { formatEngines, measureEngines } from "./engines.ts";
import { registerAgents } from "./fixtures.ts";
import { measureDispatch, measureMemory, measureRoundTrips } from "./fleet-kinds.ts";
import { measureMove } from "./move-kind.ts";
import { formatMeasurement, type Measurement } from "./readings.ts";
import { measureRollouts } from "./rollout-kind.ts";
import { type ServerProcess, startBareServer } from "./server-process.ts";
import { formatStartups, measureStartup } from "./startup.ts";
import { createKey, patient, startSubject } from "./subject.ts";
import { formatTable } from "./table.ts";

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

interface Printed {
  name: string;
  text: string;
  figures: object;
}

const startupName = "cli";
const usual = [...benches.map((bench) => bench.name), startupName];
/** More agents would measure the load on this machine, because all compared servers run at once. */
const heldByEngines = 1_000;
/** One start takes little time, so a round has several starts. */
const startsPerRound = 4;
const needingBigDir = ["lists", "stall", "move"];

/** These run only if they are named. */
const namedKinds: Record<string, (context: Context) => Promise<Printed>> = {
  console: async ({ folder, options, signal }) =>
    printed(await measureConsole(folder, options.rounds, signal)),
  postgresql: async ({ folder, options, signal }) => {
    const held = options.held ?? heldByEngines;
    const figures = await measureEngines({ ...options, held, folder, signal, progress });
    return { name: "postgresql", text: formatEngines(figures), figures };
  },
  dispatch: async (context) => printed(await measureDispatch(fleetOptions(context))),
  roundtrip: async (context) => printed(await measureRoundTrips(fleetOptions(context))),
  memory: async (context) => printed(await measureMemory(fleetOptions(context))),
  rollouts: async (context) => printed(await measureRollouts(fleetOptions(context))),
  lists: async (context) => printed(await measureLists(bigOptions(context))),
  stall: async (context) => printed(await measureStall(bigOptions(context))),
  move: async (context) => printed(await measureMove(bigOptions(context))),
};

function printed(measurement: Measurement): Printed {
  const { name } = measurement;
  return { name, text: formatMeasurement(measurement), figures: measurement };
}

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
    if (options.json) {
      const { rounds, seconds, connections } = options;
      const setting = { node: process.version, cores: availableParallelism(), connections };
      const figures = Object.fromEntries(results.map((result) => [result.name, result.figures]));
      console.log(JSON.stringify({ ...setting, rounds, seconds, ...figures }, null, 2));
    } else {
      for (const { text } of results) console.log(text);
    }
  } catch (error) {
    if (!interruption.signal.aborted) console.error(error instanceof Error ? error.message : error);
    process.exitCode = interruption.signal.aborted ? 130 : 1;
  }
}

async function run(chosen: string[], options: Options): Promise<Printed[]> {
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
      results.push(await measure({ options, folder: join(folder, name), signal }));
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runUsual(
  wanted: string[],
  { options, folder, signal }: Context,
): Promise<Printed[]> {
  const servers: ServerProcess[] = [];
  const results: Printed[] = [];
  try {
    progress("starting the servers");
    const bare = await startBareServer(signal);
    servers.push(bare);
    const subject = await startSubject(folder, signal, patient);
    servers.push(subject);
    const compared = benches.filter(({ name }) => wanted.includes(name));
    const comparisons: Comparison[] = [];
    if (compared.length > 0) {
      progress(`registering ${options.connections} agents`);
      const operatorKey = await createKey(subject.databaseFile, "operator");
      const agents = await registerAgents(subject.port, operatorKey, options.connections);
      const stage = { subject, bare, agents, operatorKey };
      for (const bench of compared) {
        progress(`measuring: ${bench.work}`);
        comparisons.push(await compare(bench, stage, options, signal));
      }
      const text = `${formatTable(comparisons)}\n${settingOf(options)}`;
      results.push({ name: "comparisons", text, figures: comparisons });
    }
    if (wanted.includes(startupName)) {
      progress("measuring the command line's start");
      const starts = options.rounds * startsPerRound;
      const figures = await measureStartup(subject, join(folder, "bundle"), starts, signal);
      results.push({ name: "startups", text: formatStartups(figures), figures });
    }
    return results;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function settingOf({ connections, rounds, seconds }: Options): string {
  return (
    `Node ${process.version}, ${availableParallelism()} cores shared with the load generator, ` +
    `${connections} connections,\nmedian of ${rounds} rounds of ${seconds} s; ` +
    "the CPU time is the server's, per request."
  );
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
