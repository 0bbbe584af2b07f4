// Text of an agent's as one short line that cannot steer a terminal.

import type { Json } from "../../domain/payload/json.ts";
import { printableLine } from "../output/printable.ts";

const maxLine = 200;

/** What is to be read: line breaks and runs of blanks are one blank. "" when it is no text. */
export function lineOf(value: Json | undefined, longest = maxLine): string {
  if (typeof value !== "string") return "";
  return cut(
    value
      .slice(0, 2 * longest)
      .replace(/\s+/g, " ")
      .trim(),
    longest,
  );
}

/** A value, character by character: text as it is, all else as JSON. */
export function valueLine(value: Json, longest = maxLine): string {
  return cut(typeof value === "string" ? value : JSON.stringify(value), longest);
}

/** `a.b.0`; a payload as a whole is called so. */
export function pathLine(path: readonly string[]): string {
  return path.length === 0 ? "the payload" : cut(path.join("."), maxLine);
}

function cut(text: string, longest: number): string {
  const line = printableLine(text.slice(0, longest + 1));
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
