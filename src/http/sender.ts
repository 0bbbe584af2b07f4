// Puts answers on the wire: JSON at once, downloads as they are made.

import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Core } from "../core/context.ts";
import type { Download } from "../core/download.ts";
import type { Arrival } from "./arrival.ts";
import type { Connection } from "./connection.ts";
import type { Answer } from "./envelope.ts";
import { fixedHeaders } from "./fixed-headers.ts";
import { isStillSending } from "./request-body.ts";

/** Closing at once on one who still sends resets the connection, and the answer is lost with it. */
const lingerMs = 500;

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

  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * When some of the request has not come yet, nobody will read it: the answer is the last one, and the
   * connection stays for a moment, since the other end still sends.
   */
  send(exchange: Exchange, answer: Answer): void {
    const { response } = exchange;
    if (response.headersSent || response.destroyed) return;
    const sendsOn = isStillSending(response.req);
    const isLast = answer.isLast === true || sendsOn;
    const text = JSON.stringify(answer.body);
    const headers = [
      "Content-Type",
      "application/json; charset=utf-8",
      "Content-Length",
      String(Buffer.byteLength(text)),
    ];
    this.#writeHead(exchange, answer.status, headers, answer.headers, isLast);
    if (!sendsOn) {
      response.end(text);
      return;
    }
    response.write(text);
    setTimeout(() => response.end(), lingerMs);
  }

  /** Sends what is made meanwhile. When that fails the connection is cut: a half must not look whole. */
  async sendDownload(exchange: Exchange, download: Download, caller: Connection): Promise<void> {
    const { response, requestId } = exchange;
    const headers = ["Content-Type", download.contentType];
    if (download.fileName !== undefined) {
      headers.push("Content-Disposition", `attachment; filename="${download.fileName}"`);
    }
    this.#writeHead(exchange, 200, headers, download.headers, false);
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
    { response, requestId, scheme }: Exchange,
    status: number,
    headers: string[],
    more: Record<string, string> | undefined,
    isLast: boolean,
  ): void {
    headers.push("X-Request-Id", requestId, ...fixedHeaders(scheme));
    if (more) headers.push(...Object.entries(more).flat());
    if (isLast || this.closing) headers.push("Connection", "close");
    response.writeHead(status, headers);
  }
}
