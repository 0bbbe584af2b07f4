// Ends a listener. First, each response closes its connection. Then the listener closes, and
// finally all remaining connections.

import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Sender } from "./sender.ts";

/** How long the listener can take to drain and stop. The whole shutdown must take at most 10 s. */
const shutdownMs = 8_000;
/** How long the last responses can take before all connections are closed. */
const lastResponsesMs = 1_000;

export class Shutdown {
  readonly #server: Server;
  readonly #sender: Sender;
  #inProgress = 0;
  #onIdle = (): void => undefined;
  #drainedMs = 0;

  constructor(server: Server, sender: Sender) {
    this.#server = server;
    this.#sender = sender;
  }

  noteRequest(): void {
    this.#inProgress++;
  }

  /** Must be called once for each request, when nothing more will be done for it. */
  noteEnd(): void {
    this.#inProgress--;
    if (this.#sender.closing && this.#inProgress === 0) this.#onIdle();
  }

  /** See `HttpServer.drain`. */
  async drain(ms: number): Promise<void> {
    if (ms === 0) return;
    this.#drainedMs = ms;
    this.#sender.closing = true;
    await pause(ms);
  }

  /** See `HttpServer.close`. Connections of streams have no request in progress. */
  async close(endStreams: () => void): Promise<void> {
    this.#sender.closing = true;
    endStreams();
    const ended = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const closeAllIn = (ms: number) => setTimeout(() => this.#server.closeAllConnections(), ms);
    const timers = [closeAllIn(shutdownMs - this.#drainedMs)];
    // The clients that remain after this time have sent no request or do not read the response.
    this.#onIdle = () => void timers.push(closeAllIn(lastResponsesMs));
    if (this.#inProgress === 0) this.#onIdle();
    await ended;
    this.#onIdle = () => undefined;
    for (const timer of timers) clearTimeout(timer);
  }
}
