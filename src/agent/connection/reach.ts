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

  get isLost(): boolean {
    return this.#lostAt !== null;
  }

  lost(error: unknown): void {
    if (this.#lostAt !== null) return;
    this.#lostAt = performance.now();
    const hint = error instanceof Untrusted ? "; set `ca` to the server's CA" : "";
    this.#emit("warn", `The server does not respond: ${messageOf(error)}${hint}`, {
      type: "connection.lost",
    });
  }

  /** Returns whether the previous call did not reach the server. */
  found(): boolean {
    if (this.#lostAt === null) return false;
    const afterMs = Math.round(performance.now() - this.#lostAt);
    this.#lostAt = null;
    this.#emit("info", "The server responds again.", { type: "connection.restored", afterMs });
    this.#found.ring();
    return true;
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#found.wait(signal, ms);
  }
}
