// How wide text is on a terminal, where a character of Chinese or an emoji takes two columns. Counted as
// cli-table3 counts, which knows no emoji younger than 2020.

import stringWidth from "string-width";

const ascii = /^[ -~]*$/;
let segmenter: Intl.Segmenter | null = null;

/** In columns; escapes that colour take none. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Filled up with blanks on the right. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** At most so wide, ending in "…" where something is missing; for text without escapes. */
export function cutTo(text: string, width: number): string {
  if (text.length <= width / 2 || widthOf(text) <= width) return text;
  return `${beginningOf(text, width - 1).trimEnd()}…`;
}

/** The same text in lines of at most so much: broken at a blank, or anywhere in a word that is longer. */
export function wrapTo(text: string, width: number): string {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const room = beginningOf(rest, width);
    const blank = rest[room.length] === " " ? room.length : room.lastIndexOf(" ");
    // A character that is wider than the line stands in one of its own.
    const line = (blank > 0 ? room.slice(0, blank) : room) || firstOf(rest);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  if (rest !== "") lines.push(rest);
  return lines.join("\n");
}

/** As many whole characters as there is room for. */
function beginningOf(text: string, width: number): string {
  if (ascii.test(text)) return text.slice(0, Math.max(0, width));
  let kept = "";
  let left = width;
  for (const { segment } of graphemesOf(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return kept;
}

function firstOf(text: string): string {
  const [first] = graphemesOf(text);
  return first?.segment ?? "";
}

/** Made when first needed: that takes as long as starting Node does. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}
