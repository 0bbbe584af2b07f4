// Takes the lines of the log to standard error without ever waiting for it: a full disk and a pipe that
// nobody reads cost lines, which are counted, and nothing else.

import { fstatSync, write, writeSync } from "node:fs";
import { isatty } from "node:tty";

/** What may wait to be written. */
const maxWaitingBytes = 1024 * 1024;
const maxChunkBytes = 64 * 1024;
const newline = 0x0a;

/** Calls back when the bytes are written, or with the error and how many were written before it. */
type Sink = (bytes: Buffer, written: (error: Error | null, count: number) => void) => void;

export class LogWriter {
  /** Hears of lines that were dropped. */
  onDropped: (lines: number) => void = () => undefined;
  readonly #sink: Sink;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writing = false;
  /** The last write broke off in the middle of a line. */
  #isInLine = false;
  #whenDrained: (() => void) | null = null;

  constructor(sink: Sink = standardError()) {
    this.#sink = sink;
  }

  /** Takes a line, with its line end, or drops it. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#waitingBytes + bytes.length > maxWaitingBytes) {
      this.onDropped(1);
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (!this.#writing) this.#writeNext();
  }

  /** Waits until everything is written, for as long; answers whether it is. */
  async drained(withinMs: number): Promise<boolean> {
    if (!this.#writing) return true;
    const drained = new Promise<boolean>((resolve) => {
      this.#whenDrained = () => resolve(true);
      setTimeout(() => resolve(false), withinMs).unref();
    });
    return drained;
  }

  /** What is left when the process ends, as far as that works at once. Not for a sink that may block. */
  takeRest(): Buffer {
    const rest = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return rest;
  }

  #writeNext(): void {
    const chunk = this.#nextChunk();
    if (chunk === null) {
      this.#writing = false;
      this.#whenDrained?.();
      return;
    }
    this.#writing = true;
    this.#sink(chunk, (error, count) => {
      const written = chunk.subarray(0, count);
      if (count > 0) this.#isInLine = written.at(-1) !== newline;
      if (error) this.onDropped(linesIn(chunk.subarray(count)));
      this.#writeNext();
    });
  }

  #nextChunk(): Buffer | null {
    const parts: Buffer[] = this.#isInLine ? [Buffer.of(newline)] : [];
    let bytes = 0;
    while (this.#waiting[0] && (bytes === 0 || bytes + this.#waiting[0].length <= maxChunkBytes)) {
      const [line] = this.#waiting.splice(0, 1);
      if (line) parts.push(line);
      bytes += line?.length ?? 0;
    }
    this.#waitingBytes -= bytes;
    return bytes === 0 ? null : Buffer.concat(parts);
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === newline) lines++;
  return lines;
}

function standardError(): Sink {
  return isStream() ? streamSink : fileSink;
}

/** Node writes to a pipe or a socket without waiting, to a file only in the background. */
function isStream(): boolean {
  const kind = fstatSync(2);
  return kind.isFIFO() || kind.isSocket() || isatty(2);
}

const fileSink: Sink = (bytes, written) => {
  let count = 0;
  const on = (error: Error | null, more: number) => {
    count += more;
    if (error || count === bytes.length) written(error, count);
    else write(2, bytes, count, on);
  };
  write(2, bytes, 0, on);
};

const streamSink: Sink = (bytes, written) => {
  // Who reads it may go away.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => undefined);
  process.stderr.write(bytes, (error) => written(error ?? null, error ? 0 : bytes.length));
};

/** The writer of this process's log: what waits when the process ends by itself still gets into a file. */
export function standardErrorWriter(): LogWriter {
  const writer = new LogWriter();
  process.once("exit", () => {
    if (isStream()) return;
    try {
      writeSync(2, writer.takeRest());
    } catch {
      // A full disk: there is nobody left to tell.
    }
  });
  return writer;
}
