// CPU times of processes, from Linux's /proc.

import { readFileSync } from "node:fs";

/** The unit of these times, the same on every Linux that Node supports. */
const msPerTick = 10;

/** User and system time of a whole process in milliseconds; null on other systems than Linux. */
export function processCpuMs(pid: number): number | null {
  return cpuMs(pid, 11);
}

/** The same for the ended children of this process, and for their children. */
export function childrenCpuMs(): number | null {
  return cpuMs("self", 13);
}

/** The sum of two fields after the program's name, which can contain anything. */
function cpuMs(pid: number | "self", field: number): number | null {
  if (process.platform !== "linux") return null;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[field]) + Number(fields[field + 1])) * msPerTick;
}
