// Text from agents in the forms that commands print (lib/printable-text.ts).

import {
  escaped,
  hasControlCharacters,
  isPlainLine,
  printableText,
  unicodeEscapes,
} from "../../lib/printable-text.ts";

export { escaped, hasControlCharacters, isPlainLine, printableText };

/** Escapes text whose lines may end with carriage returns, for example CSV. */
export function printableLines(text: string): string {
  return printableText(text.replaceAll("\r", ""));
}

/** Escapes text for a table cell. */
export function printableLine(text: string): string {
  return printableText(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

export function printableJson(text: string): string {
  // Serialized JSON has carriage returns only between tokens.
  return escaped(text, (character) => (character === "\r" ? "" : unicodeEscapes(character)));
}

/** Indents lines that are not empty. Only "\n" ends a line here. */
export function indented(text: string): string {
  return text.replace(/(^|\n)(?=[^\n])/g, "$1  ");
}
