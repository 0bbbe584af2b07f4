// CPU times of processes, from Linux's /proc.

import { readFileSync } from "node:fs";

/** The unit of times there, the same on every Linux that Node runs on. */
const msPerTick = 10;

/** User and system time of a whole process, in milliseconds; null elsewhere than on Linux. */
export function processCpuMs(pid: number): number | null {
  return cpuMs(pid, 11);
}

/** The same of this process's children that have ended, and of theirs; null elsewhere. */
export function childrenCpuMs(): number | null {
  return cpuMs("self", 13);
}

/** The sum of two fields behind the name of the program, which may hold anything. */
function cpuMs(pid: number | "self", field: number): number | null {
  if (process.platform !== "linux") return null;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[field]) + Number(fields[field + 1])) * msPerTick;
}
