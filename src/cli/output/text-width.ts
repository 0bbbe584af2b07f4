// The width of text on a terminal, where Chinese characters and emoji take two columns. Counts like
// cli-table3, which knows no emoji newer than 2020.

import stringWidth from "string-width";

const ascii = /^[ -~]*$/;
let segmenter: Intl.Segmenter | null = null;

/** Colour escapes have no width. */
export function widthOf(text: string): number {
  return ascii.test(text) ? text.length : stringWidth(text);
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Values that are too long for `width` continue below their beginning. */
export function aligned(
  lines: readonly (readonly [label: string, value: string])[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const longest = Math.max(0, ...lines.map(([label]) => widthOf(label)));
  const hanging = `\n${" ".repeat(longest + 2)}`;
  const room = Math.max(narrowestValue, width - longest - 2);
  return lines.map(([label, value]) => {
    return `${padTo(label, longest)}  ${wordsWithin(value, room).join(hanging)}`;
  });
}

const narrowestValue = 20;

/** Breaks lines only at spaces: longer words stay whole, because users copy them. */
function wordsWithin(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The text must not contain escapes. */
export function cutTo(text: string, width: number): string {
  if (text.length <= width / 2 || widthOf(text) <= width) return text;
  return `${beginningOf(text, width - 1).trimEnd()}…`;
}

/** Breaks lines at spaces. A word that is longer than a line breaks after a mark such as `-`. */
export function wrapTo(text: string, width: number): string {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > width) {
    const room = beginningOf(rest, width);
    const blank = rest[room.length] === " " ? room.length : room.lastIndexOf(" ");
    const mark = /^.*[-_/.,:;=&?@]/u.exec(room)?.[0].length ?? 0;
    const end = blank > 0 ? blank : mark > room.length / 2 ? mark : room.length;
    // A character that is wider than the line gets its own line.
    const line = room.slice(0, end) || firstOf(rest);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  if (rest !== "") lines.push(rest);
  return lines.join("\n");
}

/** `To continue: platformctl …` */
const commandAtEnd = /(?<=: )platform(?:ctl)? \S.*$/;

/** Breaks long lines at spaces, but not in a command at the end, because users copy it. */
export function wrapLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .map((line) => wrapLine(line, width))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  const indent = /^ */.exec(line)?.[0] ?? "";
  const next = indent === "" ? "" : `${indent}  `;
  const room = Math.max(1, width - next.length);
  const command = commandAtEnd.exec(line)?.[0] ?? "";
  const sentence = line.slice(indent.length, line.length - command.length).trimEnd();
  const lines = wrapTo(sentence, room).split("\n");
  if (command !== "") {
    const last = `${lines.at(-1)} ${command}`;
    if (widthOf(last) <= room) lines[lines.length - 1] = last;
    else lines.push(command);
  }
  return indent + lines.join(`\n${next}`);
}

/** Returns as many whole characters as fit. */
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

/** Creates the segmenter when first used, because that takes as long as starting Node.js. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}
