// How many events each agent may bring in: a sliding minute on the monotonic clock, in memory. A
// repeated event counts as well: it costs as much.

import { AppError } from "../../domain/errors.ts";
import { RateWindow } from "../memory/rate-window.ts";

const windowSeconds = 60;

/** One event's place in the minute of its agent. */
export interface Reservation {
  /** Takes it, unless it is taken already. Throws BUS_RATE_LIMITED, with the time to wait. */
  take(agentId: string): void;
  /** The event did not come in after all. */
  giveBack(): void;
}

export class EventRateLimit {
  readonly #perMinute: number;
  readonly #events: RateWindow;

  constructor(perMinute: number, monotonic: () => number) {
    this.#perMinute = perMinute;
    this.#events = new RateWindow(perMinute, windowSeconds, monotonic);
  }

  reserve(): Reservation {
    let heldBy: string | null = null;
    return {
      take: (agentId) => {
        if (heldBy !== null) return;
        const waitMs = this.#events.waitMs(agentId);
        if (waitMs > 0) throw this.#tooMany(waitMs);
        this.#events.note(agentId);
        heldBy = agentId;
      },
      giveBack: () => {
        if (heldBy !== null) this.#events.takeBack(heldBy);
        heldBy = null;
      },
    };
  }

  isFull(agentId: string): boolean {
    return this.#events.waitMs(agentId) > 0;
  }

  #tooMany(waitMs: number): AppError {
    return new AppError(
      "BUS_RATE_LIMITED",
      `The agent has published as much as it may in a minute (${this.#perMinute}): try again later.`,
      { details: { perMinute: this.#perMinute }, retryAfterSeconds: waitMs / 1000 },
    );
  }
}
