// Adds what an agent has sent to a command's stored output, and decides which pages are kept.

import { stripVTControlCharacters } from "node:util";
import { commandOutput } from "../limits.ts";
import type { TextSecrets } from "../payload/text-secrets.ts";
import {
  type OutputChunk,
  type OutputGap,
  type OutputPage,
  type OutputPart,
  type OutputText,
  outputStreams,
} from "./output.ts";

/** What a part adds to the length of its page besides its text. */
const partLength = 64;

/**
 * Returns the pages that change or are new, oldest first. Ignores what is before the end of `last`,
 * the last page so far, because it is already stored. Bytes that were skipped become a LOST part.
 */
export function appendOutput(
  last: OutputPage | null,
  chunks: readonly OutputChunk[],
  secrets: TextSecrets,
  now: number,
): OutputPage[] {
  const fresh = partsOf(chunks, last?.next ?? 0, now);
  if (fresh.length === 0) return [];
  const stored = last?.parts ?? [];
  const parts = redacted([...stored, ...fresh], secrets);
  return inPages(parts, stored.length, last?.number ?? 0);
}

/** Returns the numbers that are dropped when `number` is the last page: from, and up to before. */
export function droppedPages(number: number): { from: number; before: number } {
  const { firstPages, lastPages } = commandOutput;
  return { from: firstPages, before: number - lastPages + 1 };
}

function partsOf(chunks: readonly OutputChunk[], from: number, now: number): OutputPart[] {
  const parts: OutputPart[] = [];
  let next = from;
  for (const { offset, stream, text } of chunks) {
    const end = offset + Buffer.byteLength(text);
    if (offset > next) {
      parts.push(lost(next, offset));
      next = offset;
    }
    if (end <= next) continue;
    const rest = offset === next ? text : textAfter(text, next - offset);
    const plain = stripVTControlCharacters(rest);
    parts.push({ kind: "TEXT", offset: next, bytes: end - next, stream, at: now, text: plain });
    next = end;
  }
  return parts;
}

function lost(from: number, to: number): OutputGap {
  return { kind: "LOST", offset: from, bytes: to - from };
}

/** If the position is inside a character, what is left of it becomes U+FFFD. */
function textAfter(text: string, bytes: number): string {
  return Buffer.from(text).subarray(bytes).toString();
}

/** Redacts each stream as one text, because a secret can begin in one part and end in another. */
function redacted(parts: readonly OutputPart[], secrets: TextSecrets): OutputPart[] {
  const clean = [...parts];
  for (const stream of outputStreams) {
    const places = [...clean.keys()].filter((at) => streamOf(clean[at]) === stream);
    const texts = places.map((at) => (clean[at] as OutputText).text);
    for (const [index, text] of secrets.redact(texts).entries()) {
      const at = places[index] as number;
      clean[at] = { ...(clean[at] as OutputText), text };
    }
  }
  return clean;
}

function streamOf(part: OutputPart | undefined) {
  return part?.kind === "TEXT" ? part.stream : null;
}

/** The first `stored` parts stay together, on the page `number`. */
function inPages(parts: readonly OutputPart[], stored: number, number: number): OutputPage[] {
  const pages: OutputPage[] = [];
  let page: OutputPart[] = parts.slice(0, stored);
  let length = lengthOf(page);
  const close = () => {
    const [first] = page;
    const end = page.at(-1);
    if (!first || !end) return;
    const next = end.offset + end.bytes;
    pages.push({ number: number + pages.length, offset: first.offset, next, parts: page });
  };
  for (const part of parts.slice(stored)) {
    if (length >= commandOutput.pageLength) {
      close();
      page = [];
      length = 0;
    }
    page.push(part);
    length += lengthOf([part]);
  }
  close();
  return pages;
}

function lengthOf(parts: readonly OutputPart[]): number {
  return parts.reduce(
    (sum, part) => sum + partLength + (part.kind === "TEXT" ? part.text.length : 0),
    0,
  );
}
