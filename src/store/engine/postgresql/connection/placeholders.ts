/** Quoted text and comments may contain a question mark that is not a parameter. */
const quotedOrPlaceholder = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** Returns the statement with `$1`, `$2` … for `?`, as PostgreSQL wants it. */
export function numbered(sql: string): string {
  let count = 0;
  return sql.replace(quotedOrPlaceholder, (found) => (found === "?" ? `$${++count}` : found));
}
