// Turns one stream of a command's output into text that can be sent: decoded, without terminal
// control sequences and without secrets.

import { stripVTControlCharacters } from "node:util";
import { beginOfOpenSequence } from "../../../domain/output/control-sequences.ts";
import type { Scrubber } from "../../../domain/secrets/scrubber.ts";

/** An incomplete line is ready to be sent after this time, or beyond this length. */
const halfLineMs = 500;
const halfLineLength = 16 * 1024;
const lineFeed = 0x0a;

interface Taken {
  text: string;
  /** The size of the rest of a line that was omitted because its beginning was lost. */
  lostBytes: number;
}

export class OutputText {
  #decoder = new TextDecoder();
  #text = "";
  /** When the oldest character of the text arrived, on the monotonic clock. */
  #since = 0;
  /** Whether the text continues a line whose beginning was lost: it may be part of a secret. */
  #isInLostLine = false;
  readonly #scrubber: Scrubber;

  constructor(scrubber: Scrubber) {
    this.#scrubber = scrubber;
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  add(chunk: Uint8Array): void {
    if (this.isEmpty) this.#since = performance.now();
    this.#text += this.#decoder.decode(chunk, { stream: true });
  }

  /**
   * Called instead of `add` for a lost chunk. Also drops the text that has not been taken, and
   * returns the size of that text in bytes.
   */
  lose(chunk: Uint8Array): number {
    const bytes = Buffer.byteLength(this.#text);
    this.#decoder = new TextDecoder();
    this.#text = "";
    this.#isInLostLine = chunk.at(-1) !== lineFeed;
    return bytes;
  }

  /** Takes the complete lines, and an incomplete line that is ready; with `isEnd`, everything. */
  take(isEnd: boolean): Taken {
    if (isEnd) this.#text += this.#decoder.decode();
    const lostBytes = this.#dropLostLine(isEnd);
    const ready = this.#readyLength(isEnd);
    const plain = stripVTControlCharacters(this.#text.slice(0, ready));
    const rest = this.#text.slice(ready);
    const certain = plain.length - this.#scrubber.heldLength(plain);
    const beginning = this.#scrubber.text(plain.slice(0, certain));
    const end = plain.slice(certain);
    const text = isEnd ? beginning + this.#scrubber.end(end) : beginning;
    this.#text = isEnd ? "" : end + rest;
    if (text !== "") this.#since = performance.now();
    return { text, lostBytes };
  }

  #dropLostLine(isEnd: boolean): number {
    if (!this.#isInLostLine || this.isEmpty) return 0;
    const at = this.#text.search(/[\r\n]/);
    if (at === -1 && !isEnd && !this.#isHalfLineDue(0)) return 0;
    this.#isInLostLine = false;
    const dropped = at === -1 ? this.#text : this.#text.slice(0, at + 1);
    this.#text = this.#text.slice(dropped.length);
    return Buffer.byteLength(dropped);
  }

  #readyLength(isEnd: boolean): number {
    if (isEnd) return this.#text.length;
    if (this.#isInLostLine) return 0;
    const lines = Math.max(this.#text.lastIndexOf("\n"), this.#text.lastIndexOf("\r")) + 1;
    if (!this.#isHalfLineDue(lines)) return lines;
    return Math.max(lines, beginOfOpenSequence(this.#text));
  }

  /** `start` is where the incomplete line begins. */
  #isHalfLineDue(start: number): boolean {
    const isOld = performance.now() - this.#since >= halfLineMs;
    return isOld || this.#text.length - start > halfLineLength;
  }
}
