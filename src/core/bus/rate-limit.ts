// How many events each agent may bring in: a sliding minute on the monotonic clock, in memory. A
// repeated event counts as well: it costs as much.

import { AppError } from "../../domain/errors.ts";
import { RateWindow } from "../memory/rate-window.ts";

const windowSeconds = 60;

/** One event's place in the minute of its agent. */
export interface Place {
  /** Takes it, unless it is taken already. Throws BUS_RATE_LIMITED, with the time to wait. */
  take(agentId: string): void;
  /** The event did not come in after all. */
  giveBack(): void;
}

export class BusIngest {
  readonly #perMinute: number;
  readonly #events: RateWindow;

  constructor(perMinute: number, monotonic: () => number) {
    this.#perMinute = perMinute;
    this.#events = new RateWindow(perMinute, windowSeconds, monotonic);
  }

  newPlace(): Place {
    let takenBy: string | null = null;
    return {
      take: (agentId) => {
        if (takenBy !== null) return;
        const waitMs = this.#events.waitMs(agentId);
        if (waitMs > 0) throw this.#tooMany(waitMs);
        this.#events.note(agentId);
        takenBy = agentId;
      },
      giveBack: () => {
        if (takenBy !== null) this.#events.takeBack(takenBy);
        takenBy = null;
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
