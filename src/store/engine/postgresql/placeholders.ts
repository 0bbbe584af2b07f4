// Statements are written with `?`; PostgreSQL wants `$1`, `$2` …

/** Quoted text and comments may contain a question mark that is not a parameter. */
const quotedOrPlaceholder = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** Some statements depend on the caller's filters, so the number of texts has no natural limit. */
const mostTexts = 2048;

const texts = new Map<string, string>();

/** Replaces each placeholder. `write` gets its number, from 0. */
export function withParameters(sql: string, write: (at: number) => string): string {
  let count = 0;
  return sql.replace(quotedOrPlaceholder, (found) => (found === "?" ? write(count++) : found));
}

/** Returns the statement with numbered placeholders. */
export function numbered(sql: string): string {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  const text = withParameters(sql, (at) => `$${at + 1}`);
  if (texts.size >= mostTexts) texts.clear();
  texts.set(sql, text);
  return text;
}
