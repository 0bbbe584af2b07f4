// Text of an agent's as one short line that cannot steer a terminal.

import type { Json } from "../../domain/json.ts";
import { printableLine } from "../printable.ts";

const maxLine = 200;

/** Text of an agent's as one short line; "" when it is no text. */
export function lineOf(value: Json | undefined, longest = maxLine): string {
  if (typeof value !== "string") return "";
  const line = printableLine(
    value
      .slice(0, longest + 1)
      .replace(/\s+/g, " ")
      .trim(),
  );
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** A value as one short line: text as it is, all else as JSON. */
export function valueLine(value: Json, longest = maxLine): string {
  return lineOf(typeof value === "string" ? value : JSON.stringify(value), longest);
}

/** `a.b.0`; a payload as a whole is called so. */
export function pathLine(path: readonly string[]): string {
  return path.length === 0 ? "the payload" : lineOf(path.join("."));
}
