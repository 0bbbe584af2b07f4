import type { OutputPage, OutputPart } from "./output.ts";

/**
 * Returns the parts that are not wholly before `after`. Where pages are missing before or between
 * `pages`, which must be in order, an OMITTED part says how much.
 */
export function partsAfter(pages: readonly OutputPage[], after: number): OutputPart[] {
  const parts: OutputPart[] = [];
  let next = after;
  for (const page of pages) {
    if (page.offset > next) {
      parts.push({ kind: "OMITTED", offset: next, bytes: page.offset - next });
    }
    parts.push(...page.parts.filter(({ offset, bytes }) => offset + bytes > after));
    next = page.next;
  }
  return parts;
}
