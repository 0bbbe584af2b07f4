// The JSON that every command prints. Characters that control a terminal are escaped; the data
// stays the same.

import { printableJson } from "./printable.ts";

/**
 * Returns JSON without a final line feed. `indent` is the number of spaces per level; 0 means one
 * line.
 */
export function toJson(value: unknown, indent = 0): string {
  return printableJson(JSON.stringify(value, null, indent));
}
