// Handlers end slightly before the server expires their commands, so that the operator sees the
// agent's own result.

import { actionTimeoutSeconds, prepareTimeoutSeconds } from "../../domain/limits.ts";
import type { DeliveredCommand } from "../work/commands.ts";

const jumpMs = 5000;

/** The server's clock, as of the latest heartbeat. The agent's own clock may be wrong. */
export class ServerClock {
  /** The differences from the monotonic clock and from the host's clock, in milliseconds. */
  #offsets: { monotonic: number; host: number } | null = null;
  /** The latest end of each delivered command, by `performance.now()`. */
  readonly #ends = new WeakMap<DeliveredCommand, number>();

  /** `sentAt` and `receivedAt` are values of `performance.now()`. */
  observe(serverTime: string, sentAt: number, receivedAt: number): void {
    const monotonic = Date.parse(serverTime) - (sentAt + receivedAt) / 2;
    this.#offsets = { monotonic, host: monotonic + performance.now() - Date.now() };
  }

  /**
   * Returns the server's time in Unix milliseconds; null before the first heartbeat. The later of
   * two clocks counts: the monotonic clock stands still while the host is suspended, and the host's
   * clock can be set back. The result may be too late, so ask the server first if the clock
   * `isDoubtful`.
   */
  now(): number | null {
    if (this.#offsets === null) return null;
    const { monotonic, host } = this.#offsets;
    return Math.max(performance.now() + monotonic, Date.now() + host);
  }

  /** Whether the host was suspended, or its clock was set, since the latest heartbeat. */
  get isDoubtful(): boolean {
    if (this.#offsets === null) return false;
    const { monotonic, host } = this.#offsets;
    return Math.abs(performance.now() + monotonic - Date.now() - host) > jumpMs;
  }

  /**
   * Must be called when a command is delivered. From then on, its remaining time only decreases: if
   * the server's clock is set back, the server moves `expiresAt`, but does not tell the agent. A
   * command that is delivered between such a step and the next heartbeat may expire early.
   */
  delivered(command: DeliveredCommand): void {
    const leftMs = this.leftMs(command);
    // Otherwise, the clock may be wrong, and the next heartbeat corrects it.
    if (leftMs > 0 && !this.isDoubtful) this.#ends.set(command, performance.now() + leftMs);
  }

  /** The time until the command expires, in milliseconds; infinite before the first heartbeat. */
  leftMs(command: DeliveredCommand): number {
    const now = this.now();
    if (now === null) return Number.POSITIVE_INFINITY;
    const end = this.#ends.get(command) ?? Number.POSITIVE_INFINITY;
    return Math.min(Date.parse(command.expiresAt) - now, end - performance.now());
  }
}

export function limitOf({ type }: DeliveredCommand, timeoutSeconds: number | undefined): number {
  return type === "ACTION_PREPARE"
    ? Math.min(timeoutSeconds ?? prepareTimeoutSeconds.default, prepareTimeoutSeconds.max)
    : (timeoutSeconds ?? actionTimeoutSeconds.default);
}

/**
 * Returns the lesser of the action's timeout and the time until the command expires, minus 10 % or
 * 2 s, whichever is less. The result is in milliseconds, and is not positive if the command has
 * expired.
 */
export function timeFor(
  command: DeliveredCommand,
  timeoutSeconds: number | undefined,
  clock: ServerClock,
): number {
  const time = Math.min(limitOf(command, timeoutSeconds) * 1000, clock.leftMs(command));
  return time - Math.min(2000, time * 0.1);
}
