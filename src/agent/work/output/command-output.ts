// Sends the output of one command while it runs. Memory is bounded: what the server cannot take in
// time is lost, and operators see how much. Nothing here delays the handler or makes it fail.
// Secrets are removed from the output, and in the same way from the result.

import { commandOutput } from "../../../domain/limits.ts";
import type { OutputChunk, OutputStream } from "../../../domain/output/output.ts";
import { isJsonObject, type Json } from "../../../domain/payload/json.ts";
import { Scrubber } from "../../../domain/secrets/scrubber.ts";
import { Bell, pause } from "../../bell.ts";
import type { ActionOutput } from "../../services/services.ts";
import type { CommandResult } from "../commands.ts";
import { OutputText } from "./output-text.ts";
import { piecesOf, WaitingOutput } from "./waiting-output.ts";

/** Output is sent at this size, or after this time. */
const batchBytes = 16 * 1024;
const batchMs = 250;
/** The minimum time between two calls. */
const restMs = 100;
/** How long output waits after a call that was refused. */
const refusedMs = 1000;
/** The maximum length of the text in one call, which JSON can make six times as long. */
const callLength = 32 * 1024;
/**
 * A call with this many chunks is full. The other half of the limit is for text that was held back.
 */
const callChunks = commandOutput.maxChunks / 2;

export interface SentOutput {
  chunks: OutputChunk[];
  /** Whether this is the end of the output. */
  end: boolean;
}

/**
 * Sends output. Returns the position at which to continue, "refused" if the server does not accept
 * this call (its output is then lost), or null if the server accepts no more output or the signal
 * is aborted. Must not reject.
 */
export type SendOutput = (
  output: SentOutput,
  signal: AbortSignal,
) => Promise<number | "refused" | null>;

export interface OutputOptions {
  send: SendOutput;
  /** Returns the secrets of the payload. Called when they are first needed. */
  secrets: () => readonly Json[];
  /** Resolves when the result must no longer wait for the rest of the output, or on an abort. */
  patience: (signal: AbortSignal) => Promise<void>;
  /** Aborted when the agent has stopped. */
  line: AbortSignal;
}

