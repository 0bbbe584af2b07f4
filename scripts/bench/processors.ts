// How busy the processors are, from the CPU times of processes in /proc on Linux.

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import type { Shares } from "./readings.ts";

/** Returns a function that ends the measurement. The processes must still run then. */
export function measureProcessors(server: number, others: Record<string, number[]>): () => Shares {
  const startedAt = performance.now();
  const usedBy = (): [string, number | null][] => [
    ["the server", processCpuMs(server)],
    ["its child processes", childrenOfCpuMs(server)],
    ["the measuring process", processCpuMs(process.pid)],
    ...Object.entries(others).map(([who, pids]): [string, number | null] => [who, sumOf(pids)]),
  ];
  const before = new Map(usedBy());
  return () => {
    const ms = performance.now() - startedAt;
    const shares = usedBy().map(([who, used]): [string, number | null] => {
      const from = before.get(who) ?? null;
      return [who, used === null || from === null ? null : (used - from) / ms];
    });
    return { ...Object.fromEntries(shares), available: availableParallelism() };
  };
}

function sumOf(pids: number[]): number | null {
  let sum = 0;
  for (const pid of pids) {
    const ms = processCpuMs(pid);
    if (ms === null) return null;
    sum += ms;
  }
  return sum;
}

/** The unit of the times in /proc, the same on every Linux that Node supports. */
const msPerTick = 10;

/** Returns the user and system time; null on systems other than Linux. */
export function processCpuMs(pid: number): number | null {
  return cpuMs(pid, 11);
}

/** As `processCpuMs`, for the children that have ended and their own children. */
export function childrenCpuMs(): number | null {
  return cpuMs("self", 13);
}

/**
 * As `processCpuMs`, for the children that run or have ended, but not their own running children.
 */
function childrenOfCpuMs(pid: number): number | null {
  const ended = cpuMs(pid, 13);
  if (ended === null) return null;
  const running = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  return running
    .filter(Boolean)
    .reduce((sum, child) => sum + (msOrZero(Number(child)) ?? 0), ended);
}

function msOrZero(pid: number): number | null {
  try {
    return processCpuMs(pid);
  } catch {
    return 0; // the process has just ended
  }
}

/** Sums two fields after the program's name, which can contain any characters. */
function cpuMs(pid: number | "self", field: number): number | null {
  if (process.platform !== "linux") return null;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[field]) + Number(fields[field + 1])) * msPerTick;
}
