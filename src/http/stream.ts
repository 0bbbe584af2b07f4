// Implements the WebSockets of the live stream. core/system/stream.ts sends the messages.

import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { stream } from "../api/stream.ts";
import type { Caller, StreamEnd, StreamOutput } from "../core/caller.ts";
import { AppError } from "../domain/errors.ts";
import { streamLimits } from "../domain/limits.ts";
import { lingerMs } from "./connections/linger.ts";

type Closing = StreamEnd | "tooSlow" | "spoke";

const closings: Record<Closing, [code: number, reason: string]> = {
  sessionEnded: [1008, "the session has ended"],
  apiKeyEnded: [1008, "the API key has ended"],
  stopping: [1001, "the server is stopping"],
  rowsLost: [1012, "the database has lost audit rows"],
  tooSlow: [1013, "too slow"],
  spoke: [1003, "this stream accepts no messages"],
};

/** Handles the request like any other, and calls `guest.open` if the response is 101. */
type HandleUpgrade = (response: ServerResponse, guest: StreamClient) => void;

/** Other upgrades are ignored, because some clients offer one (to HTTP/2) with every request. */
export function isStreamUpgrade(request: IncomingMessage): boolean {
  const { headers, url = "" } = request;
  return (
    request.method === "GET" &&
    request.httpVersion === "1.1" &&
    headers.host !== undefined &&
    headers["content-length"] === undefined &&
    headers["transfer-encoding"] === undefined &&
    url.split("?", 1)[0] === stream["stream.open"].path
  );
}

/**
 * Handles the upgrades that `isStreamUpgrade` accepts. The returned function ends every stream
 * within a second, including streams that are being opened.
 */
export function attachStreams(server: Server, handle: HandleUpgrade): () => void {
  const guests = new Set<StreamClient>();
  let pinging: NodeJS.Timeout | undefined;
  let closed = false;

  function enter(guest: StreamClient): void {
    guests.add(guest);
    pinging ??= setInterval(() => {
      for (const each of guests) each.ping();
    }, streamLimits.pingSeconds * 1000);
    guest.onGone(() => {
      guests.delete(guest);
      if (guests.size > 0) return;
      clearInterval(pinging);
      pinging = undefined;
    });
    if (closed) guest.end("stopping");
  }

  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // The server no longer handles this socket's errors, and an unhandled one would end the
    // process.
    socket.on("error", () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // An earlier request on this connection still waits for its response.
      socket.destroy();
      return;
    }
    response.once("finish", () => {
      socket.end();
      socket.resume();
      setTimeout(() => socket.destroy(), lingerMs);
    });
    handle(response, new StreamClient(response, head, enter));
  });
  return () => {
    closed = true;
    for (const guest of guests) guest.end("stopping");
  };
}

const webSocketOptions = {
  noServer: true,
  clientTracking: false,
  // Browsers ask for compression. The messages resemble each other, so a small window is enough,
  // and each stream needs only 32 KiB. They contain no secrets that compressed sizes could reveal.
  perMessageDeflate: {
    serverMaxWindowBits: 12,
    clientNoContextTakeover: true,
    zlibDeflateOptions: { memLevel: 5 },
    threshold: 128,
  },
  // The `ping` listener sends pongs instead, and only while the client reads them.
  autoPong: false,
  maxPayload: streamLimits.maxIncomingBytes,
  // The library's types lack this option, so an inline object would not compile.
  closeTimeout: streamLimits.closingSeconds * 1000,
};

const webSockets = new WebSocketServer(webSocketOptions);

export class StreamClient implements Caller, StreamOutput {
  readonly #response: ServerResponse;
  readonly #head: Buffer;
  readonly #enter: (guest: StreamClient) => void;
  readonly #goneListeners = new Set<() => void>();
  #webSocket: WebSocket | null = null;
  #ended: Closing | null = null;
  #answersPings = true;

  constructor(response: ServerResponse, head: Buffer, enter: (guest: StreamClient) => void) {
    this.#response = response;
    this.#head = head;
    this.#enter = enter;
    response.req.socket.once("close", () => this.#leave());
  }

  get outlet(): StreamOutput {
    return this;
  }

  get gone(): boolean {
    return this.#ended !== null || this.#response.req.socket.destroyed;
  }

  onGone(listener: () => void): () => void {
    this.#goneListeners.add(listener);
    return () => this.#goneListeners.delete(listener);
  }

  /** Performs the handshake. Throws INVALID_REQUEST if the request violates the protocol. */
  open(requestId: string): void {
    const { req: request } = this.#response;
    const addHeader = (headers: string[]) => void headers.push(`X-Request-Id: ${requestId}`);
    let refusal: Error | null = null;
    const onRefused = (error: Error) => {
      refusal = error;
    };
    webSockets.once("headers", addHeader).once("wsClientError", onRefused);
    webSockets.handleUpgrade(request, request.socket, this.#head, (webSocket) => {
      this.#take(webSocket);
    });
    webSockets.off("headers", addHeader).off("wsClientError", onRefused);
    if (refusal === null) return;
    this.#leave();
    this.#response.setHeader("Sec-WebSocket-Version", "13");
    const { message } = refusal as Error;
    throw new AppError("INVALID_REQUEST", `This is not a WebSocket handshake: ${message}.`);
  }

  #take(webSocket: WebSocket): void {
    this.#response.detachSocket(this.#response.req.socket);
    this.#webSocket = webSocket;
    // On a protocol error, the library sends the reason to the client and closes the socket.
    webSocket.on("error", () => undefined);
    webSocket.on("message", () => this.end("spoke"));
    webSocket.on("pong", () => {
      this.#answersPings = true;
    });
    webSocket.on("ping", (data) => {
      if (this.#keepsUp()) webSocket.pong(data);
    });
    this.#enter(this);
    if (this.#ended) webSocket.close(...closings[this.#ended]);
  }

  send(message: Uint8Array): void {
    if (this.#keepsUp()) this.#webSocket?.send(message, { binary: false });
  }

  end(why: Closing): void {
    if (this.#ended) return;
    this.#ended = why;
    this.#webSocket?.close(...closings[why]);
    this.#leave();
  }

  /** Disconnects a client that did not answer the previous ping. */
  ping(): void {
    if (!this.#answersPings) this.#webSocket?.terminate();
    else if (this.#keepsUp()) {
      this.#answersPings = false;
      this.#webSocket?.ping();
    }
  }

  /** Disconnects a client that is too far behind, and returns false. */
  #keepsUp(): boolean {
    const webSocket = this.#webSocket;
    if (webSocket?.readyState !== WebSocket.OPEN) return false;
    if (webSocket.bufferedAmount <= streamLimits.maxBufferedBytes) return true;
    this.end("tooSlow");
    return false;
  }

  #leave(): void {
    for (const listener of this.#goneListeners) listener();
    this.#goneListeners.clear();
  }
}
