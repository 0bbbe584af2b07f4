// The lines of a command's output that the page shows. To stay fast, the page shows only the newest
// lines. Usually, all lines are shown, because the server keeps only about a million characters of
// each output.

import { type Gap, lineReader, type ReceivedPart } from "../../../../domain/output/lines.ts";
import type { OutputStream } from "../../../../domain/output/output.ts";
import { formatBytes } from "../../../../lib/bytes.ts";
import { texts } from "../../../texts/index.ts";

const mostLines = 10_000;

export interface OutputLine {
  /** The number of the line or gap in the whole output, from 0. */
  key: number;
  stream: OutputStream;
  /** When the server received the beginning of the line. Empty for a gap. */
  at: string;
  text: string;
  gap: Gap | null;
}

export interface ShownOutput {
  lines: readonly OutputLine[];
  /** How many older lines are not shown. */
  hidden: number;
}

export const noOutput: ShownOutput = { lines: [], hidden: 0 };

/** Pass all parts to the returned function in order, each time with its previous result. */
export function outputLines(most = mostLines) {
  const piecesOf = lineReader();
  let nextKey = 0;
  return (before: ShownOutput, parts: readonly ReceivedPart[]): ShownOutput => {
    const lines = [...before.lines];
    for (const piece of piecesOf(parts)) {
      const last = lines.at(-1);
      if ("gap" in piece) {
        lines.push({ key: nextKey++, stream: "stdout", at: "", text: "", gap: piece });
      } else if (piece.isBeginning || !last) {
        const { stream, at, text } = piece;
        lines.push({ key: nextKey++, stream, at, text, gap: null });
      } else lines[lines.length - 1] = { ...last, text: last.text + piece.text };
    }
    const hidden = Math.max(0, lines.length - most);
    return { lines: hidden > 0 ? lines.slice(hidden) : lines, hidden: before.hidden + hidden };
  };
}

const words = texts.commands.output;

export function gapText({ gap, bytes }: Gap): string {
  return bytes === 0 ? words.openEnd : words[gap]({ size: formatBytes(bytes) });
}

/** Returns the lines as text for a file. */
export function plainText(lines: readonly OutputLine[]): string {
  return lines.map(({ text, gap }) => `${gap ? `[${gapText(gap)}]` : text}\n`).join("");
}
