// What a command says on stderr beside its data: for a person a line of text; a line of JSON where an error
// would be one, so that a program that reads stderr meets nothing else.

import { toJson } from "../output/json.ts";
import type { OutputOptions } from "../output/output.ts";
import type { Io } from "./io.ts";

export type NoteOptions = Pick<OutputOptions, "output">;

/** `facts` is what the JSON says. */
export function noteFacts(
  io: Io,
  { output }: NoteOptions,
  text: string,
  facts: Record<string, unknown>,
): void {
  const isJson = output === "json" || output === "jsonl";
  io.note(`${isJson ? toJson(facts) : text}\n`);
}

/** `code` is for programs, in upper snake case. */
export function noteLine(io: Io, options: NoteOptions, code: string, message: string): void {
  noteFacts(io, options, message, { note: { code, message } });
}
