// A keep-alive socket with one outstanding request. The load generator must use less CPU than the
// server, so it sends prepared bytes and reads responses into a buffer that connections share.

import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { AnswerReader, endOfHead, statusOf } from "./answer-reader.ts";

/** The bytes are valid until the next call. Returns null if there are no more requests. */
export type NextRequest = () => Buffer | null;

export interface Reply {
  status: number;
  body: string;
  /** A value of `performance.now()`. */
  at: number;
}

export class Connection {
  readonly #socket: Socket;
  readonly #buffer: Buffer;
  readonly #reader = new AnswerReader();
  readonly #opened = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #onBytes: (bytes: Buffer, size: number) => void = () => {};
  #onFailure: (error: Error) => void = () => {};
  #next: NextRequest = () => null;
  #onAnswer: (latencyMs: number) => void = () => {};
  #sentAt = 0;
  #done = false;

  /** Connections can share `buffer`, because no data stays in it between reads. */
  static async open(port: number, buffer: Buffer): Promise<Connection> {
    const connection = new Connection(port, buffer);
    await connection.#opened.promise;
    return connection;
  }

  private constructor(port: number, buffer: Buffer) {
    this.#buffer = buffer;
    this.#socket = connect({
      host: "127.0.0.1",
      port,
      noDelay: true,
      onread: { buffer, callback: (size) => this.#read(size) },
    });
    this.#socket.once("connect", () => this.#opened.resolve());
    this.#socket.once("error", (error) => {
      this.#opened.reject(error);
      this.#closed.reject(error);
      this.#onFailure(error);
    });
    this.#socket.once("close", () => {
      if (this.#done) this.#closed.resolve();
      else this.#closed.reject(closedEarly());
      this.#onFailure(closedEarly());
    });
    this.#closed.promise.catch(() => {}); // the caller of run() handles the error
  }

  /** Sends requests until `next` returns null. Throws on the first response that is not 2xx. */
  run(next: NextRequest, onAnswer: (latencyMs: number) => void): Promise<void> {
    this.#next = next;
    this.#onAnswer = onAnswer;
    this.#onBytes = (bytes, size) => this.#answered(bytes, size);
    this.#send(performance.now());
    return this.#closed.promise;
  }

  /** Sends one request, which must not overlap another, and returns any response. */
  ask(request: Buffer): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      if (this.#socket.destroyed) throw closedEarly();
      this.#onFailure = reject;
      this.#onBytes = (bytes, size) => {
        const at = performance.now();
        const headEnd = bytes.indexOf(endOfHead) + endOfHead.length;
        resolve({ status: statusOf(bytes), body: bytes.toString("utf8", headEnd, size), at });
      };
      this.#socket.write(request);
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #send(now: number): void {
    const request = this.#next();
    if (request) {
      this.#sentAt = now;
      this.#socket.write(request);
    } else {
      this.#done = true;
      this.#socket.end();
    }
  }

  #read(size: number): true {
    try {
      const answer = this.#reader.read(this.#buffer, size);
      if (answer) this.#onBytes(answer.bytes, answer.size);
    } catch (error) {
      this.#socket.destroy(error as Error);
    }
    return true;
  }

  #answered(bytes: Buffer, size: number): void {
    const status = statusOf(bytes);
    if (status < 200 || status > 299) {
      throw new Error(`The server responded with an error:\n${bytes.toString("latin1", 0, size)}`);
    }
    const now = performance.now();
    this.#onAnswer(now - this.#sentAt);
    this.#send(now);
  }
}

function closedEarly(): Error {
  return new Error("The server closed a connection.");
}
