// How wide text is on a terminal, where a character of Chinese or an emoji takes two columns.

const graphemes = new Intl.Segmenter();
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes begin with one
const colouring = /\u001b\[[\d;]*m/g;
const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff]|[\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;

/** In columns; escapes that colour take none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text.replace(colouring, ""))) {
    width += wide.test(segment) ? 2 : 1;
  }
  return width;
}

/** Filled up with blanks on the right. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** At most so wide, ending in "…" where something is missing; for text without escapes. */
export function cutTo(text: string, width: number): string {
  if (text.length <= width / 2 || widthOf(text) <= width) return text;
  let kept = "";
  let left = width - 1;
  for (const { segment } of graphemes.segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
