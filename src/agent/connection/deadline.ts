// How long a handler gets. The server expires a command at `expiresAt` by its own clock. The agent
// ends it slightly earlier, so that the operator sees the agent's result.

import { actionTimeoutSeconds, prepareTimeoutSeconds } from "../../domain/limits.ts";
import type { DeliveredCommand } from "../work/commands.ts";

/** The server's clock, from the latest heartbeat; the agent's own clock may be wrong. */
export class ServerClock {
  #offsetMs: number | null = null;

  /** `sentAt` and `receivedAt` are monotonic milliseconds around the call. */
  observe(serverTime: string, sentAt: number, receivedAt: number): void {
    this.#offsetMs = Date.parse(serverTime) - (sentAt + receivedAt) / 2;
  }

  /** Unix milliseconds; null before the first heartbeat. */
  now(): number | null {
    return this.#offsetMs === null ? null : performance.now() + this.#offsetMs;
  }
}

/** The command's timeout by its action, in seconds. */
export function limitOf({ type }: DeliveredCommand, timeoutSeconds: number | undefined): number {
  return type === "ACTION_PREPARE"
    ? Math.min(timeoutSeconds ?? prepareTimeoutSeconds.default, prepareTimeoutSeconds.max)
    : (timeoutSeconds ?? actionTimeoutSeconds.default);
}

/**
 * The handler's time in milliseconds: the action's timeout or the time until `expiresAt`, whichever
 * is less, minus 10 % (2 s at most). Zero or negative if the command has expired.
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
