// Keeps the beginning or the end of a program's output, in bounded memory.

export class Beginning {
  /** The size of the whole output. */
  bytes = 0;
  readonly #maxBytes: number;
  #kept = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isCut(): boolean {
    return this.bytes > this.#maxBytes;
  }

  add(chunk: Buffer): void {
    const at = Math.min(this.bytes, this.#maxBytes);
    this.bytes += chunk.length;
    const end = Math.min(this.bytes, this.#maxBytes);
    if (end > this.#kept.length) this.#grow(end);
    chunk.copy(this.#kept, at, 0, end - at);
  }

  /** Invalid bytes become U+FFFD. A character that the limit splits is omitted. */
  text(): string {
    const bytes = this.#kept.subarray(0, Math.min(this.bytes, this.#maxBytes));
    return new TextDecoder().decode(bytes, { stream: this.isCut });
  }

  #grow(needed: number): void {
    const grown = Buffer.alloc(Math.min(Math.max(needed, this.#kept.length * 2), this.#maxBytes));
    this.#kept.copy(grown);
    this.#kept = grown;
  }
}

export class Ending {
  /** The size of the whole output. */
  bytes = 0;
  readonly #maxBytes: number;
  #kept = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    const joined = Buffer.concat([this.#kept, chunk.subarray(-this.#maxBytes)]);
    this.#kept = Buffer.from(joined.subarray(-this.#maxBytes));
  }

  /**
   * Returns the last non-empty lines. Omits an incomplete first line, unless it is the only line.
   */
  lines(max: number): string[] {
    const isCut = this.bytes > this.#maxBytes;
    const whole = this.#kept.subarray(isCut ? startOfCharacter(this.#kept) : 0);
    const [first = "", ...rest] = new TextDecoder().decode(whole).split(/[\r\n]+/);
    const isFirstWhole = !isCut || rest.every((line) => line.trim() === "");
    const lines = isFirstWhole ? [first, ...rest] : rest;
    return lines.filter((line) => line.trim() !== "").slice(-max);
  }
}

function startOfCharacter(bytes: Buffer): number {
  const start = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start === -1 ? 0 : start;
}