export class CommandOutput {
  readonly #options: OutputOptions;
  readonly #scrubber = new Scrubber();
  readonly #texts = {
    stdout: new OutputText(this.#scrubber),
    stderr: new OutputText(this.#scrubber),
  };
  readonly #waiting = new WaitingOutput();
  /** The position after all output that was prepared or lost; never before `#knownTo`. */
  #position = 0;
  /** The position up to which the server knows the output and its losses. */
  #knownTo = 0;
  /** The size of lost output that `#position` does not include yet. */
  #lostBytes = 0;
  readonly #due = new Bell();
  readonly #over = new AbortController();
  #sending: Promise<void> | null = null;
  #knowsPayload = false;
  /** Whether the server knows that the output has ended; null before the first call. */
  #toldEnd: boolean | null = null;
  #isEnding = false;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** The writer for the handler. */
  get handle(): ActionOutput {
    return {
      write: (content) => this.#write("stdout", content),
      stderr: { write: (content) => this.#write("stderr", content) },
      hide: (...secrets) => this.#scrubber.add(secrets),
    };
  }

  /** Removes the secrets from the command's result as well. */
  clean(result: CommandResult): CommandResult {
    this.#learnPayload();
    const scrubber = this.#scrubber;
    if (result.success) {
      const { success, output, message } = result;
      return {
        success,
        ...(output === undefined ? {} : { output: scrubber.json(output) }),
        ...(message === undefined ? {} : { message: scrubber.text(message) }),
      };
    }
    const { code, message, details } = result.error;
    const error = { code: scrubber.text(code), message: scrubber.text(message) };
    if (details === undefined) return { success: false, error };
    return { success: false, error: { ...error, details: scrubber.json(details) } };
  }

  /** Like `clean`, but keeps the form as it is, because the operator sends its values back. */
  cleanPrepared(result: CommandResult): CommandResult {
    if (!result.success || !isJsonObject(result.output)) return this.clean(result);
    const currentState = this.#scrubber.json(result.output.currentState ?? null);
    return { ...result, output: { ...result.output, currentState } };
  }

  /**
   * Ignores later writes. Resolves when the rest has been sent, or when the result must no longer
   * wait for it. In that case, sending continues for as long as the server accepts output.
   */
  async end(stop: AbortSignal): Promise<void> {
    this.#isEnding = true;
    this.#due.ring();
    if (!this.#sending && this.#toldEnd === false) this.#sending = this.#sendAll();
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
    this.#learnPayload();
    for (const piece of piecesOf(content)) {
      this.#waiting.add(stream, piece);
      while (this.#waiting.isTooMuch) this.#loseOldest();
    }
    if (this.#waiting.bytes >= batchBytes) this.#due.ring();
    if (!this.#waiting.isEmpty) this.#sending ??= this.#sendAll();
  }

  #learnPayload(): void {
    if (!this.#knowsPayload) this.#scrubber.add(this.#options.secrets());
    this.#knowsPayload = true;
  }

  #loseOldest(): void {
    const oldest = this.#waiting.takeOldest();
    if (!oldest) return;
    const { stream, content } = oldest;
    this.#lostBytes += content.length + this.#texts[stream].lose(content);
  }

  async #sendAll(): Promise<void> {
    const signal = AbortSignal.any([this.#options.line, this.#over.signal]);
    while (!signal.aborted) {
      if (!this.#isEnding && this.#waiting.bytes < batchBytes)
        await this.#due.wait(signal, batchMs);
      const { chunks, end } = this.#prepare();
      if (chunks.length > 0 || (end && this.#toldEnd === false)) {
        const next = await this.#options.send({ chunks, end }, signal);
        if (next === null) break;
        if (next === "refused") {
          const isLastWord = this.#isEnding && chunks.every(({ text }) => text === "");
          if (isLastWord) break;
        } else {
          this.#toldEnd = end;
          this.#knownTo = next;
          this.#position = Math.max(this.#position, next);
        }
        if (!this.#isEnding) await pause(next === "refused" ? refusedMs : restMs, signal);
      } else if (this.#isEnding || this.#isIdle()) {
        this.#sending = null;
        return;
      }
    }
    this.#over.abort();
    this.#waiting.clear();
  }

  #isIdle(): boolean {
    const { stdout, stderr } = this.#texts;
    const isAllKnown = this.#position <= this.#knownTo;
    return isAllKnown && this.#waiting.isEmpty && stdout.isEmpty && stderr.isEmpty;
  }

  /** Takes as much as fits into one call. */
  #prepare(): SentOutput {
    const chunks: OutputChunk[] = [];
    this.#position += this.#lostBytes;
    this.#lostBytes = 0;
    let length = 0;
    while (length < callLength && chunks.length < callChunks) {
      const piece = this.#waiting.takeOldest();
      if (!piece) break;
      this.#texts[piece.stream].add(piece.content);
      length += this.#take(chunks, piece.stream, false);
    }
    const isEnd = this.#isEnding && this.#waiting.isEmpty;
    this.#take(chunks, "stdout", isEnd);
    this.#take(chunks, "stderr", isEnd);
    // The server notices a loss only by the position of the next chunk.
    if (this.#waiting.isEmpty && this.#position > endOf(chunks.at(-1), this.#knownTo)) {
      chunks.push(this.#chunk("stdout", ""));
    }
    return { chunks, end: isEnd };
  }

  #take(chunks: OutputChunk[], stream: OutputStream, isEnd: boolean): number {
    const { text, lostBytes } = this.#texts[stream].take(isEnd);
    this.#position += lostBytes;
    for (let at = 0; at < text.length; ) {
      const part = firstPart(text.slice(at));
      this.#append(chunks, stream, part);
      this.#position += Buffer.byteLength(part);
      at += part.length;
    }
    return text.length;
  }

  /** Extends the last chunk if possible, so that single characters do not become chunks. */
  #append(chunks: OutputChunk[], stream: OutputStream, text: string): void {
    const last = chunks.at(-1);
    const isNext = last?.stream === stream && endOf(last, 0) === this.#position;
    if (isNext && last.text.length + text.length <= commandOutput.maxChunkLength) last.text += text;
    else chunks.push(this.#chunk(stream, text));
  }

  #chunk(stream: OutputStream, text: string): OutputChunk {
    return { offset: this.#position, stream, text };
  }
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

/** For handlers whose output nobody sees. What they hide is still hidden in their result. */
export function silenced({ hide }: ActionOutput): ActionOutput {
  return { write: () => undefined, stderr: { write: () => undefined }, hide };
}
