// Prints rows as they arrive: in a growing table for people, or one by one for programs.

import { orAborted } from "../../lib/time-limit.ts";
import type { Io } from "../terminal/io.ts";
import {
  chosenColumns,
  gridOf,
  isForPeople,
  lineOf,
  noteLeftOut,
  type OutputOptions,
  type View,
} from "./output.ts";
import { clockTime } from "./relative-time.ts";
import { growingLayout } from "./table.ts";
import { toYaml } from "./yaml.ts";

/** The returned function waits for a slow reader until the signal aborts. */
export function growingOutput<Row>(
  io: Io,
  output: OutputOptions,
  view: View<Row>,
  signal: AbortSignal,
): (rows: readonly Row[]) => Promise<void> {
  const table = isForPeople(output) ? growingTable(io, output, view) : null;
  const onOwnLine = (row: Row) =>
    output.output === "yaml" ? toYaml([row]) : lineOf(output.output, row, view);
  return async (rows) => {
    if (rows.length === 0) return;
    const text = table ? table(rows) : rows.map(onOwnLine).join("");
    await orAborted(io.outBytes(Buffer.from(text)), signal);
  };
}

/**
 * The returned function takes rows and returns their lines. The first call also returns the column
 * heads. Times are not relative, because printed lines cannot change.
 */
export function growingTable<Row>(io: Io, options: OutputOptions, view: View<Row>) {
  chosenColumns(options, view); // refuses unknown columns before anything is read
  const isShort = io.isTerminal && options.output !== "wide";
  const timeOf = (iso: string) => (isShort ? clockTime(iso, io.now()) : iso);
  const isWhole = options.output === "wide" || options.columns !== undefined;
  const layOut = growingLayout(isWhole ? undefined : io.width, !isWhole);
  return (rows: readonly Row[]): string => {
    if (rows.length === 0) return "";
    const { text, leftOut } = layOut(gridOf(io, options, rows, view, timeOf));
    noteLeftOut(io, leftOut);
    return text;
  };
}
