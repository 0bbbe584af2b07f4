// An agent has little to do for months, so it needs less memory rather than more speed. The systemd unit
// sets what must be set before a process starts (cli/install/units.ts, docs/performance.md).

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Call this before the agent's code is loaded. */
export function preferMemoryToSpeed(): void {
  setFlagsFromString("--optimize-for-size");
}

/** Frees what only the start needed, such as compiled code. Takes 50 to 70 ms. */
export function forgetTheStart(): void {
  setFlagsFromString("--expose-gc");
  const collect: (how: object) => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", flavor: "last-resort" });
}
