// Fits a table into the terminal: omits columns that say nothing, then cuts long text, then omits
// other columns, minor ones first and then from the right, but not those that matter most. If that
// is not enough, each row becomes a block of lines.

import Table from "cli-table3";
import { cutTo, widthOf, wrapTo } from "./text-width.ts";

interface TableColumn {
  head: string;
  /**
   * The column is never cut, because users copy its values or must read all of them. Very long
   * values wrap.
   */
  firm: boolean;
  /** The column wraps, so it is neither cut nor omitted. */
  wraps?: boolean;
  /** The column is not omitted unless it says nothing. */
  stays?: boolean;
  /** The column is omitted before others. */
  minor?: boolean;
  /** A value that says nothing if all rows have it. */
  usual?: string | undefined;
}

export interface Grid {
  columns: TableColumn[];
  rows: string[][];
  headed: boolean;
  /** Firm columns do not wrap. */
  oneLine?: boolean;
  /** Colours a cell without changing its width. */
  paint: (text: string, column: number) => string;
}

interface Layout {
  text: string;
  /** Heads of the columns that did not fit. */
  leftOut: string[];
}

const gap = 2;
/** Shown in a cell without a value. */
export const nothing = "-";

/** The minimum width to which text is cut, in characters. */
const narrowest = 8;
/** Below these widths, other columns are omitted first. */
const readable = { firm: 24, wraps: 24, stays: 16 } as const;
/** Longer words are broken. An id has 30 characters. */
const longestWord = 32;
/** A table keeps at least this many columns. */
const fewest = 2;

/** `width` undefined means no limit. `mayLeaveOut` is false when all columns were requested. */
export function layOut(grid: Grid, width: number | undefined, mayLeaveOut: boolean): Layout {
  const fitting = fitColumns(grid, width, mayLeaveOut);
  if (fitting === null) {
    return { text: blocksOf(grid, width ?? Number.POSITIVE_INFINITY), leftOut: [] };
  }
  const { shown, widths, leftOut } = fitting;
  return { text: tableOf(partOf(grid, shown), widths), leftOut };
}

/**
 * Returns a function that lays out rows like `layOut`, below the rows of its earlier calls. It
 * returns the heads again only if other columns are shown.
 */
export function growingLayout(width: number | undefined, mayLeaveOut: boolean) {
  /** For each column, the widest value, and a value that says something. */
  let before: string[][] = [];
  let showed: string | null = null;
  return (grid: Grid): Layout => {
    const all = { ...grid, rows: [...before, ...grid.rows] };
    const wider = (one: string, two: string) => (widthOf(two) > widthOf(one) ? two : one);
    const telling = (at: number) => all.rows.find((row) => !saysNothing(all.columns[at], row[at]));
    const everyColumn = grid.columns.map((_, at) => at);
    before = [
      everyColumn.map((at) => all.rows.map((row) => row[at] ?? "").reduce(wider)),
      everyColumn.map((at) => telling(at)?.[at] ?? nothing),
    ];
    const fitting = fitColumns(all, width, mayLeaveOut);
    if (fitting === null) return layOut(grid, width, mayLeaveOut);
    const { shown, widths, leftOut } = fitting;
    const isSame = showed === shown.join();
    showed = shown.join();
    const part = partOf({ ...grid, headed: grid.headed && !isSame }, shown);
    return { text: tableOf(part, widths), leftOut: isSame ? [] : leftOut };
  };
}

/** Returns null if the columns do not fit. */
function fitColumns(grid: Grid, width: number | undefined, mayLeaveOut: boolean) {
  const shown = grid.columns.map((_, at) => at);
  for (;;) {
    const part = partOf(grid, shown);
    const next = mayLeaveOut ? nextToOmit(grid, shown) : undefined;
    const mayCut = next === undefined ? "more" : next.saysNothing ? "nothing" : "long text";
    const widths = fittingWidths(part, width, mayCut);
    if (widths !== null) {
      const leftOut = grid.columns.filter((_, at) => !shown.includes(at));
      return { shown, widths, leftOut: leftOut.map(({ head }) => head) };
    }
    if (next === undefined) return null;
    shown.splice(shown.indexOf(next.column), 1);
  }
}

function saysNothing(column: TableColumn | undefined, text: string | undefined): boolean {
  return text === nothing || text === column?.usual;
}

