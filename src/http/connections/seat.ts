// The state of one open connection: its address, its requests in progress, and how much of its responses the client
// has read. connections.ts decides who gets and who loses one.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The connections of one address. */
export interface Neighbours {
  count: number;
  /** The longest idle first. */
  idle: Set<Seat>;
}

/** One open connection. */
export class Seat {
  /** Beyond the limit, so agents are refused. */
  readonly isForOperators: boolean;
  /** The current response is a stream, sent as fast as the client reads. */
  isDownload = false;
  /** Over TLS this is not the accepted socket. */
  socket: Socket;
  readonly #accepted: Socket;
  readonly address: string;
  readonly neighbours: Neighbours;
  /** Requests that are being handled. */
  inProgress = 0;
  /** Requests that arrived while earlier responses were being sent. */
  readonly waiting: [IncomingMessage, ServerResponse][] = [];
  /** Responses that are not completely sent, in order. */
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

  /** A request of a known caller is in progress. */
  occupy(): void {
    this.neighbours.idle.delete(this);
  }

  /** No request is in progress: it is now the last in the order of idle connections. */
  vacate(): void {
    this.neighbours.idle.delete(this);
    this.neighbours.idle.add(this);
  }

  /** Counts a request that is about to be handled. */
  take(response: ServerResponse): void {
    this.inProgress++;
    this.#unsent.push(response);
  }

  /** The current response is a download until `sending` ends. */
  async download(sending: Promise<void>): Promise<void> {
    this.isDownload = true;
    await sending.finally(() => {
      this.isDownload = false;
    });
  }

  /** The oldest response that is not completely sent. */
  get oldestResponse(): ServerResponse | undefined {
    const unsent = this.#unsent;
    while (unsent[0]?.writableFinished) unsent.shift();
    return unsent[0];
  }

  /** The unread bytes of all responses. */
  get unreadBytes(): number {
    return this.#unsent.reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  /** Requests that are waiting, being handled, or whose responses are being sent. */
  get inFlight(): number {
    return this.#unsent.length + this.waiting.length;
  }

  /** For how long the client has read nothing although there is something to read. */
  stalledForMs(now: number): number {
    const delivered = this.socket.writableLength === 0 ? -1 : deliveredBytes(this.#accepted);
    if (delivered === -1 || delivered !== this.#delivered) this.#deliveredAt = now;
    this.#delivered = delivered;
    return now - this.#deliveredAt;
  }
}

/**
 * The bytes that the system has accepted, including those of an unfinished write. Node uses the same fields for its
 * timeouts. They are of the accepted socket, because those of a TLS socket do not change before a whole write ends.
 */
function deliveredBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
