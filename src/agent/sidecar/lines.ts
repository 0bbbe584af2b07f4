// Text of services on its way into a report, where it must be short and of one line: the server
// refuses a report with a longer one.

import { cutText } from "../../lib/cut-text.ts";

/** Control characters, and what ends a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const breaking = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** All on one line, without control characters, cut to `max` UTF-16 units with an ellipsis. */
export function oneLine(text: string, max: number): string {
  return cutText(text.replace(breaking, " ").trim(), max);
}

/** The first line with something on it; "" when there is none. */
export function firstLine(text: string): string {
  return linesOf(text)[0] ?? "";
}

/** The last line with something on it; "" when there is none. */
export function lastLine(text: string): string {
  return linesOf(text).at(-1) ?? "";
}

function linesOf(text: string): string[] {
  return text.split(/[\r\n]+/).filter((line) => oneLine(line, 2) !== "");
}
