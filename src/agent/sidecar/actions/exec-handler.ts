// An action's work done by a program: the payload goes to its standard input, what it writes comes back.

import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import { ActionError, messageOf } from "../../connection/errors.ts";
import type { ExecConfig } from "../config/config.ts";
import type { Place } from "../place.ts";
import { type ProgramEnd, runProgram } from "../programs/run-program.ts";
import { fillExec } from "./fill-exec.ts";
import { outputMaxBytes, outputOf, shownOf, toldError, type Written } from "./program-output.ts";

/**
 * What the program wrote to standard output. A prepare has no payload: `null`. Throws ActionError with
 * what the program said of its failure, or PROGRAM_FAILED; PROGRAM_NOT_STARTED; PAYLOAD_INVALID. Rejects
 * with the signal's reason when the program and what it has started are gone.
 */
export async function runExec(
  exec: ExecConfig,
  payload: JsonObject | null,
  place: Place,
  signal: AbortSignal,
): Promise<Written> {
  const filled = fillExec(exec, payload ?? {});
  // The line's end is for programs that read a line.
  const stdin = payload === null ? undefined : `${JSON.stringify(payload)}\n`;
  // A service's next command, and the word that a cancelled one was stopped, wait for all of the group.
  const run = { place, stdin, signal, maxBytes: outputMaxBytes, untilGone: true };
  const end = await runProgram(filled, run).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new ActionError("PROGRAM_NOT_STARTED", sentence(messageOf(error)));
  });
  const written = { text: end.stdout, cut: end.cut, bytes: end.stdoutBytes };
  if (end.status === 0) return written;
  throw failureOf(end, written);
}

function failureOf(end: ProgramEnd, written: Written): ActionError {
  const output = outputOf(written);
  const told = isJsonObject(output) && isJsonObject(output.error) ? toldError(output) : {};
  const message = told.message ?? messageFrom(end);
  if (told.code !== undefined) return new ActionError(told.code, message, told.details);
  return new ActionError("PROGRAM_FAILED", message, {
    exitStatus: end.status,
    signal: end.signal,
    stderr: end.stderr.join("\n"),
    stdout: shownOf(written.text),
  });
}

function messageFrom({ status, signal, stderr }: ProgramEnd): string {
  if (signal !== null) return `The program was ended by ${signal}.`;
  // Not a line of a stack trace, and not the one that Node.js writes below it.
  const told = stderr.findLast((line) => /^(?!Node\.js v)[^\s{}[\]]/.test(line));
  return told ?? stderr.at(-1) ?? `The program ended with status ${status}.`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
