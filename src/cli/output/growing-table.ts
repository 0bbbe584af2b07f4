// A table that grows as rows arrive. Times are absolute, because printed lines cannot change.

import type { Io } from "../terminal/io.ts";
import {
  type Column,
  chosenColumns,
  type OutputOptions,
  painted,
  textOf,
  type View,
} from "./output.ts";
import { padTo, widthOf } from "./text-width.ts";

/** The returned function adds rows, and returns their lines, after the head for the first rows. */
export function growingTable<Row>(io: Io, options: OutputOptions, view: View<Row>) {
  const columns = chosenColumns(options, view);
  let isHeadDue = options.headers !== false;
  let widths = columns.map(({ name }) => (isHeadDue ? widthOf(name) : 0));
  const lineOf = (cells: string[]) => {
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
      lineOf(line.map((text, at) => painted(io, columns[at] as Column<Row>, text))),
    );
    if (isHeadDue) lines.unshift(lineOf(columns.map(({ name }) => name.toUpperCase())));
    isHeadDue = false;
    return lines.join("");
  };
}
