// Prints data: as a table for people, or unchanged for programs.

import { rowsInPages } from "../../api/contract/list-limits.ts";
import type { Pagination } from "../../api/contract/route.ts";
import { maxRowsCounted } from "../../domain/limits.ts";
import { usageError } from "../exit.ts";
import { paintState } from "../terminal/colours.ts";
import type { Io } from "../terminal/io.ts";
import { printCsv } from "./csv.ts";
import { toJson } from "./json.ts";
import { printableLine, printableText } from "./printable.ts";
import { relativeTime } from "./relative-time.ts";
import { shortId } from "./short-ids.ts";
import { type Grid, layOut, nothing } from "./table.ts";
import { aligned, wrapTo } from "./text-width.ts";
import { toYaml } from "./yaml.ts";

/** `output` prints only what an action has written. Only commands with `raw` accept it. */
type Format = "table" | "wide" | "json" | "jsonl" | "yaml" | "name" | "csv" | "output";

export interface OutputOptions {
  output?: Format;
  /** False for `--no-headers`. */
  headers?: boolean;
  columns?: string;
  /** The route of the list that the command prints, if it can print CSV. */
  csv?: string;
  /** Whether an unknown column is an error. It is not if the command can change something. */
  onlyPrints?: boolean;
}

/** Times are relative in tables and exact in `wide`. */
export interface Column<Row> {
  name: string;
  value: (row: Row) => string | number | boolean | null | undefined;
  /**
   * Users copy keys, so keys are never cut. Prose wraps. A cause says what is wrong. Narrow tables
   * leave out times and columns without a kind.
   */
  kind?: "time" | "state" | "key" | "prose" | "cause";
  /** Shortens the value in tables at a terminal. By default, keys that are ids are shortened. */
  short?: (text: string) => string;
  /** Narrow tables leave this column out before others. */
  minor?: true;
  /** Narrow tables leave the column out if all rows have this value. */
  usual?: string;
  /** Shown only in `wide`, or if `--columns` names it. */
  wide?: true;
  /** Shown even if `--columns` does not name it, because no later response contains the value. */
  once?: true;
}

export interface View<Row> {
  columns: Column<Row>[];
  /** What `-o name` prints. */
  nameOf: (row: Row) => string;
}

export interface ListView<Row> extends View<Row> {
  /** A suggested next step, which is printed on stderr if the list is empty. */
  whenEmpty: string;
}

interface Listing {
  pagination: Pagination;
  /** The filters, without the page. Undefined values are ignored. */
  filters: Record<string, unknown>;
  /** Whether the command has `--all`. */
  offersAll?: true;
}

export function printList<Row>(
  io: Io,
  options: OutputOptions,
  rows: readonly Row[],
  view: ListView<Row>,
  listing: Listing,
): void {
  if (!isForPeople(options)) {
    printForPrograms(io, options, rows, rows, view);
    return;
  }
  const known = knownOptions(io, options, view);
  if (rows.length === 0) io.note(`${whyEmpty(view, listing)}\n`);
  else {
    printTable(io, known, rows, view);
    noteTheRest(io, listing, rows.length);
  }
}

/** `data` is the array of rows, or a single row. */
function printForPrograms<Row>(
  io: Io,
  options: OutputOptions,
  data: unknown,
  rows: readonly Row[],
  view: View<Row>,
): void {
  const { output } = options;
  if (output === "csv") printCsv(io, options, rows as readonly object[]);
  else if (output === "json") io.out(`${toJson(data, 2)}\n`);
  else if (output === "yaml") io.out(toYaml(data));
  else if (!isRaw(options)) for (const row of rows) io.out(lineOf(output, row, view));
}

export function lineOf<Row>(output: Format | undefined, row: Row, view: View<Row>): string {
  return output === "name" ? `${printableLine(view.nameOf(row))}\n` : `${toJson(row)}\n`;
}

function whyEmpty<Row>(view: ListView<Row>, { pagination, filters }: Listing): string {
  if (pagination.searchedTo !== undefined) return `No match so far. ${searchFurther(pagination)}`;
  if (pagination.total > 0)
    return `There is no page ${pagination.page}: the list has ${totalOf(pagination)} rows.`;
  const filtered = Object.values(filters).some((value) => value !== undefined);
  return filtered ? "Nothing matches." : view.whenEmpty;
}

function noteTheRest(io: Io, { pagination, offersAll }: Listing, shown: number): void {
  const { page, pageSize, total, next } = pagination;
  if (shown >= total && next === undefined) return;
  const orAll = offersAll ? ", or --all" : "";
  const first = (page - 1) * pageSize + 1;
  const last = first + shown - 1;
  // A page can end early, and the next page number would then skip rows.
  const isReachable =
    last < total && shown === pageSize && page * pageSize < rowsInPages(pagination);
  const place = isReachable ? `--page ${page + 1}` : next && `--before ${next}`;
  const more = place ? `; continue with ${place}${orAll}` : "";
  io.note(`\n${first} to ${last} of ${totalOf(pagination)}${more}\n`);
  if (pagination.searchedTo !== undefined && !isReachable) {
    io.note(`${searchFurther(pagination)}\n`);
  }
}

function totalOf({ total, totalIsLowerBound }: Pagination): string {
  if (!totalIsLowerBound) return String(total);
  return total > maxRowsCounted ? `more than ${maxRowsCounted}` : `at least ${total}`;
}

