// Limits the calls that carry command output, so that they cannot delay results. Each agent has a
// rate limit, and only a few calls are stored at the same time.

import { commandOutput, type LimitName } from "../../domain/limits.ts";
import { Slots } from "../../lib/slots.ts";
import type { LimitWatch } from "../limits/limit-watch.ts";
import { RateWindow, tooMany } from "../limits/rate-window.ts";

/** Unless the storage is slow, a slot is free within milliseconds. */
const retryMs = 1000;

const limit: LimitName = "commandOutput";

export class OutputIntake {
  readonly #limitWatch: LimitWatch;
  readonly #calls: RateWindow;
  readonly #slots = new Slots(commandOutput.storedAtOnce);
  #inside = 0;

  constructor(limitWatch: LimitWatch, monotonic: () => number) {
    const { calls, seconds } = commandOutput.callsPerAgent;
    this.#limitWatch = limitWatch;
    this.#calls = new RateWindow(calls, seconds, monotonic);
  }

  /** Runs `store` when a slot is free. Throws RATE_LIMITED. */
  async take<T>(agentId: string, store: () => Promise<T>): Promise<T> {
    const isFull = this.#inside >= commandOutput.storedAtOnce + commandOutput.mostWaiting;
    const waitMs = isFull ? retryMs : this.#calls.waitMs(agentId);
    if (waitMs > 0) {
      this.#limitWatch.note(limit, { agentId });
      throw tooMany("calls with command output", waitMs);
    }
    this.#calls.note(agentId);
    this.#inside++;
    try {
      return await this.#slots.run(store);
    } finally {
      this.#inside--;
    }
  }
}
