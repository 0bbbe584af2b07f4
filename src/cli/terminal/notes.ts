// Notes on stderr: text for people, or a line of JSON if errors are JSON.

import { toJson } from "../output/json.ts";
import { isForPeople, type OutputOptions } from "../output/output.ts";
import { printableText } from "../output/printable.ts";
import type { Io } from "./io.ts";

export type NoteOptions = Pick<OutputOptions, "output">;

export function noteFacts(
  io: Pick<Io, "note">,
  { output }: NoteOptions,
  text: string,
  facts: Record<string, unknown>,
): void {
  const isJson = output === "json" || output === "jsonl";
  io.note(`${isJson ? toJson(facts) : text}\n`);
}

export function noteLine(
  io: Pick<Io, "note">,
  options: NoteOptions,
  code: string,
  message: string,
): void {
  noteFacts(io, options, message, { note: { code, message } });
}

/** Prints a note below what was printed before. */
export function noteLast(
  io: Pick<Io, "note">,
  options: OutputOptions,
  code: string,
  text: string,
): void {
  noteLine(io, options, code, isForPeople(options) ? `\n${text}` : text);
}

/** `--debug`: prints every call and its outcome, without secrets. */
export function tracing(io: Io, debug: boolean | undefined): { trace?: (line: string) => void } {
  return debug ? { trace: (line) => io.note(`${printableText(line)}\n`) } : {};
}
