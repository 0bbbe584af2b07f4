// Fits a table into the terminal: cuts long text first, then omits columns from the right. If that
// is not enough, each row becomes a block of lines.

import Table from "cli-table3";
import { cutTo, widthOf, wrapTo } from "./text-width.ts";

export interface TableColumn {
  head: string;
  /** The column is never cut, because users copy its values or must read all of them. */
  firm: boolean;
  /** The column wraps, so it is neither cut nor omitted. */
  wraps?: boolean;
}

export interface Grid {
  columns: TableColumn[];
  rows: string[][];
  headed: boolean;
  /** Colours a cell without changing its width. */
  paint: (text: string, column: number) => string;
}

export interface Layout {
  text: string;
  /** Heads of the columns that did not fit. */
  leftOut: string[];
}

const gap = 2;
/** The minimum width to which text is cut, in characters. */
const narrowest = 8;
/** A table keeps at least this many columns. */
const fewest = 2;

/** `width` undefined means no limit. `mayLeaveOut` is false when all columns were requested. */
export function layOut(grid: Grid, width: number | undefined, mayLeaveOut: boolean): Layout {
  const all = grid.columns.length;
  const untilWrapping = grid.columns.findLastIndex(({ wraps }) => wraps) + 1;
  const least = mayLeaveOut ? Math.max(Math.min(fewest, all), untilWrapping) : all;
  for (let shown = all; shown >= least; shown--) {
    const widths = fittingWidths(grid, shown, width);
    if (widths === null) continue;
    const leftOut = grid.columns.slice(shown).map(({ head }) => head);
    return { text: tableOf(grid, widths), leftOut };
  }
  return { text: blocksOf(grid, width ?? Number.POSITIVE_INFINITY), leftOut: [] };
}

/** Shrinks the widest columns first. Returns null if the columns do not fit. */
function fittingWidths(grid: Grid, count: number, width = Number.POSITIVE_INFINITY) {
  const columns = grid.columns.slice(0, count);
  const headWidths = columns.map(({ head }) => (grid.headed ? widthOf(head) : 0));
  const widths = headWidths.map((headWidth, at) =>
    grid.rows.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? "")), headWidth),
  );
  const least = columns.map(({ firm }, at) =>
    firm ? (widths[at] ?? 0) : Math.max(narrowest, headWidths[at] ?? 0),
  );
  const room = width - gap * (count - 1);
  let excess = widths.reduce((total, one) => total + one, 0) - room;
  while (excess > 0) {
    const spare = widths.map((one, at) => (one > (least[at] ?? 0) ? one : 0));
    const widest = Math.max(...spare);
    if (widest === 0) return null;
    widths[spare.indexOf(widest)] = widest - 1;
    excess--;
  }
  return widths;
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
      const fitting = columns[at]?.wraps ? wrapTo : cutTo;
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
