// Finds a text in the lines of an output, and marks it on the page. The marks are highlights of the
// browser (CSS Custom Highlight API), so a search changes no elements, however long the output is.

import { type RefObject, useEffect, useLayoutEffect, useMemo } from "react";
import type { OutputLine } from "./output-lines.ts";

/** Further matches are neither counted nor marked. */
export const mostMatches = 5_000;

export interface Match {
  /** The index of the line, not counting gaps. */
  line: number;
  begin: number;
  end: number;
}

/** Ignores letter case. */
export function matchesIn(lines: readonly OutputLine[], wanted: string): Match[] {
  if (wanted === "") return [];
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu");
  const matches: Match[] = [];
  for (const [line, { text }] of lines.filter(({ gap }) => gap === null).entries()) {
    for (const { index, 0: found } of text.matchAll(pattern)) {
      matches.push({ line, begin: index, end: index + found.length });
      if (matches.length === mostMatches) return matches;
    }
  }
  return matches;
}

/** The names of the highlights in output.css. */
const allName = "output-match";
const currentName = "output-current";

/** Marks the matches in the lines of `box`, and brings the current one into view. */
export function useMarks(
  box: RefObject<HTMLElement | null>,
  matches: readonly Match[],
  current: Match | undefined,
): void {
  const ranges = useMemo(() => new WeakMap<Match, Range>(), []);
  useLayoutEffect(() => {
    const elements = box.current?.getElementsByClassName("output-line");
    if (!elements || matches.length === 0) return;
    const marked = new Highlight();
    for (const match of matches) {
      const range = rangeOf(elements[match.line], match);
      if (!range) continue;
      ranges.set(match, range);
      marked.add(range);
    }
    CSS.highlights.set(allName, marked);
    return () => void CSS.highlights.delete(allName);
  }, [box, matches, ranges]);
  useEffect(() => {
    const range = current && ranges.get(current);
    if (!range) return;
    const mark = new Highlight(range);
    mark.priority = 1;
    CSS.highlights.set(currentName, mark);
    return () => void CSS.highlights.delete(currentName);
  }, [current, ranges]);
  const place = current && `${current.line} ${current.begin}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines must not move the view back
  useEffect(() => {
    const range = current && ranges.get(current);
    if (range && box.current) bringIntoView(range, box.current);
  }, [place, box, ranges]);
}

function rangeOf(line: Element | undefined, { begin, end }: Match): Range | null {
  const text = line?.lastChild;
  if (!(text instanceof Text) || text.length < end) return null;
  const range = new Range();
  range.setStart(text, begin);
  range.setEnd(text, end);
  return range;
}

/** Scrolls only the box, not the page. */
function bringIntoView(range: Range, box: HTMLElement): void {
  const found = range.getBoundingClientRect();
  const { top, left, width, height } = box.getBoundingClientRect();
  const isInView = found.top >= top && found.bottom <= top + height;
  const isBeside = found.left >= left && found.right <= left + width;
  box.scrollBy({
    top: isInView ? 0 : found.top - top - height / 2,
    left: isBeside ? 0 : found.left - left - width / 2,
    behavior: "instant",
  });
}
