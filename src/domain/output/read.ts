import type { OutputPage, OutputPart } from "./output.ts";

interface ReadOutput {
  /** The parts that are not wholly before `after`. */
  parts: OutputPart[];
  /** The offset at which the next read continues. */
  next: number;
}

/**
 * `pages` must be in order. Where pages are missing before or between them, an OMITTED part says
 * how many bytes are missing. Parts that are held back are returned only after the end of the
 * command.
 */
export function partsAfter(
  pages: readonly OutputPage[],
  after: number,
  hasEnded: boolean,
): ReadOutput {
  const parts: OutputPart[] = [];
  let next = after;
  for (const page of pages) {
    if (page.offset > next) {
      parts.push({ kind: "OMITTED", offset: next, bytes: page.offset - next });
      next = page.offset;
    }
    for (const part of page.parts) {
      if (part.offset + part.bytes <= after) continue;
      if (part.kind === "TEXT" && part.isHeld && !hasEnded) return { parts, next };
      parts.push(part);
      next = part.offset + part.bytes;
    }
  }
  return { parts, next };
}
