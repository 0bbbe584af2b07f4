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
  if (ascii.test(text)) return `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
  let kept = "";
  let left = width - 1;
  for (const { segment } of graphemesOf(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Made when first needed: that takes as long as starting Node does. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}
