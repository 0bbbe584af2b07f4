// Writes log lines to standard error without ever blocking. If the disk is full or no process reads
// the pipe, it drops and counts lines, and the program continues.

import { fstatSync, write, writeSync } from "node:fs";
import { isatty } from "node:tty";

const maxWaitingBytes = 1024 * 1024;
const maxChunkBytes = 64 * 1024;
const newline = 0x0a;

/** `count` is the number of bytes written before an error. */
type Sink = (bytes: Buffer, written: (error: Error | null, count: number) => void) => void;

export class LogWriter {
  /** Called with the number of dropped lines. */
  onDropped: (lines: number) => void = () => undefined;
  readonly #sink: Sink;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writing = false;
  /** Whether the last write ended in the middle of a line. */
  #isInLine = false;
  #whenDrained: (() => void) | null = null;

  constructor(sink: Sink = standardError()) {
    this.#sink = sink;
  }

  /** Queues a line, including its line feed, or drops it. */
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

  /** Returns whether all lines were written in time. */
  async drained(withinMs: number): Promise<boolean> {
    if (!this.#writing) return true;
    return new Promise((resolve) => {
      this.#whenDrained = () => resolve(true);
      setTimeout(() => resolve(false), withinMs).unref();
    });
  }

  /** Removes and returns the unwritten lines. The caller writes them at exit. */
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
  return bytes.filter((byte) => byte === newline).length;
}

function standardError(): Sink {
  return isStream() ? streamSink : fileSink;
}

/** process.stderr writes to a pipe, socket or terminal without blocking, but not to a file. */
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
  // The reader may close its end of the pipe.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => undefined);
  process.stderr.write(bytes, (error) => written(error ?? null, error ? 0 : bytes.length));
};

/** If standard error is a file, the remaining lines are written at exit. */
export function standardErrorWriter(): LogWriter {
  const writer = new LogWriter();
  process.once("exit", () => {
    if (isStream()) return;
    try {
      writeSync(2, writer.takeRest());
    } catch {
      // The disk may be full. The lines are lost.
    }
  });
  return writer;
}
