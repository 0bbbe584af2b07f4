// Removes secrets from text that comes in pieces, such as the output of a running program: known
// ones, from the command's payload, and what redaction.ts recognizes. (docs/decisions/0011-secrets.md)

import type { Json } from "./json.ts";
import { redacted, type Span, secretSpans } from "./redaction.ts";

/** Shorter values are not searched for, because they are part of other words. */
const minLength = 4;
/** With more known secrets, which would take too long to search for, all text is removed. */
const maxKnown = 200;

export class TextSecrets {
  #known: readonly string[] = [];

  constructor(values: readonly Json[]) {
    this.add(values);
  }

  /** Finds these values, too. Of an object or array, each value; of a text, also each line. */
  add(values: readonly Json[]): void {
    const found = new Set([...this.#known, ...values.flatMap(textsOf)]);
    // A secret that contains another one is removed as a whole.
    this.#known = [...found].sort((a, b) => b.length - a.length);
  }

  /**
   * Redacts pieces of one text. What replaces a secret is in the piece where the secret begins.
   * Pieces that were redacted before can be redacted again, together with later ones.
   */
  redact(pieces: readonly string[]): string[] {
    if (this.#known.length > maxKnown) return pieces.map((piece) => (piece === "" ? "" : redacted));
    const text = pieces.join("");
    const spans = merged([...this.#knownSpans(text), ...secretSpans(text)]);
    if (spans.length === 0) return [...pieces];
    let start = 0;
    return pieces.map((piece) => {
      const end = start + piece.length;
      const cut = withoutSpans(text, [start, end], spans);
      start = end;
      return cut;
    });
  }

  /** Returns the length of the end of `text` that may be the beginning of a known secret. */
  heldLength(text: string): number {
    // The end of a whole secret may be the beginning of another one, but belongs to the first.
    const after = Math.max(0, ...this.#knownSpans(text).map(([, to]) => to));
    const longest = (this.#known[0]?.length ?? 1) - 1;
    for (let length = Math.min(longest, text.length - after); length > 0; length--) {
      const end = text.slice(text.length - length);
      if (this.#known.some((secret) => secret.length > length && secret.startsWith(end))) {
        return length;
      }
    }
    return 0;
  }

  #knownSpans(text: string): Span[] {
    const spans: Span[] = [];
    for (const secret of this.#known) {
      for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
        spans.push([at, at + secret.length]);
      }
    }
    return spans;
  }
}

function textsOf(value: Json): string[] {
  if (typeof value === "number") return [String(value)].filter(isLong);
  if (typeof value === "string") return formsOf(value).filter(isLong);
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(textsOf);
}

/** A program may print a secret as it is, as JSON, or, if it has several lines, line by line. */
function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), ...secret.split(/\r?\n/)];
}

function isLong(text: string): boolean {
  return text.trim().length >= minLength;
}

/** Sorts the spans, and joins those that overlap. */
function merged(spans: Span[]): Span[] {
  const joined: Span[] = [];
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && from < last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], to)];
    else joined.push([from, to]);
  }
  return joined;
}

/** Returns a part of the text, with a replacement for each span that begins in it. */
function withoutSpans(text: string, [start, end]: Span, spans: readonly Span[]): string {
  let cut = "";
  let at = start;
  for (const [from, to] of spans) {
    if (to <= start || from >= end) continue;
    if (from >= start) cut += text.slice(at, from) + redacted;
    at = Math.min(Math.max(at, to), end);
  }
  return cut + text.slice(at, end);
}
