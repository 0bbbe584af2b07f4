// Appends newly received output to the stored output of a command, and decides which pages are kept
// and what readers do not get yet.

import { stripVTControlCharacters } from "node:util";
import { commandOutput } from "../limits.ts";
import type { Scrubber } from "../secrets/scrubber.ts";
import { beginOfOpenSequence } from "./control-sequences.ts";
import {
  type HeldOutput,
  type OutputChunk,
  type OutputGap,
  type OutputPage,
  type OutputPart,
  type OutputStream,
  type OutputText,
  outputStreams,
} from "./output.ts";

/** The length that each part adds to its page in addition to its text. */
const partLength = 64;

interface Appending {
  /** The last page so far. Everything before its end is already stored. */
  last: OutputPage | null;
  /** The whole texts of the parts of `last` that are held back. */
  held: HeldOutput;
  chunks: readonly OutputChunk[];
  scrubber: Scrubber;
  /** Whether the command has ended. If so, nothing is held back. */
  isEnd: boolean;
  now: number;
}

export interface Appended {
  /** The pages that change or are new, oldest first. */
  pages: OutputPage[];
  held: HeldOutput;
  /** The size of the new text. */
  bytes: number;
}

/** Bytes that were skipped become a LOST part. */
export function appendOutput(appending: Appending): Appended {
  const { last, chunks, scrubber, isEnd, now } = appending;
  const end = last?.next ?? 0;
  const fresh = partsOf(chunks, end, now);
  if (fresh.length === 0) return { pages: [], held: appending.held, bytes: 0 };
  const [stored, waiting] = apart(last, appending.held);
  const start = waiting[0]?.offset ?? end;
  const { parts, held } = heldBack([...waiting, ...fresh], scrubber, isEnd);
  const clean = redacted([...stored, ...inOrder(parts, start)], scrubber);
  return {
    pages: inPages(clean, stored.length, last?.number ?? 0),
    held,
    bytes: fresh.reduce((sum, part) => sum + (part.kind === "TEXT" ? part.bytes : 0), 0),
  };
}

/**
 * Returns the range of page numbers that are dropped when `number` is the last page: from `from` to
 * the one before `before`.
 */
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
    parts.push({ kind: "TEXT", offset: next, bytes: end - next, stream, at: now, text: rest });
    next = end;
  }
  return parts;
}

function lost(from: number, to: number): OutputGap {
  return { kind: "LOST", offset: from, bytes: to - from };
}

/** If the position is inside a character, the rest of that character becomes U+FFFD. */
function textAfter(text: string, bytes: number): string {
  return Buffer.from(text).subarray(bytes).toString();
}

/**
 * Returns the parts of the page that readers can already get, and the held ones with their whole
 * texts.
 */
function apart(last: OutputPage | null, held: HeldOutput): [OutputPart[], OutputText[]] {
  const stored = [...(last?.parts ?? [])];
  const waiting: OutputText[] = [];
  for (let part = stored.at(-1); part?.kind === "TEXT" && part.isHeld; part = stored.at(-1)) {
    const { isHeld: _, ...rest } = part;
    waiting.unshift({ ...rest, text: held[part.stream] ?? part.text });
    stored.pop();
  }
  return [stored, waiting];
}

/**
 * Moves what may be the beginning of a secret, or of a control sequence, from the end of each
 * stream to the end of the parts. No reader has these parts yet, so their order can change.
 */
function heldBack(parts: readonly OutputPart[], scrubber: Scrubber, isEnd: boolean) {
  let rest = [...parts];
  const held: HeldOutput = {};
  const ends: OutputText[] = [];
  for (const stream of outputStreams) {
    const open = withoutSequences(rest, stream, isEnd);
    const texts = rest.filter((part): part is OutputText => isOf(part, stream));
    const whole = texts.map(({ text }) => text).join("");
    const length = isEnd ? 0 : scrubber.heldLength(whole);
    if (length === 0 && open === "") continue;
    const end = cutOff(texts, length, open);
    const plain = whole.slice(whole.length - end.length);
    const text = scrubber.end(plain);
    const [{ at } = { at: 0 }] = texts.slice(-1);
    held[stream] = plain + open;
    ends.push({ kind: "TEXT", offset: 0, bytes: end.bytes, stream, at, text, isHeld: true });
    rest = rest.filter((part) => part.bytes > 0);
  }
  return { parts: [...rest, ...ends], held };
}

/**
 * Removes control sequences from the stream's parts. Returns the incomplete sequence at the end, or
 * an empty text.
 */
function withoutSequences(parts: OutputPart[], stream: OutputStream, isEnd: boolean): string {
  let open = "";
  for (const [at, part] of parts.entries()) {
    if (!isOf(part, stream)) continue;
    const text = open + part.text;
    const begin = isEnd ? text.length : beginOfOpenSequence(text);
    parts[at] = { ...part, text: stripVTControlCharacters(text.slice(0, begin)) };
    open = text.slice(begin);
  }
  return open;
}

/**
 * Takes at least `length` characters, and the bytes of the open sequence, from the end of the
 * texts. A part that is taken completely has no bytes left.
 */
function cutOff(texts: readonly OutputText[], length: number, open: string) {
  let left = length;
  let taken = 0;
  let bytes = 0;
  let openBytes = Buffer.byteLength(open);
  for (const part of texts.toReversed()) {
    if (left === 0 && openBytes === 0) break;
    const cut = Math.min(left, part.text.length);
    const cutBytes = openBytes + Buffer.byteLength(part.text.slice(part.text.length - cut));
    const isWhole = cut === part.text.length || cutBytes >= part.bytes;
    const size = isWhole ? part.text.length : cut;
    const sizeBytes = isWhole ? part.bytes : cutBytes;
    openBytes = Math.max(0, openBytes - part.bytes);
    part.text = part.text.slice(0, part.text.length - size);
    part.bytes -= sizeBytes;
    left = Math.max(0, left - size);
    taken += size;
    bytes += sizeBytes;
  }
  return { length: taken, bytes };
}

function inOrder(parts: readonly OutputPart[], start: number): OutputPart[] {
  let offset = start;
  return parts.map((part) => {
    const placed = { ...part, offset };
    offset += part.bytes;
    return placed;
  });
}

/** Redacts each stream as one text, because a secret can begin in one part and end in another. */
function redacted(parts: readonly OutputPart[], scrubber: Scrubber): OutputPart[] {
  const clean = [...parts];
  for (const stream of outputStreams) {
    const places = [...clean.keys()].filter((at) => {
      const part = clean[at] as OutputPart;
      return isOf(part, stream) && !part.isHeld;
    });
    const texts = places.map((at) => (clean[at] as OutputText).text);
    for (const [index, text] of scrubber.pieces(texts).entries()) {
      const at = places[index] as number;
      clean[at] = { ...(clean[at] as OutputText), text };
    }
  }
  return clean;
}

function isOf(part: OutputPart, stream: OutputStream): part is OutputText {
  return part.kind === "TEXT" && part.stream === stream;
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
