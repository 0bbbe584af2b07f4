// Only ratios to bare Node in the same run can be compared between machines. The kinds that need a
// browser, a large fleet or a long history run only if they are named. None of this is a test.
// (docs/performance.md)

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Argument, Command, InvalidArgumentError } from "commander";
import { benches } from "./benches.ts";
import { measureLists, measureStall } from "./big-kinds.ts";
import { type Comparison, compare, type Plan } from "./compare.ts";
import { type Figure, formatFigures, measureConsole } from "./console.ts";
import { type EngineFigure, formatEngines, measureEngines } from "./engines.ts";
import { registerAgents } from "./fixtures.ts";
import { measureDispatch, measureMemory, measureRoundTrips } from "./fleet-kinds.ts";

import { measureMove } from "./move-kind.ts";
import { formatMeasurement, type Measurement } from "./readings.ts";
import { measureRollouts } from "./rollout-kind.ts";
import { type ServerProcess, startBareServer } from "./server-process.ts";
import { formatStartups, measureStartup, type Startup } from "./startup.ts";
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

const startupName = "cli";
const consoleName = "console";
const enginesName = "postgresql";
/** More would measure the load on this machine, because the compared servers run at once. */
const heldByEngines = 1_000;
const fleetKinds = {
  dispatch: measureDispatch,
  roundtrip: measureRoundTrips,
  memory: measureMemory,
  rollouts: measureRollouts,
};
const bigKinds = { lists: measureLists, stall: measureStall, move: measureMove };
const usual = [...benches.map((bench) => bench.name), startupName];
const named = [consoleName, enginesName, ...Object.keys(fleetKinds), ...Object.keys(bigKinds)];
const names = [...usual, ...named];
/** One start takes little time, so a round has several starts. */
const startsPerRound = 4;
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
    `agents whose polls dispatch, memory and stall hold (default: 10,000), and postgresql (1,000)`,
    count,
  )
  .option(
    "--duration <n>",
    "seconds that dispatch, roundtrip, stall and the dispatch of postgresql measure",
    positive,
    30,
  )
  .option(
    "--big-dir <folder>",
    "folder for the databases of lists, stall and move, which are built once and kept (5 GB)",
  )
  .option("--json", "machine output")
  .action(main)
  .parseAsync();

async function main(chosen: string[], options: Options): Promise<void> {
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const { comparisons, startups, figures, engines, measurements } = await run(chosen, options);
    const { rounds, seconds, connections } = options;
    const setting = { node: process.version, cores: availableParallelism(), connections };
    if (options.json) {
      console.log(
        JSON.stringify(
          { ...setting, rounds, seconds, comparisons, startups, figures, engines, measurements },
          null,
          2,
        ),
      );
    } else {
      if (comparisons.length > 0) {
        console.log(formatTable(comparisons));
        console.log(
          `Node ${setting.node}, ${setting.cores} cores shared with the load generator, ` +
            `${connections} connections,\nmedian of ${rounds} rounds of ${seconds} s; ` +
            "the CPU time is the server's, per request.",
        );
      }
      if (startups.length > 0) console.log(formatStartups(startups));
      if (figures.length > 0) console.log(formatFigures(figures));
      if (engines.length > 0) console.log(formatEngines(engines));
      for (const measurement of measurements) console.log(formatMeasurement(measurement));
    }
  } catch (error) {
    if (!interruption.signal.aborted) console.error(error instanceof Error ? error.message : error);
    process.exitCode = interruption.signal.aborted ? 130 : 1;
  }
}

interface Measured {
  comparisons: Comparison[];
  startups: Startup[];
  figures: Figure[];
  engines: EngineFigure[];
  measurements: Measurement[];
}

async function run(chosen: string[], options: Options): Promise<Measured> {
  const { signal } = interruption;
  const isWanted = (name: string) => chosen.length === 0 || chosen.includes(name);
  const bigDir = bigDirFor(chosen, options);
  const dataDir = await mkdtemp(join(options.dir, "platform-bench-"));
  try {
    const figures: Figure[] = [];
    if (chosen.includes(consoleName)) {
      progress("measuring: the console");
      figures.push(...(await measureConsole(dataDir, options.rounds, signal)));
    }
    const engines: EngineFigure[] = [];
    if (chosen.includes(enginesName)) {
      const held = options.held ?? heldByEngines;
      engines.push(
        ...(await measureEngines({ ...options, held, folder: dataDir, signal, progress })),
      );
    }
    const compared = usual.some(isWanted)
      ? await runUsual(isWanted, dataDir, options)
      : { comparisons: [], startups: [] };
    const measurements: Measurement[] = [];
    const common = { held: options.held ?? 10_000, seconds: options.duration, signal, progress };
    for (const [name, measure] of Object.entries(fleetKinds)) {
      if (!chosen.includes(name)) continue;
      measurements.push(await measure({ ...common, folder: join(dataDir, name) }));
    }
    for (const [name, measure] of Object.entries(bigKinds)) {
      if (chosen.includes(name)) measurements.push(await measure({ ...common, bigDir }));
    }
    return { ...compared, figures, engines, measurements };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function bigDirFor(chosen: string[], { bigDir }: Options): string {
  const needing = Object.keys(bigKinds).find((name) => chosen.includes(name));
  if (needing === undefined) return "";
  if (bigDir === undefined) throw new Error(`"${needing}" needs --big-dir.`);
  return resolve(bigDir);
}

async function runUsual(
  isWanted: (name: string) => boolean,
  dataDir: string,
  options: Options,
): Promise<Pick<Measured, "comparisons" | "startups">> {
  const { signal } = interruption;
  const wanted = benches.filter(({ name }) => isWanted(name));
  const servers: ServerProcess[] = [];
  try {
    progress("starting the servers");
    const bare = await startBareServer(signal);
    servers.push(bare);
    const subject = await startSubject(dataDir, signal, patient);
    servers.push(subject);
    const startups: Startup[] = [];
    if (isWanted(startupName)) {
      progress("measuring the command line's start");
      const starts = options.rounds * startsPerRound;
      startups.push(...(await measureStartup(subject, join(dataDir, "bundle"), starts, signal)));
    }
    const comparisons: Comparison[] = [];
    if (wanted.length === 0) return { comparisons, startups };
    progress(`registering ${options.connections} agents`);
    const agents = await registerAgents(subject, options.connections);
    const operatorKey = await createKey(subject.databaseFile, "operator");
    for (const bench of wanted) {
      progress(`measuring: ${bench.work}`);
      comparisons.push(
        await compare(bench, { subject, bare, agents, operatorKey }, options, signal),
      );
    }
    return { comparisons, startups };
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
