import { type BackoffLimits, backoffMs, jittered } from "../../connection/backoff.ts";
import { codeOf, isAboutContent, isAboutSource } from "../../connection/failures.ts";

type TroubleCode =
  /** The service did not respond, or not in time. */
  | "SERVICE_UNREACHABLE"
  /** The service responded with an HTTP status other than 200 and 204. */
  | "SERVICE_REFUSES"
  /** The service's response is not in the expected format. */
  | "SERVICE_ANSWER_INVALID"
  | "CURSOR_UNUSABLE";

/** An error on the agent's side. `message` is for an operator. */
export class ForwardingTrouble extends Error {
  override readonly name = "ForwardingTrouble";
  readonly code: TroubleCode;
  /** The delay that the service requested with Retry-After. */
  readonly retryAfterMs: number;

  constructor(code: TroubleCode, message: string, retryAfterMs = 0) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface ForwardingTiming {
  backoff: BackoffLimits;
  /** The delay between retries while the server's bus is disabled. */
  busDisabledMs: number;
}

export const usualTiming: ForwardingTiming = {
  backoff: { minMs: 1000, maxMs: 60_000 },
  busDisabledMs: 60_000,
};

/** Returns a delay in milliseconds. `attempt` counts from 1 since the last success. */
export function delayAfter(error: unknown, attempt: number, timing: ForwardingTiming): number {
  if (troubleCodeOf(error) === "CAPSULE_BUS_DISABLED") return jittered(timing.busDisabledMs);
  const waitMs = backoffMs(attempt, timing.backoff);
  return error instanceof ForwardingTrouble ? Math.max(error.retryAfterMs, waitMs) : waitMs;
}

export function troubleCodeOf(error: unknown): string {
  return error instanceof ForwardingTrouble ? error.code : codeOf(error);
}

/**
 * Whether the server may accept the next event, but never this one. A refused source counts only if
 * it is not a service of this agent: the events of its services wait until the server accepts them.
 */
export function isPoison(error: unknown, isOwnSource: boolean): boolean {
  return isAboutContent(error) || (isAboutSource(error) && !isOwnSource);
}
