// Sends the output of one command while it runs. Memory is bounded: what the server cannot take in
// time is lost, and operators see how much. Nothing here delays the handler or makes it fail.

import { commandOutput } from "../../../domain/limits.ts";
import type { OutputChunk, OutputStream } from "../../../domain/output/output.ts";
import type { Json } from "../../../domain/payload/json.ts";
import { TextSecrets } from "../../../domain/payload/text-secrets.ts";
import { Bell, pause } from "../../bell.ts";
import type { ActionOutput } from "../../services/services.ts";
import { OutputText } from "./output-text.ts";

/** Output is sent at this size, or after this time. */
const batchBytes = 16 * 1024;
const batchMs = 250;
/** The least time between two calls. */
const restMs = 100;
/** The maximum length of the text in one call, which JSON can make six times as long. */
const callLength = 32 * 1024;
/** How much can wait to be sent. If there is more, the oldest is lost. */
const maxWaitingBytes = 256 * 1024;
/** What a handler writes at once is split into pieces, so that not all of it is lost together. */
const pieceLength = 16 * 1024;

/**
 * Sends chunks, and returns the position at which to continue; null if the server does not want
 * more, or the signal is aborted. Must not reject.
 */
export type SendOutput = (chunks: OutputChunk[], signal: AbortSignal) => Promise<number | null>;

interface Piece {
  stream: OutputStream;
  content: string | Uint8Array;
  bytes: number;
}

export interface OutputOptions {
  send: SendOutput;
  /** Returns the secrets of the payload. Called at the first write. */
  secrets: () => readonly Json[];
  /** Resolves when a result must not wait any longer for the rest of the output, or at the abort. */
  patience: (signal: AbortSignal) => Promise<void>;
  /** Aborted when the agent has stopped. */
  line: AbortSignal;
}

