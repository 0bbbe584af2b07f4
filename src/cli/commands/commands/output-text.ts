// Lays out a command's output for people.

import { styleText } from "node:util";
import {
  type Gap,
  type LinePiece,
  lineReader,
  type ReceivedPart,
} from "../../../domain/output/lines.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import type { Io } from "../../terminal/io.ts";

interface OutputLayout {
  /** Returns the text of the next parts. */
  add(parts: readonly ReceivedPart[]): string;
  /** Whether the text returned last stops in the middle of a line. */
  readonly isLineOpen: boolean;
}

/** With `timestamps`, each line begins with the time at which the server received it. */
export function layOutOutput({ colour }: Pick<Io, "colour">, timestamps: boolean): OutputLayout {
  const linesOf = lineReader();
  let isLineOpen = false;

  function textOf({ stream, at, text, isBeginning, isEnd }: LinePiece): string {
    const before = isBeginning && isLineOpen ? "\n" : "";
    const head = isBeginning && timestamps ? `${at} ${stream} ` : "";
    isLineOpen = !isEnd;
    return (
      before + head + (colour && stream === "stderr" ? yellow(text) : text) + (isEnd ? "\n" : "")
    );
  }

  function textOfGap({ gap, bytes }: Gap): string {
    const before = isLineOpen ? "\n" : "";
    isLineOpen = false;
    return `${before}${gapLine(gap, bytes)}\n`;
  }

  return {
    add: (parts) =>
      linesOf(parts)
        .map((item) => ("gap" in item ? textOfGap(item) : textOf(item)))
        .join(""),
    get isLineOpen() {
      return isLineOpen;
    },
  };
}

/** A longer line is printed in pieces. */
const longestLine = 64 * 1024;

/** Returns a function that returns whole lines, and keeps the start of an incomplete one. */
export function wholeLines() {
  let half = "";
  return (text: string, isComplete: boolean): string => {
    const all = half + text;
    const end = all.lastIndexOf("\n") + 1;
    const isLast = (isComplete && end < all.length) || all.length - end > longestLine;
    half = isLast ? "" : all.slice(end);
    return isLast ? `${all}\n` : all.slice(0, end);
  };
}

export function gapLine(gap: Gap["gap"], bytes: number): string {
  if (bytes === 0) return "[… the end may be missing: the agent did not send it …]";
  const why = gap === "LOST" ? "lost: it could not be sent in time" : "omitted: there was too much";
  return `[… ${formatBytes(bytes)} ${why} …]`;
}

function yellow(text: string): string {
  return styleText("yellow", text, { validateStream: false });
}
