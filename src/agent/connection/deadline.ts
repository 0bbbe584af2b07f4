// How long a command may take here. The server ends a command at its `expiresAt`, by its own clock;
// the agent ends it a little earlier, so that the operator reads what the agent says about it.

import { actionTimeoutSeconds, prepareTimeoutSeconds } from "../../domain/limits.ts";
import type { DeliveredCommand } from "../work/commands.ts";

/** What the server's clock shows, from its latest heartbeat answer: the agent's own may be wrong. */
export class ServerClock {
  #offsetMs: number | null = null;

  /** `sentAt` and `answeredAt` are monotonic milliseconds around the call. */
  observe(serverTime: string, sentAt: number, answeredAt: number): void {
    this.#offsetMs = Date.parse(serverTime) - (sentAt + answeredAt) / 2;
  }

  /** Unix milliseconds; null before the first answer. */
  now(): number | null {
    return this.#offsetMs === null ? null : performance.now() + this.#offsetMs;
  }
}

/** How long the command may take by its action, in seconds. */
export function limitOf({ type }: DeliveredCommand, timeoutSeconds: number | undefined): number {
  return type === "ACTION_PREPARE"
    ? Math.min(timeoutSeconds ?? prepareTimeoutSeconds.default, prepareTimeoutSeconds.max)
    : (timeoutSeconds ?? actionTimeoutSeconds.default);
}

/**
 * Milliseconds that the handler gets: the action's own time or what is left until `expiresAt`,
 * whichever is less, and 10 % (2 s at most) less than that. Not positive when the command is over.
 */
export function timeFor(
  command: DeliveredCommand,
  timeoutSeconds: number | undefined,
  clock: ServerClock,
): number {
  const now = clock.now();
  const left = now === null ? Number.POSITIVE_INFINITY : Date.parse(command.expiresAt) - now;
  const time = Math.min(limitOf(command, timeoutSeconds) * 1000, left);
  return time - Math.min(2000, time * 0.1);
}
