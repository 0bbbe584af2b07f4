// The state of one open connection: its address, its requests in progress, and how much of its
// responses the client has read. connections.ts decides which clients get a connection and which
// lose theirs.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The connections of one address. */
export interface Neighbours {
  count: number;
  /** The idle connections, with the longest idle one first. */
  idle: Set<Seat>;
}

/** One open connection. */
export class Seat {
  /** Whether the connection is one of those reserved for operators, so agents are refused. */
  readonly isForOperators: boolean;
  /** Whether the current response is a stream, which is sent as fast as the client reads. */
  isDownload = false;
  /** The socket of the requests. Over TLS it is not the accepted socket. */
  socket: Socket;
  readonly #accepted: Socket;
  readonly address: string;
  readonly neighbours: Neighbours;
  /** The number of requests that are being handled. */
  inProgress = 0;
  /** Requests that arrived while earlier responses were being sent. */
  readonly waiting: [IncomingMessage, ServerResponse][] = [];
  /** Responses that have not been sent completely, in order. */
  #unsent: ServerResponse[] = [];
  #delivered = 0;
  #deliveredAt = 0;

  constructor(socket: Socket, address: string, neighbours: Neighbours, isForOperators: boolean) {
    this.socket = socket;
    this.#accepted = socket;
    this.address = address;
    this.neighbours = neighbours;
    this.isForOperators = isForOperators;
  }

  /** Notes that a request from a known caller is in progress. */
  occupy(): void {
    this.neighbours.idle.delete(this);
  }

  /**
   * Notes that no request is in progress. The connection becomes the last in the order of idle
   * ones.
   */
  vacate(): void {
    this.neighbours.idle.delete(this);
    this.neighbours.idle.add(this);
  }

  /** Counts a request that is about to be handled. */
  take(response: ServerResponse): void {
    this.inProgress++;
    this.#unsent.push(response);
  }

  /** Notes that the current response is a download until `sending` ends. */
  async download(sending: Promise<void>): Promise<void> {
    this.isDownload = true;
    await sending.finally(() => {
      this.isDownload = false;
    });
  }

  /** The oldest response that has not been sent completely. */
  get oldestResponse(): ServerResponse | undefined {
    const unsent = this.#unsent;
    while (unsent[0]?.writableFinished) unsent.shift();
    return unsent[0];
  }

  /** The number of unread bytes of all responses. */
  get unreadBytes(): number {
    return this.#unsent.reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  /**
   * The number of requests that are waiting or being handled, or whose responses are being sent.
   */
  get inFlight(): number {
    return this.#unsent.length + this.waiting.length;
  }

  /** How long the client has read nothing although there is something to read. */
  stalledForMs(now: number): number {
    const delivered = this.socket.writableLength === 0 ? -1 : deliveredBytes(this.#accepted);
    if (delivered === -1 || delivered !== this.#delivered) this.#deliveredAt = now;
    this.#delivered = delivered;
    return now - this.#deliveredAt;
  }
}

/**
 * Returns the number of bytes that the system has accepted, including those of an unfinished
 * write. Node uses the same fields for its timeouts. They are the accepted socket's fields,
 * because those of a TLS socket do not change until a whole write ends.
 */
function deliveredBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