/** The first column always stays. */
function nextToOmit({ columns, rows }: Grid, shown: readonly number[]) {
  if (shown.length <= fewest) return undefined;
  const others = shown.slice(1);
  const isSilent = (at: number) => rows.every((row) => saysNothing(columns[at], row[at]));
  const silent = others.findLast(isSilent);
  if (silent !== undefined) return { column: silent, saysNothing: true };
  const able = others.filter((at) => !columns[at]?.wraps && !columns[at]?.stays);
  const column = able.findLast((at) => columns[at]?.minor) ?? able.at(-1);
  return column === undefined ? undefined : { column, saysNothing: false };
}

function partOf(grid: Grid, shown: readonly number[]): Grid {
  return {
    ...grid,
    columns: shown.flatMap((at) => grid.columns[at] ?? []),
    rows: grid.rows.map((row) => shown.map((at) => row[at] ?? "")),
    paint: (text, at) => grid.paint(text, shown[at] ?? at),
  };
}

/**
 * Shrinks the widest columns first. If `mayCut` is "more", text can become narrower than is easy to
 * read. Returns null if the columns do not fit.
 */
function fittingWidths(
  grid: Grid,
  width = Number.POSITIVE_INFINITY,
  mayCut: "nothing" | "long text" | "more",
) {
  const { columns, rows, headed, oneLine } = grid;
  const heads = columns.map(({ head }) => (headed ? widthOf(head) : 0));
  const widths = heads.map((headWidth, at) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? "")), headWidth),
  );
  const least = columns.map((column, at) => {
    if (column.firm && oneLine) return widths[at] ?? 0;
    const kind = (["firm", "wraps", "stays"] as const).find((each) => column[each]);
    const word = column.firm || column.wraps ? longestWordIn(rows.map((row) => row[at] ?? "")) : 0;
    return Math.max(heads[at] ?? 0, word, kind ? readable[kind] : narrowest);
  });
  const stages = mayCut === "nothing" ? [] : [least];
  if (mayCut === "more") {
    const fewer = least.map((one, at) =>
      columns[at]?.firm ? one : Math.max(heads[at] ?? 0, narrowest),
    );
    stages.push(fewer);
  }
  const room = width - gap * (columns.length - 1);
  let excess = widths.reduce((total, one) => total + one, 0) - room;
  for (const floors of stages) {
    while (excess > 0) {
      const spare = widths.map((one, at) => (one > (floors[at] ?? 0) ? one : 0));
      const widest = Math.max(...spare);
      if (widest === 0) break;
      widths[spare.indexOf(widest)] = widest - 1;
      excess--;
    }
  }
  return excess > 0 ? null : widths;
}

function longestWordIn(cells: readonly string[]): number {
  const words = cells.flatMap((cell) => cell.match(/[0-9A-Za-z]+/g) ?? []);
  const longest = words.reduce((most, { length }) => Math.max(most, length), 0);
  return Math.min(longestWord, longest);
}

/** Cells are cut and wrapped first, because the library would split combined characters. */
function tableOf({ columns, rows, headed, paint }: Grid, widths: number[]): string {
  const table = new Table({
    ...(headed ? { head: widths.map((_, at) => columns[at]?.head ?? "") } : {}),
    chars: noLines,
    colWidths: widths.map((width) => width + gap),
    style: { head: [], border: [], "padding-left": 0, "padding-right": gap },
  });
  for (const row of rows) {
    const fitted = widths.map((width, at) => {
      const fitting = columns[at]?.wraps || columns[at]?.firm ? wrapTo : cutTo;
      return paint(fitting(row[at] ?? "", width), at);
    });
    table.push(fitted);
  }
  return `${table.toString().replace(/ +$/gm, "")}\n`;
}

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

/** Returns a line such as `code: edge-1` for each column, and an empty line between rows. */
function blocksOf({ columns, rows, headed, paint }: Grid, width: number): string {
  const block = (row: string[]) =>
    columns.map(({ head, firm, wraps }, at) => {
      const label = headed ? `${head}: ` : "";
      const text = row[at] ?? "";
      const room = Math.max(narrowest, width - widthOf(label));
      return label + paint(firm || wraps ? text : cutTo(text, room), at);
    });
  return `${rows.map((row) => block(row).join("\n")).join("\n\n")}\n`;
}
