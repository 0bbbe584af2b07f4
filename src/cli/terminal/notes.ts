// What a command prints on stderr besides its data: text for people, or a line of JSON if errors
// are JSON.

import { toJson } from "../output/json.ts";
import type { OutputOptions } from "../output/output.ts";
import type { Io } from "./io.ts";

export type NoteOptions = Pick<OutputOptions, "output">;

/** `facts` is printed as the JSON. */
export function noteFacts(
  io: Io,
  { output }: NoteOptions,
  text: string,
  facts: Record<string, unknown>,
): void {
  const isJson = output === "json" || output === "jsonl";
  io.note(`${isJson ? toJson(facts) : text}\n`);
}

/** `code` is in upper snake case. */
export function noteLine(io: Io, options: NoteOptions, code: string, message: string): void {
  noteFacts(io, options, message, { note: { code, message } });
}
