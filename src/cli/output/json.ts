// JSON, as every command prints it: what would steer a terminal is escaped, wherever it goes. Whoever reads
// it as JSON gets the same data.

import { printableJson } from "./printable.ts";

/** Without a line feed at the end. `indent`: blanks by level; all on one line for 0. */
export function toJson(value: unknown, indent = 0): string {
  return printableJson(JSON.stringify(value, null, indent));
}
