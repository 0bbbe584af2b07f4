// Runs programs that report success by their exit status, such as health checks.

import type { ExecConfig } from "../config/config.ts";
import type { ConfigOrigin } from "../config-origin.ts";
import { lastLine } from "../lines.ts";
import { type ProgramEnd, runProgram } from "./run-program.ts";

/** The rest of the output is discarded. */
const maxOutputBytes = 64 * 1024;
/** The grace period is short, because the next run waits until this program is gone. */
const graceMs = 1000;

/**
 * Runs the program until it exits. Throws an Error with the status and the last line of output
 * ("exit status 1: no such table"). After an abort, throws the signal's reason when the program is
 * gone.
 */
export async function askProgram(
  exec: ExecConfig,
  origin: ConfigOrigin,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const bounds = { maxBytes: maxOutputBytes, graceMs, untilGone: true };
  const end = await runProgram(exec, { origin, signal, ...bounds });
  if (end.status === 0) return end;
  const how = end.status === null ? `terminated by ${end.signal}` : `exit status ${end.status}`;
  const line = lastLine(end.stderr.join("\n")) || lastLine(end.stdout);
  throw new Error(line === "" ? how : `${how}: ${line}`);
}
