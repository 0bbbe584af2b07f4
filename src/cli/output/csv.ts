// Prints the rows of a list as the server exports them.

import { csvColumnsOf } from "../../domain/route-facts.ts";
import { csvRecord, csvRow } from "../../lib/csv.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { printableLines } from "./printable.ts";

interface CsvOptions {
  csv?: string;
  headers?: boolean;
  columns?: string;
}

export function printCsv(
  io: Io,
  { csv, headers, columns: chosen }: CsvOptions,
  rows: readonly object[],
): void {
  if (csv === undefined) throw usageError("-o csv is for lists: use -o json.");
  if (chosen) throw usageError("--columns is for tables, and a CSV has all columns: leave it out.");
  const columns = csvColumnsOf(csv);
  const head = headers === false ? "" : csvRecord(columns);
  const text = head + rows.map((row) => csvRow(columns, row)).join("");
  // CSV has no escapes, so its control characters are escaped only for a terminal.
  if (text) io.out(io.isTerminal ? printableLines(text) : text);
}
