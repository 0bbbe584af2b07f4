// Tracks the state of one open connection. connections.ts decides which clients get one.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The connections of one address. */
export interface AddressConnections {
  count: number;
  /** The connection that has been idle longest comes first. */
  idle: Set<ConnectionSlot>;
}

export type ExceededLimit = "connections" | "connectionsPerAddress";

export class ConnectionSlot {
  /** The limit that the connection exceeds, or null. If it exceeds one, agents are refused. */
  readonly beyond: ExceededLimit | null;
  /** Whether the current response is a stream, which a client may read slowly. */
  isDownload = false;
  /** The socket from which requests are read. Over TLS it is not the accepted socket. */
  socket: Socket;
  readonly #accepted: Socket;
  readonly address: string;
  readonly neighbours: AddressConnections;
  inProgress = 0;
  /** The requests that arrived before earlier responses were sent. */
  readonly waiting: [IncomingMessage, ServerResponse][] = [];
  /** The responses that have not been sent completely, in order. */
  #unsent: ServerResponse[] = [];
  #delivered = 0;
  #deliveredAt = 0;

  constructor(
    socket: Socket,
    address: string,
    neighbours: AddressConnections,
    beyond: ExceededLimit | null,
  ) {
    this.socket = socket;
    this.#accepted = socket;
    this.address = address;
    this.neighbours = neighbours;
    this.beyond = beyond;
  }

  /** Marks the connection as busy: a complete request is in progress. */
  occupy(): void {
    this.neighbours.idle.delete(this);
  }

  /** Marks the connection as idle and moves it to the end of the idle ones. */
  vacate(): void {
    this.neighbours.idle.delete(this);
    this.neighbours.idle.add(this);
  }

  take(response: ServerResponse): void {
    this.inProgress++;
    // An empty array to which a response is pushed would reserve space for 17 elements.
    if (this.#unsent.length === 0) this.#unsent = [response];
    else this.#unsent.push(response);
  }

  async download(sending: Promise<void>): Promise<void> {
    this.isDownload = true;
    await sending.finally(() => {
      this.isDownload = false;
    });
  }

  get oldestResponse(): ServerResponse | undefined {
    const unsent = this.#unsent;
    while (unsent[0]?.writableFinished) unsent.shift();
    return unsent[0];
  }

  get unreadBytes(): number {
    return this.#unsent.reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  /** Includes requests that are waiting and requests whose responses are being sent. */
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
 * Returns how many bytes the system has accepted, as Node counts them for its timeouts. A TLS
 * socket cannot be used for this, because its count changes only after a whole write.
 */
function deliveredBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
