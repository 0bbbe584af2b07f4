import type { ServerResponse } from "node:http";
import type { Caller } from "../core/caller.ts";

export class HttpCaller implements Caller {
  heldMs = 0; // how long the call has waited
  credential: string | null = null; // set after the authentication
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get gone(): boolean {
    return this.#response.destroyed || this.#response.socket?.destroyed === true;
  }

  onGone(listener: () => void): () => void {
    this.#response.on("close", listener);
    return () => this.#response.off("close", listener);
  }

  noteHeld(ms: number): void {
    this.heldMs += ms;
  }
}