function searchFurther({ searchedTo, next }: Pagination): string {
  return `The search stopped at ${searchedTo}: narrow the filters, or continue with --before ${next}`;
}

/** Commands that change something print `more` even with `--columns`, to show what they did. */
export function printOne<Row>(
  io: Io,
  options: OutputOptions,
  row: Row,
  view: View<Row>,
  more: () => readonly string[] = () => [],
): void {
  if (!isForPeople(options)) printForPrograms(io, options, row, [row], view);
  else {
    const known = knownOptions(io, options, view);
    const parts = printsWhole(known) ? more() : [];
    io.out(factsOf(io, known, row, view) + parts.join(""));
  }
}

/**
 * Whether `printOne` prints the whole item, and not only its name or columns. False for raw output,
 * because it contains the result only if the action has written nothing.
 */
export function printsWhole(options: OutputOptions): boolean {
  if (isForPeople(options)) return !(options.onlyPrints && options.columns);
  return options.output !== "name" && !isRaw(options);
}

/** Whether stdout gets only what an action has written. */
export function isRaw({ output }: OutputOptions): boolean {
  return output === "output";
}

export function isForPeople({ output = "table" }: OutputOptions): boolean {
  return output === "table" || output === "wide";
}

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
  const exact = options.output === "wide";
  const grid = gridOf(io, options, rows, view, timesFor(io, exact));
  const { text, leftOut } = layOut(grid, io.width, !exact && !options.columns);
  io.out(text);
  noteLeftOut(io, leftOut);
}

export function noteLeftOut(io: Io, leftOut: readonly string[]): void {
  if (leftOut.length === 0) return;
  const note = `There was not enough room for ${leftOut.join(", ")}: -o wide shows every column.`;
  io.note(`\n${wrapTo(note, io.width ?? note.length)}\n`);
}

export function gridOf<Row>(
  io: Io,
  options: OutputOptions,
  rows: readonly Row[],
  view: View<Row>,
  timeOf: TimeText,
): Grid {
  const columns = chosenColumns(options, view);
  const isWhole = options.output === "wide" || !io.isTerminal;
  return {
    columns: columns.map(({ name, kind, minor = false, usual }) => ({
      head: name.toUpperCase(),
      firm: kind !== undefined && kind !== "prose" && kind !== "cause",
      wraps: kind === "prose",
      stays: !minor && (kind === "cause" || kind === "key" || kind === "state"),
      minor,
      usual,
    })),
    rows: rows.map((row) =>
      columns.map((column) => {
        const text = textOf(column, row, timeOf);
        if (isWhole) return text;
        const { kind, short = kind === "key" ? shortId : undefined } = column;
        return short?.(text) ?? text;
      }),
    ),
    headed: options.headers !== false,
    paint: (text: string, at: number) => painted(io, columns[at] as Column<Row>, text),
  };
}

function factsOf<Row>(io: Io, options: OutputOptions, row: Row, view: View<Row>): string {
  const exact = options.output === "wide";
  const timeOf = timesFor(io, exact);
  const columns = options.columns
    ? chosenColumns(options, view)
    : view.columns.filter((column) => exact || textOf(column, row, timeOf) !== nothing);
  const lines = columns.map((column): [string, string] => [
    column.name,
    painted(io, column, textOf(column, row, timeOf)),
  ]);
  const text =
    options.headers === false ? lines.map(([, value]) => value) : aligned(lines, io.width);
  return `${text.join("\n")}\n`;
}

/**
 * In a command that can change something, an unknown column only causes a note, because the result
 * must be shown. The result is then shown as without `--columns`.
 */
function knownOptions<Row>(io: Io, options: OutputOptions, view: View<Row>): OutputOptions {
  try {
    chosenColumns(options, view);
    return options;
  } catch (error) {
    if (options.onlyPrints) throw error;
    io.note(`${(error as Error).message}\n`);
    const { columns: _, ...others } = options;
    return others;
  }
}

export function chosenColumns<Row>(options: OutputOptions, view: View<Row>): Column<Row>[] {
  if (!options.columns) {
    return view.columns.filter((column) => !column.wide || options.output === "wide");
  }
  const chosen = options.columns.split(",").map((wanted) => {
    const name = wanted.trim().toLowerCase();
    const column = view.columns.find((known) => known.name.toLowerCase() === name);
    if (column) return column;
    const names = view.columns.map((known) => known.name).join(", ");
    throw usageError(`there is no column ${wanted}; the columns are: ${names}.`);
  });
  return [...view.columns.filter((column) => column.once && !chosen.includes(column)), ...chosen];
}

/** How a time, such as `2026-01-02T03:04:05.678Z`, is shown. */
type TimeText = (iso: string) => string;

function timesFor({ now }: Pick<Io, "now">, exact: boolean): TimeText {
  return exact ? (iso) => iso : (iso) => relativeTime(iso, now());
}

export function textOf<Row>(column: Column<Row>, row: Row, timeOf: TimeText): string {
  const value = column.value(row);
  if (value === null || value === undefined || value === "") return nothing;
  const text = String(value);
  const isTime = column.kind === "time" && !Number.isNaN(Date.parse(text));
  return printableLine(isTime ? timeOf(text) : text);
}

export function painted<Row>(io: Pick<Io, "colour">, column: Column<Row>, text: string): string {
  return column.kind === "state" && io.colour ? paintState(text) : text;
}
