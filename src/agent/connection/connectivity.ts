import { Untrusted } from "../../client/unreachable.ts";
import { Bell } from "../bell.ts";
import type { Emit } from "../events/events.ts";
import { messageOf } from "./errors.ts";
import { isCode } from "./failures.ts";

/** A caller that repeats its call until it succeeds. */
export type Caller = object;

export class Connectivity {
  readonly #emit: Emit;
  readonly #found = new Bell();
  #lostAt: number | null = null;
  /** The start of the outage that `connection.lost` reported; null after `connection.restored`. */
  #emittedAt: number | null = null;
  /**
   * The callers whose calls the server refuses with UNAVAILABLE. While there are any, the
   * connection does not count as restored, even if other calls succeed (as when the server's disk
   * is full).
   */
  readonly #refused = new Set<Caller>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  get isLost(): boolean {
    return this.#lostAt !== null;
  }

  lost(error: unknown, caller?: Caller): void {
    if (caller && isCode(error, "UNAVAILABLE")) this.#refused.add(caller);
    if (this.#lostAt !== null) return;
    this.#lostAt = performance.now();
    if (this.#emittedAt !== null) return;
    this.#emittedAt = this.#lostAt;
    const hint = error instanceof Untrusted ? "; set `ca` to the server's CA" : "";
    this.#emit("warn", `The server does not respond: ${messageOf(error)}${hint}`, {
      type: "connection.lost",
    });
  }

  /** Returns whether the connection was lost before this call. */
  found(caller?: Caller): boolean {
    if (caller) this.#refused.delete(caller);
    const wasLost = this.#lostAt !== null;
    this.#lostAt = null;
    if (wasLost) this.#found.ring();
    if (this.#emittedAt === null || this.#refused.size > 0) return wasLost;
    const afterMs = Math.round(performance.now() - this.#emittedAt);
    this.#emittedAt = null;
    this.#emit("info", "The server responds again.", { type: "connection.restored", afterMs });
    return wasLost;
  }

  /** The caller no longer repeats its call. */
  gaveUp(caller: Caller): void {
    this.#refused.delete(caller);
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#found.wait(signal, ms);
  }

  async whenFound(signal: AbortSignal): Promise<void> {
    if (this.isLost) await this.#found.wait(signal);
  }
}
