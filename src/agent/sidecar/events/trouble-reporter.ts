// Emits each kind of problem once, and emits when forwarding works again.

import { messageOf } from "../../connection/errors.ts";
import type { Emit } from "../../events/events.ts";
import { delayAfter, type ForwardingTiming, Trouble, troubleCodeOf } from "./forwarding-trouble.ts";

export class TroubleReporter {
  readonly #serviceCode: string;
  readonly #timing: ForwardingTiming;
  readonly #emit: Emit;
  readonly #emitted = new Set<string>();
  #failures = 0;
  #since = 0;

  constructor(serviceCode: string, timing: ForwardingTiming, emit: Emit) {
    this.#serviceCode = serviceCode;
    this.#timing = timing;
    this.#emit = emit;
  }

  /** Returns the delay before the next attempt in milliseconds. */
  failed(error: unknown): number {
    if (this.#failures++ === 0) this.#since = performance.now();
    const delayMs = delayAfter(error, this.#failures, this.#timing);
    const code = troubleCodeOf(error);
    if (!this.#emitted.has(code)) this.#emitFailed(code, error, delayMs);
    return delayMs;
  }

  over(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#emitted.clear();
    const serviceCode = this.#serviceCode;
    const afterMs = Math.round(performance.now() - this.#since);
    const message = `Events of ${serviceCode} are forwarded again.`;
    this.#emit("info", message, { type: "bus.restored", serviceCode, afterMs });
  }

  #emitFailed(code: string, error: unknown, delayMs: number): void {
    this.#emitted.add(code);
    const serviceCode = this.#serviceCode;
    const message = `Events of ${serviceCode} cannot be forwarded: ${messageOf(error)}`;
    // A service may be unavailable for a while, but an operator must fix an error from the server.
    const level = error instanceof Trouble ? "warn" : "error";
    this.#emit(level, message, { type: "bus.failed", serviceCode, code, delayMs });
  }
}
