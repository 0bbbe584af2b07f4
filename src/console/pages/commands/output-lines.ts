// The lines of a command's output that the page shows: the newest ones, so that the page stays
// fast.

import { type Gap, lineReader, type ReceivedPart } from "../../../domain/output/lines.ts";
import type { OutputStream } from "../../../domain/output/output.ts";

const mostLines = 2_000;
const mostCharacters = 400_000;

export interface OutputLine {
  /** Counts all lines of the output. */
  key: number;
  stream: OutputStream;
  text: string;
  gap: Gap | null;
}

export interface ShownOutput {
  lines: readonly OutputLine[];
  /** How many older lines are not shown. */
  hidden: number;
}

export const noOutput: ShownOutput = { lines: [], hidden: 0 };

/** The returned function must get all parts in order, and its own previous result. */
export function outputLines() {
  const piecesOf = lineReader();
  let nextKey = 0;
  return (before: ShownOutput, parts: readonly ReceivedPart[]): ShownOutput => {
    const lines = [...before.lines];
    for (const piece of piecesOf(parts)) {
      const last = lines.at(-1);
      if ("gap" in piece) {
        lines.push({ key: nextKey++, stream: "stdout", text: "", gap: piece });
      } else if (piece.isBeginning || !last) {
        lines.push({ key: nextKey++, stream: piece.stream, text: piece.text, gap: null });
      } else lines[lines.length - 1] = { ...last, text: last.text + piece.text };
    }
    const hidden = hiddenOf(lines);
    return { lines: lines.slice(hidden), hidden: before.hidden + hidden };
  };
}

/** Returns how many of the first lines are too many. */
function hiddenOf(lines: readonly OutputLine[]): number {
  let characters = 0;
  let shown = 0;
  while (shown < Math.min(lines.length, mostLines) && characters <= mostCharacters) {
    shown++;
    characters += lines.at(-shown)?.text.length ?? 0;
  }
  return lines.length - shown;
}
