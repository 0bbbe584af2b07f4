// Shortens services' texts to one line, because operators see them in lists.

import { cutText } from "../../lib/cut-text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose
const breaking = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Joins the lines, and cuts the text to `max` UTF-16 code units, including an ellipsis. */
export function oneLine(text: string, max: number): string {
  return cutText(text.replace(breaking, " ").trim(), max);
}

/** Returns the first line that is not blank; "" if there is none. */
export function firstLine(text: string): string {
  return linesOf(text)[0] ?? "";
}

/** Returns the last line that is not blank; "" if there is none. */
export function lastLine(text: string): string {
  return linesOf(text).at(-1) ?? "";
}

function linesOf(text: string): string[] {
  return text.split(/[\r\n]+/).filter((line) => oneLine(line, 2) !== "");
}
