// The anchors of Markdown pages.

import { readPage } from "../../src/lib/markdown.ts";

/** Returns the anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const { kind, text: line } of readPage(text).lines) {
    if (kind !== "heading") continue;
    const anchor = slugOf(line.replace(/^#+ /, ""));
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

export function slugOf(heading: string): string {
  const letters = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "");
  return letters.replaceAll(" ", "-");
}
