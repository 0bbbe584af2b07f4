// Prints data: as a table for a person, or whole and unchanged for a machine.

import { rowsInPages } from "../../api/contract/list-limits.ts";
import type { Pagination } from "../../api/contract/route.ts";
import { maxRowsCounted } from "../../domain/limits.ts";
import { usageError } from "../exit.ts";
import { paintState } from "../terminal/colours.ts";
import type { Io } from "../terminal/io.ts";
import { toJson } from "./json.ts";
import { printableLine, printableText } from "./printable.ts";
import { relativeTime } from "./relative-time.ts";
import { layOut } from "./table.ts";
import { padTo } from "./text-width.ts";
import { toYaml } from "./yaml.ts";

export type Format = "table" | "wide" | "json" | "jsonl" | "yaml" | "name";

export interface OutputOptions {
  output?: Format;
  /** False for `--no-headers`. */
  headers?: boolean;
  /** `--columns a,b` */
  columns?: string;
  /** The command has changed nothing: a column that there is not is an error. */
  isRead?: boolean;
}

/** A column of a table. Times are relative in tables and exact in `wide`. */
export interface Column<Row> {
  name: string;
  value: (row: Row) => string | number | boolean | null | undefined;
  /** A key is what one copies: it is never cut. Prose is what one reads: it goes on in further lines. */
  kind?: "time" | "state" | "key" | "prose";
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
  /** The command has `--all`. */
  offersAll?: true;
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
      io.out(`${toJson(rows, 2)}\n`);
      return;
    case "jsonl":
      for (const row of rows) io.out(`${toJson(row)}\n`);
      return;
    case "yaml":
      io.out(toYaml(rows));
      return;
    case "name":
      for (const row of rows) io.out(`${printableLine(view.nameOf(row))}\n`);
      return;
    default:
      chosenColumns(options, view);
      if (rows.length === 0) {
        io.note(`${whyEmpty(view, listing)}\n`);
      } else {
        printTable(io, options, rows, view);
        noteTheRest(io, listing, rows.length);
      }
  }
}

function whyEmpty<Row>(view: ListView<Row>, { pagination, filters }: Listing): string {
  if (pagination.searchedTo !== undefined) return `Nothing matches so far. ${goOn(pagination)}`;
  if (pagination.total > 0)
    return `There is no page ${pagination.page}: there are ${totalOf(pagination)} in all.`;
  const filtered = Object.values(filters).some((value) => value !== undefined);
  return filtered ? "Nothing matches." : view.whenEmpty;
}

function noteTheRest(io: Io, { pagination, offersAll }: Listing, shown: number): void {
  const { page, pageSize, total, next } = pagination;
  if (shown >= total && next === undefined) return;
  const orAll = offersAll ? ", or --all" : "";
  const first = (page - 1) * pageSize + 1;
  const last = first + shown - 1;
  const isReachable = last < total && page * pageSize < rowsInPages(pagination);
  const place = isReachable ? `--page ${page + 1}` : next && `--before ${next}`;
  const more = place ? `; go on with ${place}${orAll}` : "";
  io.note(`\n${first} to ${last} of ${totalOf(pagination)}${more}\n`);
  if (pagination.searchedTo !== undefined && !isReachable) io.note(`${goOn(pagination)}\n`);
}

function totalOf({ total, totalIsLowerBound }: Pagination): string {
  if (!totalIsLowerBound) return String(total);
  return total > maxRowsCounted ? `more than ${maxRowsCounted}` : `at least ${total}`;
}

/** For a search that ended before its end. */
function goOn({ searchedTo, next }: Pagination): string {
  return `Searched back to ${searchedTo}: narrow the filters, or go on with --before ${next}`;
}

/**
 * Prints one thing: its columns below each other (those with a value), then `more` in tables. With
 * `--columns`, a command that only reads prints those alone; what another has done is shown all the same.
 */
export function printOne<Row>(
  io: Io,
  options: OutputOptions,
  row: Row,
  view: View<Row>,
  more: () => string = () => "",
): void {
  const format = options.output ?? "table";
  if (format === "json") io.out(`${toJson(row, 2)}\n`);
  else if (format === "jsonl") io.out(`${toJson(row)}\n`);
  else if (format === "yaml") io.out(toYaml(row));
  else if (format === "name") io.out(`${printableLine(view.nameOf(row))}\n`);
  else io.out(factsOf(io, options, row, view) + (options.isRead && options.columns ? "" : more()));
}

/** Whether a person reads it, and a hint beside the data helps. */
export function isForPeople({ output = "table" }: OutputOptions): boolean {
  return output === "table" || output === "wide";
}

/** Text for a person that goes with data: YAML, indented below a title. */
export function section(title: string, value: unknown): string {
  const text = typeof value === "string" ? value : toYaml(value).trimEnd();
  return `\n${title}\n${printableText(text).replace(/^/gm, "  ")}\n`;
}

function printTable<Row>(
  io: Io,
  options: OutputOptions,
  rows: readonly Row[],
  view: View<Row>,
): void {
  const columns = chosenColumns(options, view);
  const exact = options.output === "wide";
  const grid = {
    columns: columns.map(({ name, kind }) => ({
      head: name.toUpperCase(),
      firm: kind !== undefined && kind !== "prose",
      wraps: kind === "prose",
    })),
    rows: rows.map((row) => columns.map((column) => textOf(io, column, row, exact))),
    headed: options.headers !== false,
    paint: (text: string, at: number) => painted(io, columns[at] as Column<Row>, text),
  };
  const { text, leftOut } = layOut(grid, io.width, !exact && !options.columns);
  io.out(text);
  if (leftOut.length === 0) return;
  io.note(`\nToo narrow here for ${leftOut.join(", ")}: -o wide shows every column.\n`);
}

function factsOf<Row>(io: Io, options: OutputOptions, row: Row, view: View<Row>): string {
  const exact = options.output === "wide";
  const columns = options.columns
    ? knownColumns(io, options, view)
    : view.columns.filter((column) => exact || textOf(io, column, row, exact) !== nothing);
  const longest = Math.max(...columns.map((column) => column.name.length));
  const lines = columns.map((column) => {
    const text = painted(io, column, textOf(io, column, row, exact));
    return options.headers === false ? text : `${padTo(column.name, longest)}  ${text}`;
  });
  return `${lines.join("\n")}\n`;
}

/** What was done is done, and is shown: a name that is no column is only noted. */
function knownColumns<Row>(io: Io, options: OutputOptions, view: View<Row>): Column<Row>[] {
  try {
    return chosenColumns(options, view);
  } catch (error) {
    if (options.isRead) throw error;
    io.note(`${(error as Error).message}\n`);
    return view.columns;
  }
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

export function textOf<Row>(
  io: Pick<Io, "now">,
  column: Column<Row>,
  row: Row,
  exact: boolean,
): string {
  const value = column.value(row);
  if (value === null || value === undefined || value === "") return nothing;
  const isTime = column.kind === "time" && !Number.isNaN(Date.parse(String(value)));
  return isTime && !exact ? relativeTime(String(value), io.now()) : printableLine(String(value));
}

export function painted<Row>(io: Pick<Io, "colour">, column: Column<Row>, text: string): string {
  return column.kind === "state" && io.colour ? paintState(text) : text;
}

/** How a cell without a value is shown. */
const nothing = "-";
