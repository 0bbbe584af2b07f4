// Output that the handler has written and the agent has not sent yet, in pieces that each belong to
// one stream. Small writes share a piece, so that writing single characters costs no more than
// writing lines.

import type { OutputStream } from "../../../domain/output/output.ts";

/** The maximum size of a piece. Output is lost in whole pieces. */
const pieceBytes = 16 * 1024;
const maxBytes = 256 * 1024;
/** Reached before `maxBytes` if small writes alternate between the streams. */
const maxPieces = 8192;

export class WaitingOutput {
  readonly #pieces: Piece[] = [];
  #bytes = 0;

  /** The size of all pieces together. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Whether the oldest piece must be taken, to bound the memory. */
  get isTooMuch(): boolean {
    return this.#bytes > maxBytes || this.#pieces.length > maxPieces;
  }

  /** Copies the bytes, because the handler may reuse their memory. */
  add(stream: OutputStream, bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    const last = this.#pieces.at(-1);
    if (last?.stream === stream && last.add(bytes)) return;
    this.#pieces.push(new Piece(stream, bytes));
  }

  takeOldest(): Piece | undefined {
    const oldest = this.#pieces.shift();
    if (oldest) this.#bytes -= oldest.content.length;
    return oldest;
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#bytes = 0;
  }
}

class Piece {
  readonly stream: OutputStream;
  #memory: Buffer;
  #length: number;

  constructor(stream: OutputStream, bytes: Uint8Array) {
    this.stream = stream;
    this.#memory = Buffer.from(bytes);
    this.#length = bytes.length;
  }

  get content(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  /** Returns false if there is no room. */
  add(bytes: Uint8Array): boolean {
    const length = this.#length + bytes.length;
    if (length > pieceBytes) return false;
    if (length > this.#memory.length) {
      const larger = Buffer.allocUnsafe(Math.min(pieceBytes, 2 * length));
      larger.set(this.content);
      this.#memory = larger;
    }
    this.#memory.set(bytes, this.#length);
    this.#length = length;
    return true;
  }
}

/** Splits a large write, so that parts of it can be lost instead of the whole. */
export function piecesOf(content: string | Uint8Array): Uint8Array[] {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const count = Math.ceil(bytes.length / pieceBytes);
  return Array.from({ length: count }, (_, n) =>
    bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes),
  );
}
