// Runs synchronous work that may never end, and ends it. For work on input that is not trusted, such
// as regular expressions from elsewhere: the engine itself interrupts it.

import { createContext, Script } from "node:vm";

export type Timed<T> =
  | { outcome: "done"; value: T }
  | { outcome: "threw"; error: unknown }
  | { outcome: "late" };

const call = new Script("work()");
const room = createContext({ work: () => undefined });

/** Calls `work` and gives it at most `ms`. Costs a fraction of a millisecond by itself. */
export function withinTime<T>(ms: number, work: () => T): Timed<T> {
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
