// Joins the parts of an output into lines as they arrive.

import { printableText } from "../../lib/printable-text.ts";
import type { OutputGap, OutputStream } from "./output.ts";

/** A part in the form of the API. */
export interface ReceivedPart {
  kind: "TEXT" | OutputGap["kind"];
  bytes: number;
  stream?: OutputStream | undefined;
  at?: string | undefined;
  text?: string | undefined;
}

/** A piece of a line that is safe to show: control characters are escaped. */
export interface LinePiece {
  stream: OutputStream;
  at: string;
  text: string;
  /** If false, the piece continues the line of the piece before it. */
  isBeginning: boolean;
  /** If false, more of the line may follow. */
  isEnd: boolean;
}

export interface Gap {
  gap: OutputGap["kind"];
  bytes: number;
}

type LineReader = (parts: readonly ReceivedPart[]) => (LinePiece | Gap)[];

/** The returned function must get all parts in order. */
export function lineReader(): LineReader {
  /** The stream whose line has begun and not ended. */
  let open: OutputStream | null = null;
  /** The stream whose text ended in a carriage return, which a line feed may follow. */
  let returned: OutputStream | null = null;

  function piecesOf({ stream = "stdout", at = "", text = "" }: ReceivedPart): LinePiece[] {
    if (text === "") return [];
    const rest = returned === stream && text.startsWith("\n") ? text.slice(1) : text;
    returned = text.endsWith("\r") ? stream : null;
    const lines = rest.split(/\r\n|\r|\n/);
    return lines.flatMap((line, index) => {
      const isEnd = index < lines.length - 1;
      if (line === "" && !isEnd) return [];
      const isBeginning = open !== stream;
      open = isEnd ? null : stream;
      return [{ stream, at, text: printableText(line), isBeginning, isEnd }];
    });
  }

  return (parts) =>
    parts.flatMap((part): (LinePiece | Gap)[] => {
      if (part.kind === "TEXT") return piecesOf(part);
      open = null;
      returned = null;
      return [{ gap: part.kind, bytes: part.bytes }];
    });
}
