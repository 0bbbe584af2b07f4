import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { childrenOfCpuMs, processCpuMs } from "./cpu-time.ts";
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
