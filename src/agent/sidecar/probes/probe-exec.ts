import type { ExecConfig } from "../config/config.ts";
import type { ConfigOrigin } from "../config-origin.ts";
import { lastLine } from "../lines.ts";
import { askProgram } from "../programs/ask-program.ts";

/** Returns the last line of output. Throws an Error that says how the program failed. */
export async function probeExec(
  exec: ExecConfig,
  origin: ConfigOrigin,
  signal: AbortSignal,
): Promise<string> {
  const { stdout } = await askProgram(exec, origin, signal);
  return lastLine(stdout) || "exit status 0";
}
