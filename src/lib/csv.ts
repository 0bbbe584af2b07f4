// Comma-separated values as RFC 4180 has them, for spreadsheets: text that one of them would take for
// a formula is told apart by a `'` before it.

export type CsvCell = string | number | null;

/** One record with its line break. Null and empty text are the same empty cell. */
export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = isFormula.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What spreadsheets calculate, also behind white space that they skip. */
const isFormula = /^[=+\-@\t\r\n]/;
/** Spaces at the ends are part of a field, and some readers drop them without quotes. */
const needsQuotes = /[",\r\n]|^\s|\s$/;
