// Measures the command line's start-up time with warm caches against `node -e 0`. The programs are
// started in turn, so that other load on the machine affects all of them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { layOut } from "../build/lay-out.ts";
import { projectFolder } from "../build/project.ts";
import { childrenCpuMs } from "./processors.ts";
import { type Measurement, medianAtMost, readingOf } from "./readings.ts";
import type { Subject } from "./subject.ts";

/** Starts that fill the cache of compiled sources, and are not counted. */
const warmups = 2;

interface Start {
  work: string;
  command: [string, ...string[]];
  /** A multiple of bare Node's start time; null if there is no target. */
  target: number | null;
}

/** Builds the bundle in `folder`, and then starts it and the sources. */
export async function measureStartup(
  subject: Subject,
  folder: string,
  rounds: number,
  signal: AbortSignal,
): Promise<Measurement> {
  await layOut(folder);
  const bare: Start = { work: "node -e 0", command: [process.execPath, "-e", "0"], target: null };
  const starts: Start[] = [
    bare,
    ...startsOf(join(projectFolder, "bin/platformctl"), "from source", subject),
    ...startsOf(join(folder, "bin/platformctl"), "bundled", subject),
  ];
  const measured = starts.map((start) => {
    return { ...start, ms: [] as number[], cpuMs: [] as number[] };
  });
  for (let round = -warmups; round < rounds; round++) {
    for (const { command, ms, cpuMs } of measured) {
      const cpuBefore = childrenCpuMs();
      const wallMs = await timeOf(command, signal);
      const cpuAfter = childrenCpuMs();
      if (round < 0) continue;
      ms.push(wallMs);
      if (cpuBefore !== null && cpuAfter !== null) cpuMs.push(cpuAfter - cpuBefore);
    }
  }
  const [{ ms: bareMs } = { ms: [] }, ...ours] = measured;
  const ratios = (ms: number[]) => ms.map((value, round) => value / (bareMs[round] ?? Number.NaN));
  return {
    name: "cli",
    notes: [
      `A ratio (×) compares a start with that of "${bare.work}" in the same round. On a busy machine,`,
      "the fastest start (min) and the CPU time of all threads are more reliable.",
    ],
    readings: [
      ...ours.map(({ work, target, ms }) => readingOf(work, "×", ratios(ms), medianAtMost(target))),
      ...measured.map(({ work, ms }) => readingOf(work, "ms", ms, null)),
      // The system counts CPU time in steps of 10 ms, so only the mean is useful.
      ...measured
        .filter(({ cpuMs }) => cpuMs.length > 0)
        .map(({ work, cpuMs }) => readingOf(`${work}: mean CPU time`, "ms", [mean(cpuMs)], null)),
    ],
    processors: {},
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

async function timeOf([program, ...args]: Start["command"], signal: AbortSignal): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, { stdio: "ignore", signal });
  await once(child, "exit");
  return performance.now() - started;
}
