// Prints rows as they arrive: in a growing table for people, or one by one for programs.

import { orAborted } from "../../lib/time-limit.ts";
import type { Io } from "../terminal/io.ts";
import {
  type Column,
  chosenColumns,
  isForPeople,
  lineOf,
  type OutputOptions,
  painted,
  textOf,
  type View,
} from "./output.ts";
import { padTo, widthOf } from "./text-width.ts";
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
 * heads. Times are absolute, because printed lines cannot change.
 */
export function growingTable<Row>(io: Io, options: OutputOptions, view: View<Row>) {
  const columns = chosenColumns(options, view);
  let isHeadDue = options.headers !== false;
  let widths = columns.map(({ name }) => (isHeadDue ? widthOf(name) : 0));
  const toLine = (cells: string[]) => {
    const padded = cells.map((cell, at) => padTo(cell, widths[at] ?? 0));
    return `${padded.join("  ").trimEnd()}\n`;
  };
  return (rows: readonly Row[]): string => {
    if (rows.length === 0) return "";
    const cells = rows.map((row) => columns.map((column) => textOf(io, column, row, true)));
    widths = widths.map((width, at) =>
      cells.reduce((widest, line) => Math.max(widest, widthOf(line[at] ?? "")), width),
    );
    const lines = cells.map((line) =>
      toLine(line.map((text, at) => painted(io, columns[at] as Column<Row>, text))),
    );
    if (isHeadDue) lines.unshift(toLine(columns.map(({ name }) => name.toUpperCase())));
    isHeadDue = false;
    return lines.join("");
  };
}
