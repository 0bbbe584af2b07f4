// Prints data: as a table for a person, or whole and unchanged for a machine. (`cli.md` "Output")

import Table from "cli-table3";
import { stringify } from "yaml";
import type { Pagination } from "../api/route.ts";
import { paintState } from "./colours.ts";
import { usageError } from "./exit.ts";
import type { Io } from "./io.ts";
import { printableLine, printableText } from "./printable.ts";
import { relativeTime } from "./relative-time.ts";

export type Format = "table" | "wide" | "json" | "jsonl" | "yaml" | "name";

export interface OutputOptions {
  output?: Format;
  /** False for `--no-headers`. */
  headers?: boolean;
  /** `--columns a,b` */
  columns?: string;
}

/** A column of a table. Times are relative in tables and exact in `wide`. */
export interface Column<Row> {
  name: string;
  value: (row: Row) => string | number | boolean | null | undefined;
  /** A key is what one copies: it is never cut. */
  kind?: "time" | "state" | "key";
  /** Only in `wide`, or when named with `--columns`. */
  wide?: true;
}

export interface View<Row> {
  columns: Column<Row>[];
  /** What `-o name` prints. */
  nameOf: (row: Row) => string;
}

export interface ListView<Row> extends View<Row> {
  /** What to say, on stderr, when there is nothing at all: the next step. */
  whenEmpty: string;
}

/** Which part of what a list shows. */
export interface Listing {
  pagination: Pagination;
  /** What was asked for besides the page; undefined is not asked for. */
  filters: Record<string, unknown>;
}

/** Prints a list; of a table that is only a part of all, says so on stderr. */
export function printList<Row>(
  io: Io,
  options: OutputOptions,
  rows: readonly Row[],
  view: ListView<Row>,
  listing: Listing,
): void {
  const format = options.output ?? "table";
  switch (format) {
    case "json":
      io.out(`${JSON.stringify(rows, null, 2)}\n`);
      return;
    case "jsonl":
      for (const row of rows) io.out(`${JSON.stringify(row)}\n`);
      return;
    case "yaml":
      io.out(stringify(rows));
      return;
    case "name":
      for (const row of rows) io.out(`${view.nameOf(row)}\n`);
      return;
    default:
      chosenColumns(options, view);
      if (rows.length === 0) {
        io.note(`${whyEmpty(view, listing)}\n`);
      } else {
        io.out(tableOf(io, options, rows, view));
        noteTheRest(io, listing.pagination, rows.length);
      }
  }
}

function whyEmpty<Row>(view: ListView<Row>, { pagination, filters }: Listing): string {
  if (pagination.total > 0)
    return `There is no page ${pagination.page}: there are ${pagination.total} in all.`;
  const filtered = Object.values(filters).some((value) => value !== undefined);
  return filtered ? "Nothing matches." : view.whenEmpty;
}

function noteTheRest(io: Io, { page, pageSize, total }: Pagination, shown: number): void {
  if (shown >= total) return;
  const first = (page - 1) * pageSize + 1;
  const more = first + shown - 1 < total ? `; go on with --page ${page + 1}` : "";
  io.note(`\n${first} to ${first + shown - 1} of ${total}${more}\n`);
}

/** Prints one thing: its columns below each other (those with a value), then `more` in tables. */
export function printOne<Row>(
  io: Io,
  options: OutputOptions,
  row: Row,
  view: View<Row>,
  more: () => string = () => "",
): void {
  const format = options.output ?? "table";
  if (format === "json") io.out(`${JSON.stringify(row, null, 2)}\n`);
  else if (format === "jsonl") io.out(`${JSON.stringify(row)}\n`);
  else if (format === "yaml") io.out(stringify(row));
  else if (format === "name") io.out(`${view.nameOf(row)}\n`);
  else io.out(factsOf(io, options, row, view) + more());
}

/** Whether a person reads it, and a hint beside the data helps. */
export function isForPeople({ output = "table" }: OutputOptions): boolean {
  return output === "table" || output === "wide";
}

/** Text for a person that goes with data: YAML, indented below a title. */
export function section(title: string, value: unknown): string {
  const text = typeof value === "string" ? value : stringify(value).trimEnd();
  return `\n${title}\n${printableText(text).replace(/^/gm, "  ")}\n`;
}

function tableOf<Row>(
  io: Io,
  options: OutputOptions,
  rows: readonly Row[],
  view: View<Row>,
): string {
  const columns = chosenColumns(options, view);
  const exact = options.output === "wide";
  const cells = rows.map((row) => columns.map((column) => textOf(io, column, row, exact)));
  const heads = columns.map((column) => column.name.toUpperCase());
  const widths = fittingWidths(io.width, columns, cells);
  const table = new Table({
    ...(options.headers === false ? {} : { head: heads }),
    chars: noLines,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
    ...(widths ? { colWidths: widths } : {}),
  });
  for (const line of cells) {
    table.push(line.map((text, at) => painted(io, columns[at] as Column<Row>, text)));
  }
  return `${table.toString().replace(/ +$/gm, "")}\n`;
}

function factsOf<Row>(io: Io, options: OutputOptions, row: Row, view: View<Row>): string {
  const exact = options.output === "wide";
  const columns = options.columns
    ? chosenColumns(options, view)
    : view.columns.filter((column) => exact || textOf(io, column, row, exact) !== nothing);
  const longest = Math.max(...columns.map((column) => column.name.length));
  const lines = columns.map((column) => {
    const text = painted(io, column, textOf(io, column, row, exact));
    return options.headers === false ? text : `${column.name.padEnd(longest)}  ${text}`;
  });
  return `${lines.join("\n")}\n`;
}

export function chosenColumns<Row>(options: OutputOptions, view: View<Row>): Column<Row>[] {
  if (!options.columns) {
    return view.columns.filter((column) => !column.wide || options.output === "wide");
  }
  return options.columns.split(",").map((wanted) => {
    const name = wanted.trim().toLowerCase();
    const column = view.columns.find((known) => known.name.toLowerCase() === name);
    if (column) return column;
    const names = view.columns.map((known) => known.name).join(", ");
    throw usageError(`there is no column ${wanted}; there are: ${names}.`);
  });
}

export function textOf<Row>(io: Io, column: Column<Row>, row: Row, exact: boolean): string {
  const value = column.value(row);
  if (value === null || value === undefined || value === "") return nothing;
  const isTime = column.kind === "time" && !Number.isNaN(Date.parse(String(value)));
  return isTime && !exact ? relativeTime(String(value), io.now()) : printableLine(String(value));
}

export function painted<Row>(io: Io, column: Column<Row>, text: string): string {
  return column.kind === "state" && io.colour ? paintState(text) : text;
}

/** Widths that fit the terminal, the widest giving way first; undefined when all fits anyway. */
function fittingWidths<Row>(
  width: number | undefined,
  columns: Column<Row>[],
  cells: string[][],
): number[] | undefined {
  if (width === undefined) return undefined;
  const widths = columns.map(
    ({ name }, at) => 2 + Math.max(name.length, ...cells.map((line) => (line[at] ?? "").length)),
  );
  const spare = () => width - widths.reduce((total, one) => total + one, 0);
  if (spare() >= 0) return undefined;
  while (spare() < 0) {
    const cut = columns.map(({ kind }, at) => (kind === "key" ? 0 : (widths[at] ?? 0)));
    const widest = Math.max(...cut);
    if (widest <= narrowest) break;
    widths[cut.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** A column is not cut below this; a terminal that is narrower yet wraps the lines. */
const narrowest = 7;

/** How a cell without a value is shown. */
const nothing = "-";

const noLines = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "",
};
