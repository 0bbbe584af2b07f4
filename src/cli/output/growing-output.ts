// Rows that are printed as they come, until somebody has seen enough: a table that grows for people, a line
// or a YAML element each for machines.

import { unlessAborted } from "../terminal/interrupted.ts";
import type { Io } from "../terminal/io.ts";
import { GrowingTable } from "./growing-table.ts";
import { toJson } from "./json.ts";
import { isForPeople, type OutputOptions, type View } from "./output.ts";
import { printableLine } from "./printable.ts";
import { toYaml } from "./yaml.ts";

/** Answers what prints rows; it waits for a slow reader, unless the signal ends that. */
export function growingOutput<Row>(
  io: Io,
  output: OutputOptions,
  view: View<Row>,
  signal: AbortSignal,
): (rows: readonly Row[]) => Promise<void> {
  const textOf = writerOf(io, output, view);
  return async (rows) => {
    if (rows.length > 0) await unlessAborted(io.outBytes(Buffer.from(textOf(rows))), signal);
  };
}

/** Throws a usage error for a column that there is not. */
function writerOf<Row>(
  io: Io,
  output: OutputOptions,
  view: View<Row>,
): (rows: readonly Row[]) => string {
  if (isForPeople(output)) {
    const table = new GrowingTable(io, output, view);
    return (rows) => table.linesOf(rows);
  }
  const textOf = (row: Row) => {
    if (output.output === "name") return `${printableLine(view.nameOf(row))}\n`;
    return output.output === "yaml" ? toYaml([row]) : `${toJson(row)}\n`;
  };
  return (rows) => rows.map(textOf).join("");
}
