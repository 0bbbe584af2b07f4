// Converts an agent's texts to short lines that cannot control a terminal.

import type { Json } from "../../domain/payload/json.ts";
import { cutText } from "../../lib/cut-text.ts";
import { printableLine } from "../output/printable.ts";

const maxLine = 200;

export function lineOf(value: Json | undefined, longest = maxLine): string {
  if (typeof value !== "string") return "";
  const text = value.slice(0, 2 * longest).replace(/\s+/g, " ");
  return cut(text.trim(), longest);
}

export function valueLine(value: Json, longest = maxLine): string {
  return cut(typeof value === "string" ? value : JSON.stringify(value), longest);
}

export function pathLine(path: readonly string[]): string {
  return path.length === 0 ? "the payload" : cut(path.join("."), maxLine);
}

function cut(text: string, longest: number): string {
  return cutText(printableLine(text.slice(0, longest + 1)), longest);
}
