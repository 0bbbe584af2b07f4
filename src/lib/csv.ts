// Comma-separated values (RFC 4180) for spreadsheets. A `'` precedes text that a spreadsheet would take for a
// formula.

export type CsvCell = string | number | null;

/** Returns a record with its line break. Null and empty text both become an empty cell. */
export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = isFormula.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Matches text that spreadsheets calculate, even after white space. */
const isFormula = /^[=+\-@\t\r\n]/;
/**
 * Matches text that needs quotes. Spaces at the ends belong to the field, but some readers drop
 * them if the field is not quoted.
 */
const needsQuotes = /[",\r\n]|^\s|\s$/;
