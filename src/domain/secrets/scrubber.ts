// Removes secrets from everything that comes back for one command: its output, which arrives in
// pieces, its result, and its error. Finds the payload's secrets, in the forms in which programs
// print them, and everything that redaction.ts recognizes. (docs/decisions/0011-secrets.md)

import { isJsonObject, type Json } from "../payload/json.ts";
import { openSecretLength, redacted, type Span, secretSpans } from "./redaction.ts";

/** Shorter values are not searched for, because they often occur in other words. */
const minLength = 4;
/** Shorter encoded forms would be found in encoded text by chance. */
const minEncodedLength = 8;
/** Searching for more secrets than this would take too long, so all text is removed instead. */
const maxKnown = 200;

export class Scrubber {
  /** The values, and also each line of a text. */
  readonly #secrets = new Set<string>();
  /** The texts to search for, in lower case, longest first. */
  #forms: readonly string[] = [];
  #isForgotten = false;

  constructor(secrets: readonly Json[] = []) {
    this.add(secrets);
  }

  /** Adds values to find: each value in an object or array, and each line of a text. */
  add(secrets: readonly Json[]): void {
    for (const value of secrets) addTexts(this.#secrets, value);
    const forms = this.#removesAll ? [] : [...this.#secrets].flatMap(formsOf);
    // A secret that contains another one is removed as a whole.
    this.#forms = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  /** Returns a scrubber for secrets that exist but are no longer known. It removes all text. */
  static ofForgotten(): Scrubber {
    const scrubber = new Scrubber();
    scrubber.#isForgotten = true;
    return scrubber;
  }

  /** Whether all text is removed. */
  get #removesAll(): boolean {
    return this.#isForgotten || this.#secrets.size > maxKnown;
  }

  text(text: string): string {
    return this.pieces([text])[0] as string;
  }

  /**
   * Redacts pieces of one text. The replacement of a secret is in the piece where the secret
   * begins. Redacted pieces can be redacted again, together with later ones.
   */
  pieces(pieces: readonly string[]): string[] {
    if (this.#removesAll) return pieces.map((piece) => (piece === "" ? "" : redacted));
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

  /**
   * Redacts each text in a JSON value, names of fields included, and each number that is a secret.
   * The value must have passed `redact`, which decides by the names of fields.
   */
  json<T extends Json | undefined>(value: T): T {
    return (value === undefined || !this.#mayBeIn(value) ? value : this.#walk(value)) as T;
  }

  /** Returns how many characters at the end of `text` may be the beginning of a secret. */
  heldLength(text: string): number {
    const folded = fold(text);
    // The end of a whole secret may be the beginning of another one, but belongs to the first.
    const after = Math.max(0, ...this.#knownSpans(text).map(([, to]) => to));
    const free = folded.slice(after);
    const known = this.#forms.map((form) => lengthOfBeginning(form, free));
    return Math.max(openSecretLength(text), ...known);
  }

  /**
   * Redacts the end of a text that `heldLength` has found, if nothing follows. An end that is so
   * short that it may match the beginning of a secret by chance is kept.
   */
  end(text: string): string {
    const folded = fold(text);
    const isMost = this.#forms.some((form) => {
      const length = lengthOfBeginning(form, folded);
      return length >= minLength && length >= form.length / 2;
    });
    return isMost ? redacted : this.text(text);
  }

  /** Whether the value may contain a secret. Most results contain none, and need not be copied. */
  #mayBeIn(value: Json): boolean {
    if (this.#removesAll) return true;
    const text = JSON.stringify(value);
    // A field in a text that is JSON has escaped quotes.
    if (text.includes('\\"')) return true;
    const folded = fold(text);
    return this.#forms.some((form) => folded.includes(form));
  }

  #walk(value: Json): Json {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") {
      return this.#secrets.has(String(value)) || this.#removesAll ? redacted : value;
    }
    if (Array.isArray(value)) return value.map((item) => this.#walk(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.text(name), this.#walk(item)]),
    );
  }

  #knownSpans(text: string): Span[] {
    const folded = fold(text);
    const spans: Span[] = [];
    for (const form of this.#forms) {
      for (let at = folded.indexOf(form); at !== -1; at = folded.indexOf(form, at + 1)) {
        spans.push([at, at + form.length]);
      }
    }
    return spans;
  }
}

function addTexts(texts: Set<string>, value: Json): void {
  if (typeof value === "number") addText(texts, String(value));
  else if (typeof value === "string") {
    addText(texts, value);
    for (const line of value.split(/\r?\n/)) addText(texts, line);
  } else if (value !== null && typeof value === "object") {
    for (const inner of Object.values(value)) addTexts(texts, inner);
  }
}

function addText(texts: Set<string>, text: string): void {
  if (text.trim().length >= minLength) texts.add(text);
}

/**
 * Returns the forms in which a program may print a secret: as it is, in JSON, in a URL or in
 * Base64. They are in lower case, because a program may also change the case.
 */
function formsOf(secret: string): string[] {
  const whole = secret.toWellFormed();
  const json = JSON.stringify(secret).slice(1, -1);
  const plain = [secret, json, asciiJson(json), encodeURIComponent(whole), formEncoded(whole)];
  const encoded = base64Of(whole).filter(({ length }) => length >= minEncodedLength);
  return [...plain, ...encoded].map(fold);
}

/** Escapes all characters outside ASCII, as some programs do in JSON. */
function asciiJson(json: string): string {
  return json.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/**
 * Returns what to search for in Base64 text: the characters that depend on the secret alone. They
 * differ between the two alphabets, and between the three positions in a group of bytes at which
 * the secret can begin.
 */
function base64Of(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return (["base64", "base64url"] as const).map((kind) => bytes.toString(kind).slice(from, to));
  });
}

/** Converts to lower case without changing the length, so that positions stay the same. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : Array.from(text, foldCharacter).join("");
}

function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}

/**
 * Returns the length of the longest beginning of `form`, other than `form` itself, with which
 * `text` ends. Takes linear time (Knuth, Morris and Pratt).
 */
function lengthOfBeginning(form: string, text: string): number {
  const end = text.slice(-(form.length - 1));
  // Nearly always, the last character alone shows that there is none.
  if (end === "" || !form.slice(0, -1).includes(end.at(-1) as string)) return 0;
  const borders = new Uint32Array(form.length);
  const extended = (length: number, unit: number): number => {
    let known = length;
    while (known > 0 && form.charCodeAt(known) !== unit) known = borders[known - 1] as number;
    return form.charCodeAt(known) === unit ? known + 1 : known;
  };
  for (let at = 1; at < form.length; at++) {
    borders[at] = extended(borders[at - 1] as number, form.charCodeAt(at));
  }
  let length = 0;
  for (let at = 0; at < end.length; at++) length = extended(length, end.charCodeAt(at));
  return length;
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
