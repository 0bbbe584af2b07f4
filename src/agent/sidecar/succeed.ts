// Programs that are asked something, and that say by their exit status whether they could answer.

import type { ExecConfig } from "./config.ts";
import { lastLine } from "./lines.ts";
import type { Place } from "./place.ts";
import { type ProgramEnd, runProgram } from "./run-program.ts";

/** More of what a program writes is thrown away. */
const maxOutputBytes = 64 * 1024;

/**
 * Runs the program to its end. Throws an Error that says how it failed, with the last line that it wrote
 * ("exit status 1: no such table"), or the signal's reason.
 */
export async function succeed(
  exec: ExecConfig,
  place: Place,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const end = await runProgram(exec, { place, signal, maxBytes: maxOutputBytes });
  if (end.status === 0) return end;
  const how = end.status === null ? `ended by ${end.signal}` : `exit status ${end.status}`;
  const said = lastLine(end.stderr.join("\n")) || lastLine(end.stdout);
  throw new Error(said === "" ? how : `${how}: ${said}`);
}
