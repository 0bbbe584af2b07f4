// Runs synchronous work that may never end, and ends it. For work on input that is not trusted, such
// as regular expressions from elsewhere: the engine itself interrupts it.

import { type Context, createContext, Script } from "node:vm";

export type Timed<T> =
  | { outcome: "done"; value: T }
  | { outcome: "threw"; error: unknown }
  | { outcome: "late" };

let stage: { call: Script; room: Context } | null = null;

/** Of this thread; of the whole process where Node is older than 23.9, as it may be under the agent library. */
function spent(): NodeJS.CpuUsage {
  return process.threadCpuUsage?.() ?? process.cpuUsage();
}

/**
 * Calls `work` and gives it about `ms`. Costs a fraction of a millisecond by itself. On a busy machine
 * the time may go to other programs: only our own counts, so `work` may be begun more than once.
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
  // Made when first needed: most programs that load this never call it.
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
