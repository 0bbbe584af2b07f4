// Text from elsewhere (names, messages and outputs of agents) on its way to a terminal: what would steer
// the terminal, make one line look like two, or hide and turn what is written is shown as its escape. JSON
// and YAML have escapes of their own, so there it stays the same data (json.ts, yaml.ts).

/**
 * Control characters but for line feed and tab, format characters (no width, direction of writing, tags),
 * and separators of lines and paragraphs. A joiner between two emoji makes one of them, and stays.
 */
const steering =
  /(?!(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\n\t]]/gv;

/** For text of several lines. */
export function printableText(text: string): string {
  return escaped(text, (character) => (character === "\r" ? "\\r" : asUnits(character)));
}

/** The same for text whose lines end as in files of other systems, or in CSV. */
export function printableLines(text: string): string {
  return printableText(text.replaceAll("\r", ""));
}

/** For a cell of a table. */
export function printableLine(text: string): string {
  return printableText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** For JSON that is text already: it stays the same data. */
export function printableJson(text: string): string {
  // A carriage return can only stand between two tokens.
  return escaped(text, (character) => (character === "\r" ? "" : asUnits(character)));
}

/** The text with each steering character replaced. */
export function escaped(text: string, escapeOf: (character: string) => string): string {
  return text.replace(steering, escapeOf);
}

export function steers(text: string): boolean {
  return text.search(steering) !== -1;
}

/** As JavaScript and JSON write it: `\u009b`; two of them for what is beyond 16 bits. */
function asUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
