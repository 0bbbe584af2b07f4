// Makes text from elsewhere, such as names and outputs of agents, safe for a terminal. Characters
// that control it, fake a second line, or hide and reverse text are escaped. JSON and YAML use
// their own escapes (json.ts, yaml.ts).

/**
 * Control characters except line feed and tab, format characters (zero width, text direction,
 * tags), and separators of lines and paragraphs. Joiners between two emoji stay, because they make
 * one of them.
 */
const steering =
  /(?!(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\n\t]]/gv;

/** For text of several lines. */
export function printableText(text: string): string {
  return escaped(text, (character) => (character === "\r" ? "\\r" : asUnits(character)));
}

/** For text whose lines may end with carriage returns, such as CSV. */
export function printableLines(text: string): string {
  return printableText(text.replaceAll("\r", ""));
}

/** For a cell of a table. */
export function printableLine(text: string): string {
  return printableText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** For serialized JSON; the data stays the same. */
export function printableJson(text: string): string {
  // A carriage return can only be between two tokens.
  return escaped(text, (character) => (character === "\r" ? "" : asUnits(character)));
}

/** Replaces each of those characters. */
export function escaped(text: string, escapeOf: (character: string) => string): string {
  return text.replace(steering, escapeOf);
}

export function steers(text: string): boolean {
  return text.search(steering) !== -1;
}

/** The escape of JavaScript and JSON: `\u009b`. Two for characters beyond 16 bits. */
function asUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** Adds two spaces before each line that is not empty. Only "\n" ends a line here. */
export function indented(text: string): string {
  return text.replace(/(^|\n)(?=[^\n])/g, "$1  ");
}
