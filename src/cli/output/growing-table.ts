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

export class GrowingTable<Row> {
  readonly #io: Io;
  readonly #columns: Column<Row>[];
  #widths: number[];
  #isHeadDue: boolean;

  constructor(io: Io, options: OutputOptions, view: View<Row>) {
    this.#io = io;
    this.#columns = chosenColumns(options, view);
    this.#isHeadDue = options.headers !== false;
    this.#widths = this.#columns.map(({ name }) => (this.#isHeadDue ? widthOf(name) : 0));
  }

  linesOf(rows: readonly Row[]): string {
    if (rows.length === 0) return "";
    const cells = rows.map((row) =>
      this.#columns.map((column) => textOf(this.#io, column, row, true)),
    );
    this.#widths = this.#widths.map((width, at) =>
      cells.reduce((widest, line) => Math.max(widest, widthOf(line[at] ?? "")), width),
    );
    const lines = cells.map((line) =>
      this.#line(line.map((text, at) => painted(this.#io, this.#columns[at] as Column<Row>, text))),
    );
    if (this.#isHeadDue)
      lines.unshift(this.#line(this.#columns.map(({ name }) => name.toUpperCase())));
    this.#isHeadDue = false;
    return lines.join("");
  }

  #line(cells: string[]): string {
    const padded = cells.map((cell, at) => padTo(cell, this.#widths[at] ?? 0));
    return `${padded.join("  ").trimEnd()}\n`;
  }
}
