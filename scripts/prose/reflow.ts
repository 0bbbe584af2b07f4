// Wraps each paragraph and list item in which a line is too long.

import { itemStart, readPage } from "../../src/lib/markdown.ts";
import { lineWidth, longLinesIn } from "./check-page.ts";

export function reflowed(text: string): string {
  const page = readPage(text);
  const long = new Set(longLinesIn(page).map(({ line }) => line - 1));
  const isText = (at: number) => page.lines[at]?.kind === "text";
  const out: string[] = [];
  for (let at = 0; at < page.lines.length; ) {
    let end = at + 1;
    if (isText(at)) while (isText(end) && !itemStart.test(page.lines[end]?.text ?? "")) end++;
    const lines = page.lines.slice(at, end).map((line) => line.text);
    const isLong = lines.some((_, offset) => long.has(at + offset));
    out.push(...(isLong ? wrappedBlock(lines) : lines));
    at = end;
  }
  return out.join("\n");
}

function wrappedBlock(lines: readonly string[]): string[] {
  const [first = ""] = lines;
  const start = itemStart.exec(first)?.[0] ?? /^ */.exec(first)?.[0] ?? "";
  const words = wordsOf(
    [first.slice(start.length), ...lines.slice(1).map((line) => line.trim())].join(" "),
  );
  const out: string[] = [];
  let line = start;
  for (const word of words) {
    const isFirst = line.trim() === start.trim();
    if (!isFirst && line.length + 1 + word.length > lineWidth) {
      out.push(line);
      line = " ".repeat(start.length) + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...out, line];
}

/** A line that begins with one of these would be a heading, a quotation or an item of a list. */
const wouldBeMarkup = /^(?:[-*+>]|#+|\d+[.)])$/;

/**
 * Keeps code in one piece, even if it contains blanks, and joins a word that must not begin a line
 * to the word before it.
 */
function wordsOf(text: string): string[] {
  const kept: string[] = [];
  for (const word of text.match(/(?:[^\s`]|`[^`]*`)+|\S+/g) ?? []) {
    const before = wouldBeMarkup.test(word) ? kept.pop() : undefined;
    kept.push(before === undefined ? word : `${before} ${word}`);
  }
  return kept;
}
