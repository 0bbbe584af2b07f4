// Statements are written with `?`; PostgreSQL wants `$1`, `$2` …

/** Quoted text and comments may contain a question mark that is no parameter. */
const quotedOrPlaceholder = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** Some statements depend on the caller's filters, so the number of texts has no natural limit. */
const mostTexts = 2048;

const texts = new Map<string, string>();

/** Returns the statement with numbered placeholders. */
export function numbered(sql: string): string {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replace(quotedOrPlaceholder, (found) => (found === "?" ? `$${++count}` : found));
  if (texts.size >= mostTexts) texts.clear();
  texts.set(sql, text);
  return text;
}
