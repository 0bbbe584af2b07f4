// Whether a program finds a service well: it says so by exit status 0.

import type { ExecConfig } from "../config/config.ts";
import type { ConfigOrigin } from "../config-origin.ts";
import { lastLine } from "../lines.ts";
import { askProgram } from "../programs/ask-program.ts";

/** Answers the last line of what it printed. Throws an Error that says how it failed. */
export async function probeExec(
  exec: ExecConfig,
  origin: ConfigOrigin,
  signal: AbortSignal,
): Promise<string> {
  const { stdout } = await askProgram(exec, origin, signal);
  return lastLine(stdout) || "exit status 0";
}
