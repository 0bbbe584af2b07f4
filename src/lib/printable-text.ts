// Makes text from agents safe to show: escapes characters that control a terminal, fake a second
// line, or hide or reverse text.

/**
 * Matches control characters except line feed and tab, format characters, and separators of lines
 * and paragraphs, but not a joiner between two emoji, which is harmless.
 */
const controlCharacters =
  /(?!(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\n\t]]/gv;

/** Keeps line feeds and tabs. */
export function printableText(text: string): string {
  return escaped(text, (character) => (character === "\r" ? "\\r" : unicodeEscapes(character)));
}

export function escaped(text: string, escapeOf: (character: string) => string): string {
  return text.replace(controlCharacters, escapeOf);
}

export function hasControlCharacters(text: string): boolean {
  return text.search(controlCharacters) !== -1;
}

/** Whether the text is one line that can be shown as it is. */
export function isPlainLine(text: string): boolean {
  return !/[\n\t]/.test(text) && !hasControlCharacters(text);
}

/** Characters beyond 16 bits get two escapes, as in JavaScript and JSON. */
export function unicodeEscapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
