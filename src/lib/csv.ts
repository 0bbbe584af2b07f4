// Writes CSV (RFC 4180) for spreadsheets. A `'` keeps text from being run as a formula.

export type CsvCell = string | number | null;

export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = isFormula.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const isFormula = /^[=+\-@\t\r\n]/;
/** Spaces at the ends need quotes, because some readers drop them from unquoted fields. */
const needsQuotes = /[",\r\n]|^\s|\s$/;
