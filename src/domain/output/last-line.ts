// The last line of an output, which usually says how an action ended.

import { cutText } from "../../lib/cut-text.ts";
import { lastLineLength } from "../limits.ts";
import type { OutputPage } from "./output.ts";

/** Shows where a line is incomplete. `cutText` uses the same mark. */
const mark = "…";

/** Returns the last line with text, cut to `lastLineLength`. Null if there is none. */
export function lastLine(text: string): string | null {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  const line = lines.findLast((each) => each.replaceAll(mark, "") !== "");
  return line === undefined ? null : cutText(line, lastLineLength);
}

/** Returns the last line that a command printed, from the last page of its output. Null if none. */
export function lastPrintedLine({ offset, parts }: Pick<OutputPage, "offset" | "parts">) {
  const texts = parts.map((part, at) => {
    if (part.kind !== "TEXT") return `${mark}\n${mark}`;
    const before = parts[at - 1];
    const isOther = before?.kind === "TEXT" && before.stream !== part.stream;
    return isOther ? `\n${part.text}` : part.text;
  });
  const isFirst = offset === 0;
  return lastLine(`${isFirst ? "" : mark}${texts.join("")}`) ?? (isFirst ? null : mark);
}
