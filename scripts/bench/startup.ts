// Measures the command line's start-up time with warm caches against `node -e 0`. The programs are
// started in turn, so that other load on the machine affects all of them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { layOut } from "../build/lay-out.ts";
import { projectFolder } from "../build/project.ts";
import { median } from "./compare.ts";
import { childrenCpuMs } from "./processors.ts";
import type { Subject } from "./subject.ts";
import { tableOf } from "./table.ts";

/** Starts that fill the cache of compiled sources, and are not counted. */
const warmups = 2;

interface Start {
  work: string;
  command: [string, ...string[]];
  /** A multiple of bare Node's start time; null if there is no target. */
  target: number | null;
}

/** The ratios are relative to bare Node. */
export interface Startup {
  work: string;
  /** The median of the rounds. */
  ms: number;
  ratio: number;
  /** The fastest round. */
  leastMs: number;
  leastRatio: number;
  /** The mean CPU time of a start, over all threads; null if the system does not provide it. */
  cpuMs: number | null;
  cpuRatio: number | null;
  target: number | null;
}

interface CallSchedule {
  ms: number[];
  /**
   * The system counts CPU time in steps of 10 ms, so only the mean is useful. NaN means unknown.
   */
  cpuMs: number[];
}

/** Builds the bundle in `folder`, and then starts it and the sources. */
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
  const measured = starts.map((): CallSchedule => ({ ms: [], cpuMs: [] }));
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

function figures(own: CallSchedule, bare: CallSchedule): Omit<Startup, "work" | "target"> {
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

function startsOf(
  program: string,
  how: "from source" | "bundled",
  { port, databaseFile }: Subject,
): Start[] {
  const isSource = how === "from source";
  const starts: [work: string, target: number | null, ...words: string[]][] = [
    ["platformctl --version", isSource ? null : 1.5, "--version"],
    ["platformctl --help", null, "--help"],
    ["agents list --db", isSource ? 6 : 3.5, "agents", "list", "--db", databaseFile],
    // The server refuses this command without a credential, but the command loads the same files.
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
  const rows = startups.map(({ work, ms, ratio, leastMs, leastRatio, cpuMs, cpuRatio, target }) => [
    ...[work, ms.toFixed(0), ratio.toFixed(2), leastMs.toFixed(0), leastRatio.toFixed(2)],
    ...[cpuMs?.toFixed(0) ?? "", cpuRatio?.toFixed(2) ?? "", judged(ratio, target)],
  ]);
  return (
    `${tableOf(head, rows)}\nMedian and fastest round; the target is for the median. ` +
    "On a busy machine,\nthe fastest round and the CPU time of all threads are more reliable."
  );
}

function judged(ratio: number, target: number | null): string {
  return target === null ? "" : `${target.toFixed(1)} ${ratio <= target ? "met" : "missed"}`;
}

async function timeOf([program, ...args]: Start["command"], signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, { stdio: "ignore", signal });
  await once(child, "exit");
  return performance.now() - started;
}
