// How long the command line takes to start, from source and from the bundle, beside a bare `node -e 0`:
// process after process in turn, so that whatever else the machine does meets all of them. Through
// bin/, as a person starts it, on warm caches.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import Table from "cli-table3";
import { layOut } from "../build/lay-out.ts";
import { projectFolder } from "../build/project.ts";
import { median } from "./compare.ts";
import { childrenCpuMs } from "./cpu-time.ts";
import type { Subject } from "./subject.ts";

/** Not counted: they fill the cache of compiled sources. */
const warmups = 2;

interface Start {
  work: string;
  command: [string, ...string[]];
  /** In starts of bare Node; null where none is set. */
  target: number | null;
}

/** Each figure also as a ratio to bare Node's. */
export interface Startup {
  work: string;
  /** Median of the rounds; the ratio is the median of the rounds' own. */
  ms: number;
  ratio: number;
  /** The round that was disturbed least. */
  leastMs: number;
  leastRatio: number;
  /** Mean CPU time of all threads; null where the system does not tell. */
  cpuMs: number | null;
  cpuRatio: number | null;
  target: number | null;
}

interface Rounds {
  ms: number[];
  /** Counted in steps of ten: only their mean tells anything. NaN where the system does not tell. */
  cpuMs: number[];
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
  const measured = starts.map((): Rounds => ({ ms: [], cpuMs: [] }));
  for (let round = -warmups; round < rounds; round++) {
    for (const [i, { command }] of starts.entries()) {
      const cpuBefore = childrenCpuMs();
      const ms = await timeOf(command, signal);
      const cpuAfter = childrenCpuMs();
      if (round < 0) continue;
      measured[i]?.ms.push(ms);
      measured[i]?.cpuMs.push((cpuAfter ?? Number.NaN) - (cpuBefore ?? Number.NaN));
    }
  }
  const [ofBare = { ms: [], cpuMs: [] }] = measured;
  return starts.map(({ work, target }, i) => {
    return { work, target, ...figures(measured[i] ?? ofBare, ofBare) };
  });
}

function figures(own: Rounds, bare: Rounds): Omit<Startup, "work" | "target"> {
  const leastMs = Math.min(...own.ms);
  const cpuMs = mean(own.cpuMs);
  const cpuRatio = cpuMs / mean(bare.cpuMs);
  return {
    ms: median(own.ms),
    ratio: median(own.ms.map((ms, round) => ms / (bare.ms[round] ?? Number.NaN))),
    leastMs,
    leastRatio: leastMs / Math.min(...bare.ms),
    cpuMs: Number.isNaN(cpuMs) ? null : cpuMs,
    cpuRatio: Number.isNaN(cpuRatio) ? null : cpuRatio,
  };
}

function mean(values: number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
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
  const head = ["start", "ms", "of bare", "least ms", "of bare", "CPU ms", "of bare", "target"];
  const table = new Table({
    head,
    colAligns: head.map((_, i) => (i === 0 ? "left" : "right")),
    style: { head: [], border: [], compact: true },
  });
  for (const { work, ms, ratio, leastMs, leastRatio, cpuMs, cpuRatio, target } of startups) {
    const judged =
      target === null ? "" : `${target.toFixed(1)} ${ratio <= target ? "met" : "missed"}`;
    table.push([
      ...[work, ms.toFixed(0), ratio.toFixed(2), leastMs.toFixed(0), leastRatio.toFixed(2)],
      ...[cpuMs?.toFixed(0) ?? "", cpuRatio?.toFixed(2) ?? "", judged],
    ]);
  }
  return (
    `${table.toString()}\nmedian, and the quickest, of the rounds; the target is for the median. ` +
    "On a busy machine\nthe quickest and the CPU time, of all threads, tell more."
  );
}

async function timeOf([program, ...args]: Start["command"], signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, { stdio: "ignore", signal });
  await once(child, "exit");
  return performance.now() - started;
}
