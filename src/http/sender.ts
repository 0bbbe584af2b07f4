// Puts answers on the wire: JSON and files at once, downloads as they are made.

import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Core } from "../core/context.ts";
import type { Download } from "../core/download.ts";
import { type FixedJson, isKnownTo } from "../lib/json/fixed-json.ts";
import type { PendingOutput } from "./connections/budgets.ts";
import type { Connection } from "./connections/connection.ts";
import { lingerMs } from "./connections/linger.ts";
import type { FileAnswer } from "./console/console.ts";
import type { Answer } from "./envelope.ts";
import { fixedHeaders, securityHeaders } from "./fixed-headers.ts";
import { isStillSending } from "./requests/body.ts";
import type { Arrival } from "./site/arrival.ts";

/** So many at a time: each of them keeps what it has sent. */
const maxLingering = 64;

/** One request's answer on its way. */
export interface Exchange {
  response: ServerResponse;
  requestId: string;
  scheme: Arrival["scheme"];
}

export class Sender {
  /** From now on each answer is the last one on its connection. */
  closing = false;
  readonly #core: Core;
  readonly #output: PendingOutput;
  #lingering = 0;

  constructor(core: Core, output: PendingOutput) {
    this.#core = core;
    this.#output = output;
  }

  /**
   * When some of the request has not come yet, nobody will read it: the answer is the last one, and the
   * connection stays for a moment, since the other end still sends.
   */
  send(exchange: Exchange, answer: Answer): void {
    const { response } = exchange;
    if (response.headersSent || response.destroyed) return;
    if (answer.fixed) {
      this.#sendFixed(exchange, answer.fixed);
      return;
    }
    const text = JSON.stringify(answer.body);
    const headers = jsonHeaders(Buffer.byteLength(text), exchange.scheme);
    if (answer.headers) headers.push(...Object.entries(answer.headers).flat());
    this.#sendWhole(exchange, answer.status, headers, text, answer.isLast === true);
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

  /** It says by itself how long caches may keep it. */
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
    const sendsOn = isStillSending(response.req);
    if (body) this.#output.add(response, body.length);
    this.#writeHead(exchange, status, headers, isLast || sendsOn);
    if (!sendsOn) {
      response.end(body);
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

  /** Sends what is made meanwhile. When that fails the connection is cut: a half must not look whole. */
  async sendDownload(exchange: Exchange, download: Download, caller: Connection): Promise<void> {
    const { response, requestId, scheme } = exchange;
    const headers = ["Content-Type", download.contentType, ...fixedHeaders(scheme)];
    if (download.fileName !== undefined) {
      headers.push("Content-Disposition", `attachment; filename="${download.fileName}"`);
    }
    if (download.headers) headers.push(...Object.entries(download.headers).flat());
    this.#writeHead(exchange, 200, headers, false);
    // From here on it takes as long as the reader likes.
    const beganAt = this.#core.monotonic();
    try {
      await pipeline(download.chunks, response);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE") return;
      this.#core.log.error({ err: error, requestId }, "an answer broke off");
      response.req.socket.destroy();
    } finally {
      caller.noteHeld(this.#core.monotonic() - beganAt);
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

function jsonHeaders(bytes: number, scheme: Arrival["scheme"]): string[] {
  return [
    "Content-Type",
    "application/json; charset=utf-8",
    "Content-Length",
    String(bytes),
    ...fixedHeaders(scheme),
  ];
}
