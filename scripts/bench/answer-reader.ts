// Finds the end of an HTTP response without converting it to text or objects. Responses must have a
// Content-Length and arrive one at a time.

export const endOfHead = Buffer.from("\r\n\r\n");
const carriageReturn = 13;
const zero = 48;

export class AnswerReader {
  #partial: Buffer | null = null;
  #lengthField: Buffer | null = null;

  /**
   * Reads the first `size` bytes of a buffer that the caller can then reuse. Returns null while
   * part of the response is missing.
   */
  read(bytes: Buffer, size: number): { bytes: Buffer; size: number } | null {
    if (this.#partial) {
      bytes = Buffer.concat([this.#partial, bytes.subarray(0, size)]);
      size = bytes.length;
      this.#partial = null;
    }
    const headSize = bytes.indexOf(endOfHead) + endOfHead.length;
    const hasHead = headSize >= endOfHead.length && headSize <= size;
    if (hasHead && size >= headSize + this.#contentLength(bytes, headSize)) return { bytes, size };
    this.#partial = Buffer.from(bytes.subarray(0, size));
    return null;
  }

  #contentLength(bytes: Buffer, headSize: number): number {
    this.#lengthField ??= findLengthField(bytes, headSize);
    const field = bytes.indexOf(this.#lengthField);
    if (field < 0 || field > headSize) throw withoutLength(bytes, headSize);
    let length = 0;
    for (let i = field + this.#lengthField.length; bytes[i] !== carriageReturn; i++) {
      length = length * 10 + (bytes[i] as number) - zero;
    }
    return length;
  }
}

export function statusOf(bytes: Buffer): number {
  return digit(bytes, 9) * 100 + digit(bytes, 10) * 10 + digit(bytes, 11);
}

function digit(bytes: Buffer, at: number): number {
  return (bytes[at] as number) - zero;
}

/** Returns the Content-Length header up to its digits, as the server spells it. */
function findLengthField(bytes: Buffer, headSize: number): Buffer {
  const field = /\r\ncontent-length: */i.exec(bytes.toString("latin1", 0, headSize));
  if (!field) throw withoutLength(bytes, headSize);
  return Buffer.from(field[0]);
}

function withoutLength(bytes: Buffer, headSize: number): Error {
  return new Error(`The response has no Content-Length:\n${bytes.toString("latin1", 0, headSize)}`);
}
