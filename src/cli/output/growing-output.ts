// Prints rows as they arrive: in a growing table for people, or one by one for programs.

import { unlessAborted } from "../terminal/interrupted.ts";
import type { Io } from "../terminal/io.ts";
import { growingTable } from "./growing-table.ts";
import { isForPeople, lineOf, type OutputOptions, type View } from "./output.ts";
import { toYaml } from "./yaml.ts";

/** The returned function waits for a slow reader until the signal aborts. */
export function growingOutput<Row>(
  io: Io,
  output: OutputOptions,
  view: View<Row>,
  signal: AbortSignal,
): (rows: readonly Row[]) => Promise<void> {
  const table = isForPeople(output) ? growingTable(io, output, view) : null;
  const textOf = (row: Row) =>
    output.output === "yaml" ? toYaml([row]) : lineOf(output.output, row, view);
  return async (rows) => {
    if (rows.length === 0) return;
    const text = table ? table(rows) : rows.map(textOf).join("");
    await unlessAborted(io.outBytes(Buffer.from(text)), signal);
  };
}
