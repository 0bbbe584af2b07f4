import type { ExecConfig } from "../config/config.ts";
import type { Abortable } from "../config/config-origin.ts";
import { lastLine } from "../lines.ts";
import { type ProgramEnd, runProgram } from "./run-program.ts";

const maxOutputBytes = 64 * 1024;
/** Short, because the next run waits until this program has ended. */
const graceMs = 1000;

/**
 * Throws an Error such as "exit status 1: no such table". After an abort, throws the signal's
 * reason when the program has ended, or if the agent may not end it.
 */
export async function askProgram(exec: ExecConfig, origin: Abortable): Promise<ProgramEnd> {
  const bounds = { maxBytes: maxOutputBytes, graceMs };
  const end = await runProgram(exec, { origin, signal: origin.signal, ...bounds });
  if (end.status === 0) return end;
  const how = end.status === null ? `terminated by ${end.signal}` : `exit status ${end.status}`;
  const line = lastLine(end.stderr.join("\n")) || lastLine(end.stdout);
  throw new Error(line === "" ? how : `${how}: ${line}`);
}
