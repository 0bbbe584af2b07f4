// Shows what an installation or a removal does, a row for each path; man pages, of which there are many, in one.

import { dirname } from "node:path";
import { type ListView, type OutputOptions, printList } from "../output/output.ts";
import type { Io } from "../terminal/io.ts";

export interface Row {
  action: string;
  what: string;
  path: string;
  note: string | null;
}

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

/** A person is shown what changes or is left; the rest, and folders, only on request (`-o wide`). */
export function showRows(io: Io, options: OutputOptions, rows: readonly Row[]): void {
  const isTable = (options.output ?? "table") === "table";
  const shown = isTable ? folded(rows.filter(isNews)) : rows;
  if (isTable && shown.length === 0) return;
  const pagination = { page: 1, pageSize: shown.length, total: shown.length };
  const columns = view.columns.filter(({ name }) => name !== "note" || shown.some(hasNote));
  printList(io, options, shown, { ...view, columns }, { pagination, filters: {} });
}

function isNews({ action, what }: Row): boolean {
  return action !== "keep" && what !== "folder";
}

function hasNote({ note }: Row): boolean {
  return note !== null;
}

function folded(rows: readonly Row[]): Row[] {
  const shown: Row[] = [];
  for (const row of rows) {
    const alike = rows.filter((other) => areAlike(row, other));
    if (alike.length < 3) shown.push(row);
    else if (alike[0] === row) {
      shown.push({
        ...row,
        what: `${alike.length} ${row.what}s`,
        path: `${dirname(row.path)}/`,
      });
    }
  }
  return shown;
}

function areAlike(a: Row, b: Row): boolean {
  return (
    a.action === b.action &&
    a.what === b.what &&
    a.note === b.note &&
    dirname(a.path) === dirname(b.path)
  );
}
