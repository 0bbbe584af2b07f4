// What is known of one open connection: from where it is, what is in hand on it, and how far its answers
// have been read. Who gets one, and who loses it, is decided in connections.ts.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The connections of one address. */
export interface Neighbours {
  count: number;
  /** Longest idle first. */
  idle: Set<Seat>;
}

/** One open connection. */
export class Seat {
  /** Beyond the limit: agents are not served here. */
  readonly isForOperators: boolean;
  /** The answer in hand is sent as it is made, as fast as it is read. */
  isDownload = false;
  /** Over TLS this is another than the one that was accepted. */
  socket: Socket;
  readonly #accepted: Socket;
  readonly address: string;
  readonly neighbours: Neighbours;
  /** Requests that are not answered yet. */
  unanswered = 0;
  /** Requests that came before the answers before them had left. */
  readonly waiting: [IncomingMessage, ServerResponse][] = [];
  /** Answers that have not left, in order. */
  #leaving: ServerResponse[] = [];
  #delivered = 0;
  #deliveredAt = 0;

  constructor(socket: Socket, address: string, neighbours: Neighbours, isForOperators: boolean) {
    this.socket = socket;
    this.#accepted = socket;
    this.address = address;
    this.neighbours = neighbours;
    this.isForOperators = isForOperators;
  }

  /** From now on a known caller's request is in hand. */
  occupy(): void {
    this.neighbours.idle.delete(this);
  }

  /** Nothing is in hand any more: it is the one that was idle for the shortest time. */
  vacate(): void {
    this.neighbours.idle.delete(this);
    this.neighbours.idle.add(this);
  }

  /** A request was taken: this will be its answer. */
  take(response: ServerResponse): void {
    this.unanswered++;
    this.#leaving.push(response);
  }

  /** The answer in hand is a download until it has left. */
  async download(sending: Promise<void>): Promise<void> {
    this.isDownload = true;
    await sending.finally(() => {
      this.isDownload = false;
    });
  }

  /** The oldest answer that has not left; undefined when all have. */
  get oldestAnswer(): ServerResponse | undefined {
    const leaving = this.#leaving;
    while (leaving[0]?.writableFinished) leaving.shift();
    return leaving[0];
  }

  /** Of all answers. */
  get unreadBytes(): number {
    return this.#leaving.reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  /** Requests that are taken or wait. */
  get inFlight(): number {
    return this.#leaving.length + this.waiting.length;
  }

  /** For how long nothing was read of what waits to be read. */
  stalledForMs(now: number): number {
    const delivered = this.socket.writableLength === 0 ? -1 : deliveredBytes(this.#accepted);
    if (delivered === -1 || delivered !== this.#delivered) this.#deliveredAt = now;
    this.#delivered = delivered;
    return now - this.#deliveredAt;
  }
}

/**
 * What the system has taken, of a write that is under way too; Node looks at it itself for its time-outs.
 * Not of a TLS socket: its count does not move before the whole write is over.
 */
function deliveredBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
