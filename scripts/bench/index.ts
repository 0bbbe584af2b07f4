// Only ratios to bare Node in the same run can be compared between machines. `console` needs a
// browser, so it runs only if it is named. None of this is a test.

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Argument, Command, InvalidArgumentError } from "commander";
import { benches } from "./benches.ts";
import { type Comparison, compare, type Plan } from "./compare.ts";
import { type Figure, formatFigures, measureConsole } from "./console.ts";
import { registerAgents } from "./fixtures.ts";
import { type ServerProcess, startBareServer } from "./server-process.ts";
import { formatStartups, measureStartup, type Startup } from "./startup.ts";
import { startSubject } from "./subject.ts";
import { formatTable } from "./table.ts";

interface Options extends Plan {
  connections: number;
  dir: string;
  json?: true;
}

const startupName = "cli";
const consoleName = "console";
const names = [...benches.map((bench) => bench.name), startupName, consoleName];
/** One start takes little time, so a round has several starts. */
const startsPerRound = 4;
const interruption = new AbortController();
const interrupt = () => interruption.abort();

await new Command("bench")
  .description(
    "Measures the server and bare node:http in alternating rounds, and prints the ratios.",
  )
  .addArgument(
    new Argument("[names...]", "what to measure (default: everything except the console)").choices(
      names,
    ),
  )
  .option("--rounds <n>", "number of rounds on each server", count, 5)
  .option("--seconds <n>", "seconds per round", positive, 2)
  .option("--warmup-seconds <n>", "seconds of the warm-up round", positive, 4)
  .option("--connections <n>", "number of agents, each with one connection", count, 32)
  .option(
    "--dir <folder>",
    "folder for the temporary database, whose disk affects the results",
    tmpdir(),
  )
  .option("--json", "machine output")
  .action(main)
  .parseAsync();

async function main(chosen: string[], options: Options): Promise<void> {
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const { comparisons, startups, figures } = await run(chosen, options);
    const { rounds, seconds, connections } = options;
    const setting = { node: process.version, cores: availableParallelism(), connections };
    if (options.json) {
      console.log(
        JSON.stringify({ ...setting, rounds, seconds, comparisons, startups, figures }, null, 2),
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
}

async function run(chosen: string[], options: Options): Promise<Measured> {
  const { signal } = interruption;
  const isWanted = (name: string) => chosen.length === 0 || chosen.includes(name);
  const wanted = benches.filter(({ name }) => isWanted(name));
  const servers: ServerProcess[] = [];
  const dataDir = await mkdtemp(join(options.dir, "platform-bench-"));
  try {
    const figures: Figure[] = [];
    if (chosen.includes(consoleName)) {
      progress("measuring: the console");
      figures.push(...(await measureConsole(dataDir, options.rounds, signal)));
      if (chosen.length === 1) return { comparisons: [], startups: [], figures };
    }
    progress("starting the servers");
    const bare = await startBareServer(signal);
    servers.push(bare);
    const subject = await startSubject(dataDir, signal);
    servers.push(subject);
    const startups: Startup[] = [];
    if (isWanted(startupName)) {
      progress("measuring the command line's start");
      const starts = options.rounds * startsPerRound;
      startups.push(...(await measureStartup(subject, join(dataDir, "bundle"), starts, signal)));
    }
    const comparisons: Comparison[] = [];
    if (wanted.length > 0) progress(`registering ${options.connections} agents`);
    const agents = wanted.length > 0 ? await registerAgents(subject, options.connections) : [];
    for (const bench of wanted) {
      progress(`measuring: ${bench.work}`);
      comparisons.push(await compare(bench, { subject, bare, agents }, options));
    }
    return { comparisons, startups, figures };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(dataDir, { recursive: true, force: true });
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
