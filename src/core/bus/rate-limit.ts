// Limits the events of each agent per minute. Duplicates count, because they cost as much as new
// events.

import { AppError } from "../../domain/errors.ts";
import { RateWindow } from "../limits/rate-window.ts";

const windowSeconds = 60;

/** One event's place within its agent's limit. */
export interface Reservation {
  /** Takes the place; further calls do nothing. Throws BUS_RATE_LIMITED. */
  take(agentId: string): void;
  /** Gives the place back if the event was neither accepted nor refused. */
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
        this.requireRoom(agentId);
        this.#events.note(agentId);
        heldBy = agentId;
      },
      giveBack: () => {
        if (heldBy !== null) this.#events.takeBack(heldBy);
        heldBy = null;
      },
    };
  }

  /** Throws BUS_RATE_LIMITED if the agent has reached its limit. Does not count an event. */
  requireRoom(agentId: string): void {
    const waitMs = this.#events.waitMs(agentId);
    if (waitMs <= 0) return;
    throw new AppError(
      "BUS_RATE_LIMITED",
      `The agent has reached its limit of ${this.#perMinute} events per minute: try again later.`,
      { details: { perMinute: this.#perMinute }, retryAfterSeconds: waitMs / 1000 },
    );
  }
}
