// The other end of a response, for calls that are held open.

import type { ServerResponse } from "node:http";
import type { Caller } from "../../core/caller.ts";

export class Connection implements Caller {
  /** How long the call was held open without work. */
  heldMs = 0;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get gone(): boolean {
    return this.#response.destroyed || this.#response.socket?.destroyed === true;
  }

  onGone(listener: () => void): () => void {
    this.#response.once("close", listener);
    return () => this.#response.off("close", listener);
  }

  noteHeld(ms: number): void {
    this.heldMs += ms;
  }
}
