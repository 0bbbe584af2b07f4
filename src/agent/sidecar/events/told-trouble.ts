// What an operator hears of trouble with a service's events: each kind once, and when it is over.

import { messageOf } from "../../connection/errors.ts";
import type { Emit } from "../../events/events.ts";
import { delayAfter, type ForwardingTiming, Trouble, troubleCodeOf } from "./forwarding-trouble.ts";

export class ToldTrouble {
  readonly #serviceCode: string;
  readonly #timing: ForwardingTiming;
  readonly #emit: Emit;
  readonly #told = new Set<string>();
  #failures = 0;
  #since = 0;

  constructor(serviceCode: string, timing: ForwardingTiming, emit: Emit) {
    this.#serviceCode = serviceCode;
    this.#timing = timing;
    this.#emit = emit;
  }

  /** It went wrong. Answers after how many milliseconds to try again. */
  failed(error: unknown): number {
    if (this.#failures++ === 0) this.#since = performance.now();
    const delayMs = delayAfter(error, this.#failures, this.#timing);
    const code = troubleCodeOf(error);
    if (!this.#told.has(code)) this.#tell(code, error, delayMs);
    return delayMs;
  }

  /** It went well. */
  over(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#told.clear();
    const serviceCode = this.#serviceCode;
    const afterMs = Math.round(performance.now() - this.#since);
    const message = `Events of ${serviceCode} are forwarded again.`;
    this.#emit("info", message, { type: "bus.restored", serviceCode, afterMs });
  }

  #tell(code: string, error: unknown, delayMs: number): void {
    this.#told.add(code);
    const serviceCode = this.#serviceCode;
    const message = `Events of ${serviceCode} are not forwarded now: ${messageOf(error)}`;
    // A service may be away for a while; what the server does not want, somebody has to mend.
    const level = error instanceof Trouble ? "warn" : "error";
    this.#emit(level, message, { type: "bus.failed", serviceCode, code, delayMs });
  }
}