export class CommandOutput {
  readonly #options: OutputOptions;
  readonly #secrets = new TextSecrets([]);
  readonly #texts = {
    stdout: new OutputText(this.#secrets),
    stderr: new OutputText(this.#secrets),
  };
  readonly #waiting: Piece[] = [];
  #waitingBytes = 0;
  /** The position after all that was prepared or lost, and after what the server knows of. */
  #position = 0;
  #knownTo = 0;
  /** Lost after `#position`. */
  #lostBytes = 0;
  readonly #due = new Bell();
  readonly #over = new AbortController();
  #sending: Promise<void> | null = null;
  #hasBegun = false;
  #isEnding = false;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** For the handler. */
  get handle(): ActionOutput {
    return {
      write: (content) => this.#write("stdout", content),
      stderr: { write: (content) => this.#write("stderr", content) },
      hide: (...secrets) => this.#secrets.add(secrets),
    };
  }

  /**
   * Ignores what is written from now on, and resolves when the rest is sent, or when the result must
   * not wait any longer. Sending then continues for as long as the server accepts it.
   */
  async end(stop: AbortSignal): Promise<void> {
    this.#isEnding = true;
    this.#due.ring();
    if (!this.#sending) return;
    const wait = new AbortController();
    const patience = this.#options.patience(AbortSignal.any([wait.signal, stop]));
    const isSent = await Promise.race([this.#sending.then(() => true), patience]);
    wait.abort();
    if (isSent) return;
    const timer = setTimeout(() => this.#over.abort(), commandOutput.graceSeconds * 1000);
    void this.#sending.finally(() => clearTimeout(timer));
  }

  #write(stream: OutputStream, content: string | Uint8Array): void {
    if (this.#isEnding || this.#over.signal.aborted) return;
    if (!this.#hasBegun) this.#secrets.add(this.#options.secrets());
    this.#hasBegun = true;
    for (const piece of piecesOf(content)) {
      const bytes = Buffer.byteLength(piece);
      this.#waiting.push({ stream, content: piece, bytes });
      this.#waitingBytes += bytes;
      while (this.#waitingBytes > maxWaitingBytes) this.#loseOldest();
    }
    if (this.#waitingBytes >= batchBytes) this.#due.ring();
    if (this.#waiting.length > 0) this.#sending ??= this.#sendAll();
  }

  #loseOldest(): void {
    const oldest = this.#waiting.shift() as Piece;
    this.#waitingBytes -= oldest.bytes;
    this.#lostBytes += oldest.bytes + this.#texts[oldest.stream].lose(oldest.content);
  }

  async #sendAll(): Promise<void> {
    const signal = AbortSignal.any([this.#options.line, this.#over.signal]);
    while (!signal.aborted) {
      if (!this.#isEnding && this.#waitingBytes < batchBytes) await this.#due.wait(signal, batchMs);
      const chunks = this.#prepare();
      if (chunks.length > 0) {
        const next = await this.#options.send(chunks, signal);
        if (next === null) break;
        this.#knownTo = next;
        this.#position = Math.max(this.#position, next);
        if (!this.#isEnding) await pause(restMs, signal);
      } else if (this.#isIdle()) {
        this.#sending = null;
        return;
      }
    }
    this.#over.abort();
    this.#waiting.length = 0;
  }

  #isIdle(): boolean {
    const { stdout, stderr } = this.#texts;
    const isAllKnown = this.#position <= this.#knownTo;
    return isAllKnown && this.#waiting.length === 0 && stdout.isEmpty && stderr.isEmpty;
  }

  /** Takes as much as fits into one call. */
  #prepare(): OutputChunk[] {
    const chunks: OutputChunk[] = [];
    this.#position += this.#lostBytes;
    this.#lostBytes = 0;
    let length = 0;
    while (length < callLength) {
      const piece = this.#waiting.shift();
      if (!piece) break;
      this.#waitingBytes -= piece.bytes;
      this.#texts[piece.stream].add(piece.content);
      length += this.#take(chunks, piece.stream, false);
    }
    const isEnd = this.#isEnding && this.#waiting.length === 0;
    this.#take(chunks, "stdout", isEnd);
    this.#take(chunks, "stderr", isEnd);
    // Without a chunk after it, a loss at the end would not be noticed.
    if (isEnd && this.#position > endOf(chunks.at(-1), this.#knownTo)) {
      chunks.push(this.#chunk("stdout", ""));
    }
    return chunks;
  }

  #take(chunks: OutputChunk[], stream: OutputStream, isEnd: boolean): number {
    const { text, lostBytes } = this.#texts[stream].take(isEnd);
    this.#position += lostBytes;
    for (let at = 0; at < text.length; ) {
      const part = firstPart(text.slice(at));
      chunks.push(this.#chunk(stream, part));
      this.#position += Buffer.byteLength(part);
      at += part.length;
    }
    return text.length;
  }

  #chunk(stream: OutputStream, text: string): OutputChunk {
    return { offset: this.#position, stream, text };
  }
}

/** Copies bytes, because the handler may use their memory again. */
function piecesOf(content: string | Uint8Array): (string | Uint8Array)[] {
  const pieces: (string | Uint8Array)[] = [];
  for (let at = 0; at < content.length; at += pieceLength) {
    const end = at + pieceLength;
    pieces.push(
      typeof content === "string"
        ? content.slice(at, end)
        : Uint8Array.from(content.subarray(at, end)),
    );
  }
  return pieces;
}

function endOf(chunk: OutputChunk | undefined, otherwise: number): number {
  return chunk ? chunk.offset + Buffer.byteLength(chunk.text) : otherwise;
}

/** Returns as much as one chunk can contain, without half of a surrogate pair at its end. */
function firstPart(text: string): string {
  const { maxChunkLength } = commandOutput;
  if (text.length <= maxChunkLength) return text;
  const last = text.charCodeAt(maxChunkLength - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? maxChunkLength - 1 : maxChunkLength);
}

/** For handlers whose output nobody sees. */
export const noOutput: ActionOutput = {
  write: () => undefined,
  stderr: { write: () => undefined },
  hide: () => undefined,
};
