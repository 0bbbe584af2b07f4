// Programs that are asked something, and that say by their exit status whether they could answer.

import type { ExecConfig } from "../config/config.ts";
import type { ConfigOrigin } from "../config-origin.ts";
import { lastLine } from "../lines.ts";
import { type ProgramEnd, runProgram } from "./run-program.ts";

/** More of what a program writes is thrown away. */
const maxOutputBytes = 64 * 1024;
/** Whoever asks again does so when this run is gone: one that does not end when asked has little time. */
const graceMs = 1000;

/**
 * Runs the program to its end. Throws an Error that says how it failed, with the last line that it wrote
 * ("exit status 1: no such table"), or the signal's reason once the program is gone.
 */
export async function askProgram(
  exec: ExecConfig,
  origin: ConfigOrigin,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const bounds = { maxBytes: maxOutputBytes, graceMs, untilGone: true };
  const end = await runProgram(exec, { origin, signal, ...bounds });
  if (end.status === 0) return end;
  const how = end.status === null ? `ended by ${end.signal}` : `exit status ${end.status}`;
  const said = lastLine(end.stderr.join("\n")) || lastLine(end.stdout);
  throw new Error(said === "" ? how : `${how}: ${said}`);
}
