// How long the command line takes to start, from source and from the bundle, beside a bare `node -e 0`:
// process after process in turn, so that whatever else the machine does meets all of them. Through
// bin/, as a person starts it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import Table from "cli-table3";
import { layOut } from "../build/lay-out.ts";
import { projectFolder } from "../build/project.ts";
import { median } from "./compare.ts";
import type { Subject } from "./subject.ts";

/** Not counted: they fill the cache of compiled sources. */
const warmups = 2;

interface Start {
  work: string;
  command: [string, ...string[]];
  /** In starts of bare Node; null where none is set. */
  target: number | null;
}

export interface Startup {
  work: string;
  /** Median of the rounds. */
  ms: number;
  /** Median of the rounds' own ratios to bare Node. */
  ratio: number;
  target: number | null;
}

/** The bundle is made in the folder. */
export async function measureStartup(
  subject: Subject,
  folder: string,
  rounds: number,
  signal: AbortSignal,
): Promise<Startup[]> {
  await layOut(folder);
  const bare: Start = { work: "node -e 0", command: [process.execPath, "-e", "0"], target: null };
  const starts: Start[] = [
    bare,
    ...startsOf(join(projectFolder, "bin/platformctl"), "from source", subject),
    ...startsOf(join(folder, "bin/platformctl"), "bundled", subject),
  ];
  const took = starts.map((): number[] => []);
  for (let round = -warmups; round < rounds; round++) {
    for (const [i, { command }] of starts.entries()) {
      const ms = await timeOf(command, signal);
      if (round >= 0) took[i]?.push(ms);
    }
  }
  const bareMs = took[0] ?? [];
  return starts.map(({ work, target }, i) => {
    const own = took[i] ?? [];
    const ratios = own.map((ms, round) => ms / (bareMs[round] ?? Number.NaN));
    return { work, ms: median(own), ratio: median(ratios), target };
  });
}

function startsOf(program: string, how: string, { port, databaseFile }: Subject): Start[] {
  const starts: [work: string, target: number | null, ...words: string[]][] = [
    ["platformctl --version", 1.5, "--version"],
    ["platformctl --help", null, "--help"],
    ["agents list --db", 3, "agents", "list", "--db", databaseFile],
    // Without a credential: refused, and as far as loading goes the same.
    ["agents list --server", null, "agents", "list", "--server", `http://127.0.0.1:${port}`],
    ["one Tab: commands", null, "__complete", "--", "agents", ""],
  ];
  return starts.map(([work, target, ...words]) => ({
    work: `${work}, ${how}`,
    target,
    command: [program, ...words],
  }));
}

export function formatStartups(startups: Startup[]): string {
  const table = new Table({
    head: ["start", "ms", "of bare", "target"],
    colAligns: ["left", "right", "right", "right"],
    style: { head: [], border: [], compact: true },
  });
  for (const { work, ms, ratio, target } of startups) {
    const judged =
      target === null ? "" : `${target.toFixed(1)} ${ratio <= target ? "met" : "missed"}`;
    table.push([work, ms.toFixed(0), ratio.toFixed(2), judged]);
  }
  return table.toString();
}

async function timeOf([program, ...args]: Start["command"], signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, { stdio: "ignore", signal });
  await once(child, "exit");
  return performance.now() - started;
}
