// WebSockets: how a request for one becomes one, and how it ends. Who may have it is decided at the
// one door, like everything else; what is sent through it comes from core/system/stream.ts.

import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { stream } from "../api/stream.ts";
import type { Caller, Outlet, StreamEnd } from "../core/caller.ts";
import { AppError } from "../domain/errors.ts";
import { streamLimits } from "../domain/limits.ts";
import { lingerMs } from "./connections/linger.ts";

type Closing = StreamEnd | "tooSlow" | "spoke";

const closings: Record<Closing, [code: number, reason: string]> = {
  sessionEnded: [1008, "the session has ended"],
  apiKeyEnded: [1008, "the API key has ended"],
  stopping: [1001, "the server is stopping"],
  tooSlow: [1013, "too slow"],
  spoke: [1003, "this stream takes no messages"],
};

/** Handles a request like any other; on 101 it calls `guest.open`. */
type HandleUpgrade = (
  request: IncomingMessage,
  response: ServerResponse,
  guest: StreamGuest,
) => void;

interface Streams {
  /** Ends every stream, within a second, and those that are being opened. */
  close(): void;
}

/**
 * Whether to take a request out of HTTP. All else is answered as if it had asked for no upgrade: some
 * clients offer one (to HTTP/2) with every request.
 */
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

/** Takes the upgrades that `isStreamUpgrade` lets through on this server. */
export function attachStreams(server: Server, handle: HandleUpgrade): Streams {
  const guests = new Set<StreamGuest>();
  let pinging: NodeJS.Timeout | undefined;
  let closed = false;

  function enter(guest: StreamGuest): void {
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
    // The server has let go of it: without a listener an error would end the process.
    socket.on("error", () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // An earlier request on this connection has no answer yet.
      socket.destroy();
      return;
    }
    response.once("finish", () => {
      socket.end();
      socket.resume();
      setTimeout(() => socket.destroy(), lingerMs);
    });
    handle(request, response, new StreamGuest(request, response, head, enter));
  });
  return {
    close() {
      closed = true;
      for (const guest of guests) guest.end("stopping");
    },
  };
}

const webSocketOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  // Answers to pings are counted against the buffer like everything else.
  autoPong: false,
  maxPayload: streamLimits.maxIncomingBytes,
  // Newer than the library's types, which would refuse it in place.
  closeTimeout: streamLimits.closingSeconds * 1000,
};

const webSockets = new WebSocketServer(webSocketOptions);

/** One who has asked for a WebSocket, and later the WebSocket itself. */
export class StreamGuest implements Caller, Outlet {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #head: Buffer;
  readonly #enter: (guest: StreamGuest) => void;
  readonly #goneListeners = new Set<() => void>();
  #webSocket: WebSocket | null = null;
  #ended: Closing | null = null;
  #answersPings = true;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    head: Buffer,
    enter: (guest: StreamGuest) => void,
  ) {
    this.#request = request;
    this.#response = response;
    this.#head = head;
    this.#enter = enter;
    request.socket.once("close", () => this.#leave());
  }

  get outlet(): Outlet {
    return this;
  }

  get gone(): boolean {
    return this.#ended !== null || this.#request.socket.destroyed;
  }

  onGone(listener: () => void): () => void {
    this.#goneListeners.add(listener);
    return () => this.#goneListeners.delete(listener);
  }

  /** Shakes hands. Throws INVALID_REQUEST when the request is not what the protocol asks for. */
  open(requestId: string): void {
    const request = this.#request;
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
    throw new AppError("INVALID_REQUEST", `This is no WebSocket handshake: ${message}.`);
  }

  #take(webSocket: WebSocket): void {
    this.#response.detachSocket(this.#request.socket);
    this.#webSocket = webSocket;
    // What breaks the protocol is closed by the library; the reason went to the client.
    webSocket.on("error", () => undefined);
    webSocket.on("message", () => this.#close("spoke"));
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

  end(why: StreamEnd): void {
    this.#close(why);
  }

  /** Asks whether the other end is there, and hangs up when it did not answer the last time. */
  ping(): void {
    if (!this.#answersPings) this.#webSocket?.terminate();
    else if (this.#keepsUp()) {
      this.#answersPings = false;
      this.#webSocket?.ping();
    }
  }

  /** Whether more may be sent; one who is too far behind is dropped. */
  #keepsUp(): boolean {
    const webSocket = this.#webSocket;
    if (webSocket?.readyState !== WebSocket.OPEN) return false;
    if (webSocket.bufferedAmount <= streamLimits.maxBufferedBytes) return true;
    this.#close("tooSlow");
    return false;
  }

  #close(why: Closing): void {
    if (this.#ended) return;
    this.#ended = why;
    this.#webSocket?.close(...closings[why]);
    this.#leave();
  }

  #leave(): void {
    for (const listener of this.#goneListeners) listener();
    this.#goneListeners.clear();
  }
}
