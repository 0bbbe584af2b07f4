import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Core } from "../core/context.ts";
import type { Download } from "../core/download.ts";
import { AppError } from "../domain/errors.ts";
import { type FixedJson, isKnownTo } from "../lib/json/fixed-json.ts";
import { jsonOf } from "../lib/json/ready-json.ts";
import { type Compression, leastCompressedBytes } from "./compression.ts";
import { lingerMs } from "./connections/linger.ts";
import type { PendingOutput } from "./connections/pending-bytes.ts";
import type { FileAnswer } from "./console/console.ts";
import type { Answer } from "./envelope.ts";
import { fixedHeaders, jsonHeaders, securityHeaders } from "./fixed-headers.ts";
import type { HttpCaller } from "./http-caller.ts";
import { isStillSending } from "./requests/body.ts";
import type { Arrival } from "./site/arrival.ts";

/** The maximum number of connections that wait before they close. Each one uses memory. */
const maxLingering = 64;

export interface Exchange {
  response: ServerResponse;
  requestId: string;
  scheme: Arrival["scheme"];
  /** How the response may be compressed; absent for most routes. */
  compression?: Compression;
}

export class Sender {
  /** Whether each response closes its connection, because the server is stopping. */
  closing = false;
  readonly #core: Core;
  readonly #output: PendingOutput;
  #lingering = 0;
  #ended: [ServerResponse, string | Buffer | null][] = [];

  constructor(core: Core, output: PendingOutput) {
    this.#core = core;
    this.#output = output;
  }

  /**
   * If the client is still sending its body, the connection closes a moment after the response,
   * because closing it immediately would discard the response. Returns a promise only if the
   * response is compressed.
   */
  send(exchange: Exchange, answer: Answer): Promise<void> | void {
    const { response } = exchange;
    if (response.headersSent || response.destroyed) return;
    if (answer.fixed) {
      this.#sendFixed(exchange, answer.fixed);
      return;
    }
    const text = jsonOf(answer);
    if (exchange.compression)
      return this.#sendCompressed(exchange, exchange.compression, answer, text);
    this.#sendJson(exchange, answer, text, Buffer.byteLength(text));
  }

  #sendJson(
    exchange: Exchange,
    { status, headers: own, isLast }: Answer,
    body: string | Buffer,
    bytes: number,
  ): void {
    const headers = jsonHeaders(bytes, exchange.scheme);
    if (own) headers.push(...Object.entries(own).flat());
    this.#sendWhole(exchange, status, headers, body, isLast === true);
  }

  async #sendCompressed(
    exchange: Exchange,
    { coding, compress }: Compression,
    answer: Answer,
    text: string,
  ): Promise<void> {
    const bytes = Buffer.byteLength(text);
    const vary = { Vary: "Accept-Encoding" };
    if (!compress || bytes < leastCompressedBytes) {
      this.#sendJson(exchange, { ...answer, headers: { ...answer.headers, ...vary } }, text, bytes);
      return;
    }
    const body = await compress(text);
    const { response } = exchange;
    if (response.headersSent || response.destroyed) return;
    const headers = { ...answer.headers, ...vary, "Content-Encoding": coding };
    this.#sendJson(exchange, { ...answer, headers }, body, body.length);
  }

  #sendFixed(exchange: Exchange, { bytes, etag }: FixedJson<object>): void {
    const { response, scheme } = exchange;
    if (isKnownTo(response.req.headers["if-none-match"], etag)) {
      this.#sendWhole(exchange, 304, [...fixedHeaders(scheme), "ETag", etag], null, false);
    } else {
      const headers = [...jsonHeaders(bytes.length, scheme), "ETag", etag];
      this.#sendWhole(exchange, 200, headers, bytes, false);
    }
  }

  /** Console files have their own Cache-Control header. */
  sendFile(exchange: Exchange, { status, headers, body }: FileAnswer): void {
    const { response, scheme } = exchange;
    if (response.headersSent || response.destroyed) return;
    this.#sendWhole(exchange, status, [...headers, ...securityHeaders(scheme)], body, false);
  }

  #sendWhole(
    exchange: Exchange,
    status: number,
    headers: string[],
    body: string | Buffer | null,
    isLast: boolean,
  ): void {
    const { response } = exchange;
    const isSending = isStillSending(response.req);
    if (body) this.#output.add(response, body.length);
    this.#writeHead(exchange, status, headers, isLast || isSending);
    if (!isSending) {
      this.#ended.push([response, body]);
      if (this.#ended.length === 1) setImmediate(() => this.#endAll());
      return;
    }
    if (body) response.write(body);
    if (this.#lingering >= maxLingering) {
      response.end();
      return;
    }
    this.#lingering++;
    setTimeout(() => {
      this.#lingering--;
      response.end();
    }, lingerMs);
  }

  /**
   * Writes the responses of one turn of the event loop together, after all requests of the turn
   * have been read. Alternating between reading and writing takes about twice the CPU time.
   */
  #endAll(): void {
    const ended = this.#ended;
    this.#ended = [];
    for (const [response, body] of ended) response.end(body);
  }

  /** Closes the connection on failure, so that the client notices. */
  async sendDownload(exchange: Exchange, download: Download, caller: HttpCaller): Promise<void> {
    const { response, requestId, scheme } = exchange;
    if (response.destroyed) return;
    const headers = ["Content-Type", download.contentType, ...fixedHeaders(scheme)];
    if (download.fileName !== undefined) {
      headers.push("Content-Disposition", `attachment; filename="${download.fileName}"`);
    }
    if (download.headers) headers.push(...Object.entries(download.headers).flat());
    this.#writeHead(exchange, 200, headers, false);
    // From here on, the duration depends on the reader, so it does not count.
    const beganAt = this.#core.monotonic();
    try {
      await pipeline(download.chunks, (chunks) => this.#counted(response, chunks), response);
    } catch (error) {
      // Null if the client has left, or ECONNRESET if this response was waiting for an earlier one.
      const errored: NodeJS.ErrnoException | null = response.errored;
      if (errored === null || errored.code === "ECONNRESET") return;
      const level = error instanceof AppError ? "warn" : "error";
      this.#core.log[level]({ err: error, requestId }, "a download failed");
      response.req.socket.destroy();
    } finally {
      caller.noteHeld(this.#core.monotonic() - beganAt);
    }
  }

  async *#counted(response: ServerResponse, chunks: Download["chunks"]) {
    for await (const chunk of chunks) {
      this.#output.add(response, Buffer.byteLength(chunk));
      yield chunk;
      // The next chunk is asked for only when the response buffers little.
      this.#output.noteRead(response);
    }
  }

  #writeHead(
    { response, requestId }: Exchange,
    status: number,
    headers: string[],
    isLast: boolean,
  ): void {
    headers.push("X-Request-Id", requestId);
    if (isLast || this.closing) headers.push("Connection", "close");
    response.writeHead(status, headers);
  }
}
