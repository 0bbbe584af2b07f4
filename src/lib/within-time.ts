// Interrupts synchronous work that may never end, such as regular expressions from untrusted input.

import { type Context, createContext, Script } from "node:vm";

type Timed<T> =
  | { outcome: "done"; value: T }
  | { outcome: "threw"; error: unknown }
  | { outcome: "late" };

let stage: { call: Script; room: Context } | null = null;

/** Returns the CPU time of this thread, or of the whole process on Node versions before 23.9. */
function spent(): NodeJS.CpuUsage {
  return process.threadCpuUsage?.() ?? process.cpuUsage();
}

/**
 * Allows `work` about `ms` of this thread's own CPU time. If other programs used the time, starts
 * `work` again. The overhead is a tenth of a millisecond, unless `ms` is Infinity, which means no
 * limit.
 */
export function withinTime<T>(ms: number, work: () => T): Timed<T> {
  for (let spentMs = 0; ; ) {
    const before = spent();
    const outcome = attempt(ms, work);
    if (outcome.outcome !== "late") return outcome;
    const after = spent();
    spentMs += (after.user - before.user + after.system - before.system) / 1000;
    if (spentMs >= ms * 0.9) return outcome;
  }
}

function attempt<T>(ms: number, work: () => T): Timed<T> {
  if (ms === Infinity) return untimed(work);
  // The context is created when it is first needed, because most programs never need it.
  stage ??= { call: new Script("work()"), room: createContext({ work: () => undefined }) };
  const { call, room } = stage;
  room.work = work;
  try {
    return { outcome: "done", value: call.runInContext(room, { timeout: ms }) as T };
  } catch (error) {
    const late = (error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return late ? { outcome: "late" } : { outcome: "threw", error };
  } finally {
    room.work = undefined;
  }
}

function untimed<T>(work: () => T): Timed<T> {
  try {
    return { outcome: "done", value: work() };
  } catch (error) {
    return { outcome: "threw", error };
  }
}
