// The JSON that every command prints. Characters that control a terminal are escaped.

import { printableJson } from "./printable.ts";

/** `indent` is the number of spaces per level; 0 means one line. */
export function toJson(value: unknown, indent = 0): string {
  return printableJson(JSON.stringify(value, null, indent));
}
