// Whether a program finds a service well: it says so by exit status 0.

import type { ExecConfig } from "./config.ts";
import { lastLine } from "./lines.ts";
import type { Place } from "./place.ts";
import { succeed } from "./succeed.ts";

/** Answers the last line of what it printed. Throws an Error that says how it failed. */
export async function probeExec(
  exec: ExecConfig,
  place: Place,
  signal: AbortSignal,
): Promise<string> {
  const { stdout } = await succeed(exec, place, signal);
  return lastLine(stdout) || "exit status 0";
}
