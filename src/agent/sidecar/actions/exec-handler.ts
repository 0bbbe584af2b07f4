import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import { capitalized } from "../../../lib/capitalized.ts";
import { ActionError, messageOf } from "../../connection/errors.ts";
import type { ActionOutput } from "../../services/services.ts";
import type { ExecConfig } from "../config/config.ts";
import type { Abortable } from "../config/config-origin.ts";
import { environmentOf } from "../programs/program-environment.ts";
import { type ProgramEnd, runProgram } from "../programs/run-program.ts";
import { fillExec } from "./fill-exec.ts";
import { filteredOutput } from "./filtered-output.ts";
import {
  outputMaxBytes,
  outputOf,
  reportedError,
  shownOf,
  type Written,
} from "./program-output.ts";

/**
 * `payload` is null for a prepare command. `output` gets the program's output while it runs. Throws
 * ActionError with the error that the program reported, or with PROGRAM_FAILED, PROGRAM_NOT_STARTED
 * or PAYLOAD_INVALID. After an abort, rejects with the signal's reason when the program and its
 * children have ended.
 */
export async function runExec(
  exec: ExecConfig,
  payload: JsonObject | null,
  origin: Abortable,
  output: ActionOutput,
): Promise<Written> {
  const { signal } = origin;
  const filled = fillExec(exec, payload ?? {});
  const live = filteredOutput(output, environmentOf(filled, origin));
  // Some programs read only complete lines.
  const stdin = payload === null ? undefined : `${JSON.stringify(payload)}\n`;
  const run = { origin, stdin, signal, live, maxBytes: outputMaxBytes, untilGone: true };
  const end = await runProgram(filled, run).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new ActionError("PROGRAM_NOT_STARTED", sentence(messageOf(error)));
  });
  const written = { text: end.stdout, cut: end.cut, bytes: end.stdoutBytes };
  if (end.status === 0) return written;
  throw exitError(end, written);
}

function exitError(end: ProgramEnd, written: Written): ActionError {
  const output = outputOf(written);
  const reported = isJsonObject(output) && isJsonObject(output.error) ? reportedError(output) : {};
  const message = reported.message ?? messageFrom(end);
  if (reported.code !== undefined) return new ActionError(reported.code, message, reported.details);
  return new ActionError("PROGRAM_FAILED", message, {
    exitStatus: end.status,
    signal: end.signal,
    stderr: end.stderr.join("\n"),
    stdout: shownOf(written.text),
  });
}

function messageFrom({ status, signal, stderr }: ProgramEnd): string {
  if (signal !== null) return `The program was terminated by ${signal}.`;
  // Skips the lines of a stack trace, and the line that Node.js writes below it.
  const line = stderr.findLast((text) => /^(?!Node\.js v)[^\s{}[\]]/.test(text));
  return line ?? stderr.at(-1) ?? `The program exited with status ${status}.`;
}

function sentence(text: string): string {
  return `${capitalized(text)}.`;
}
