// Shows what an installation or a removal does, with a row for each path.

import { dirname } from "node:path";
import { printWhole } from "../output/listing.ts";
import type { ListView, OutputOptions } from "../output/output.ts";
import type { Io } from "../terminal/io.ts";
import type { Step } from "./steps.ts";

type Row = Omit<Step, "act">;

const view = {
  columns: [
    { name: "action", value: ({ action }) => action },
    { name: "what", value: ({ what }) => what },
    { name: "path", value: ({ path }) => path, kind: "key" },
    { name: "note", value: ({ note }) => note },
  ],
  nameOf: ({ path }) => path,
  whenEmpty: "",
} satisfies ListView<Row>;

/** The table omits unchanged files, and all folders. `-o wide` shows both. */
export function showRows(io: Io, options: OutputOptions, rows: readonly Row[]): void {
  const isTable = (options.output ?? "table") === "table";
  const news = rows.filter(({ action, what }) => action !== "keep" && what !== "folder");
  const shown = isTable ? folded(news) : rows;
  if (isTable && shown.length === 0) return;
  const hasNotes = shown.some(({ note }) => note !== null);
  const columns = view.columns.filter(({ name }) => name !== "note" || hasNotes);
  printWhole({ io, options: { ...options } }, shown, { ...view, columns });
}

/** Uses one row for three or more paths that differ only in their last part, such as man pages. */
function folded(rows: readonly Row[]): Row[] {
  const keyOf = ({ action, what, note, path }: Row) =>
    [action, what, note, dirname(path)].join("\n");
  const groups = Map.groupBy(rows, keyOf);
  return rows.flatMap((row) => {
    const alike = groups.get(keyOf(row)) ?? [];
    if (alike.length < 3) return [row];
    if (alike[0] !== row) return [];
    return [{ ...row, what: `${alike.length} ${row.what}s`, path: `${dirname(row.path)}/` }];
  });
}
