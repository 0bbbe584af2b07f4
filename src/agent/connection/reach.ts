// Whether the server can be reached, and telling when that changes.

import { Untrusted } from "../../client/unreachable.ts";
import { Bell } from "../bell.ts";
import type { Emit } from "../events/events.ts";
import { messageOf } from "./errors.ts";

export class Reach {
  readonly #emit: Emit;
  readonly #found = new Bell();
  #lostAt: number | null = null;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** The latest call found nobody. */
  get isLost(): boolean {
    return this.#lostAt !== null;
  }

  /** A call found nobody. */
  lost(error: unknown): void {
    if (this.#lostAt !== null) return;
    this.#lostAt = performance.now();
    const hint = error instanceof Untrusted ? "; its CA can be given as `ca`" : "";
    this.#emit("warn", `The server does not answer: ${messageOf(error)}${hint}`, {
      type: "connection.lost",
    });
  }

  /** A call was answered. True when the one before was not. */
  found(): boolean {
    if (this.#lostAt === null) return false;
    const afterMs = Math.round(performance.now() - this.#lostAt);
    this.#lostAt = null;
    this.#emit("info", "The server answers again.", { type: "connection.restored", afterMs });
    this.#found.ring();
    return true;
  }

  /** Resolves when the server is found again, after `ms`, or when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#found.wait(signal, ms);
  }
}
