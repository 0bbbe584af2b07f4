// The JSON that every command prints. Characters that control a terminal are escaped; the data
// stays the same.

import { printableJson } from "./printable.ts";

/** Without a final line feed. `indent` is the spaces per level; 0 prints one line. */
export function toJson(value: unknown, indent = 0): string {
  return printableJson(JSON.stringify(value, null, indent));
}
