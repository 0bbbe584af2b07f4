// Writes CSV (RFC 4180) for spreadsheets. A `'` in front of a text keeps programs from running it
// as a formula, including programs in which `;` or a tab ends a cell even within quotes.

type CsvCell = string | number | boolean | null;

export const csvType = "text/csv; charset=utf-8; header=present";

export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(csvText).join(",")}\r\n`;
}

/** Columns are fields of the row, or fields of an object in it: `agent.code`. */
export function csvRow(columns: readonly string[], row: object): string {
  return csvRecord(columns.map((column) => csvCell(row, column)));
}

/** Lists and objects become JSON text. */
export function csvCell(row: object, column: string): CsvCell {
  let value: unknown = row;
  for (const field of column.split(".")) value = (value as Record<string, unknown> | null)?.[field];
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? JSON.stringify(value) : (value as CsvCell);
}

function csvText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = cell.replace(innerFormula, "$1'").replace(formula, "'");
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Matches the place before a sign that begins a formula, including full-width signs. */
const formula = /^(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/;
const innerFormula = /([;\t])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
/** Spaces at the ends need quotes, because some readers drop them from unquoted fields. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;
