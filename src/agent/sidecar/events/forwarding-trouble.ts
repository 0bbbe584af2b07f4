// Why events of a service are not forwarded now, whether that is about one event or about all of
// them, and how long to wait.

import { ServerError } from "../../../client/failures.ts";
import { AppError, type ErrorCode } from "../../../domain/errors.ts";
import { type BackoffLimits, backoffMs, jittered } from "../../connection/backoff.ts";
import { codeOf } from "../../connection/failures.ts";

export type TroubleCode =
  /** Nobody answers, or not in time. */
  | "SERVICE_UNREACHABLE"
  /** The service answers, but not with events: 404, 429, 500. */
  | "SERVICE_REFUSES"
  /** What it answers cannot be understood. */
  | "SERVICE_ANSWER_INVALID"
  /** The file with the place up to which events were forwarded cannot be read or written. */
  | "CURSOR_UNUSABLE";

/** On this side of the server. `message` is a sentence for an operator. */
export class Trouble extends Error {
  override readonly name = "Trouble";
  readonly code: TroubleCode;
  /** The service wants to be left alone so long. */
  readonly retryAfterMs: number;

  constructor(code: TroubleCode, message: string, retryAfterMs = 0) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface ForwardingTiming {
  /** Between tries while something is wrong. */
  backoff: BackoffLimits;
  /** Between tries while the server's bus is switched off. */
  busDisabledMs: number;
}

export const usualTiming: ForwardingTiming = {
  backoff: { minMs: 1000, maxMs: 60_000 },
  busDisabledMs: 60_000,
};

/** `attempt` counts from 1 since it last went well. */
export function delayAfter(error: unknown, attempt: number, timing: ForwardingTiming): number {
  if (troubleCodeOf(error) === "CAPSULE_BUS_DISABLED") return jittered(timing.busDisabledMs);
  const waitMs = backoffMs(attempt, timing.backoff);
  return error instanceof Trouble ? Math.max(error.retryAfterMs, waitMs) : waitMs;
}

export function troubleCodeOf(error: unknown): string {
  return error instanceof Trouble ? error.code : codeOf(error);
}

const ofTheEvent: ReadonlySet<ErrorCode> = new Set([
  "VALIDATION_FAILED",
  "INVALID_JSON",
  "INVALID_REQUEST",
  "PAYLOAD_TOO_LARGE",
  "BUS_DEPTH_EXCEEDED",
]);
const ofTheSource: ReadonlySet<ErrorCode> = new Set([
  "BUS_SOURCE_NOT_FOUND",
  "CAPSULE_SOURCE_FORBIDDEN",
]);

/**
 * The server will never take this event, but may take the next one. That its source is not taken is
 * about the event only when that is another than the service: the service itself is reported again,
 * and its events wait for that.
 */
export function isPoison(error: unknown, isOwnSource: boolean): boolean {
  if (error instanceof AppError) {
    return ofTheEvent.has(error.code) || (!isOwnSource && ofTheSource.has(error.code));
  }
  // A code that is newer than we are.
  return error instanceof ServerError && [400, 413, 422].includes(error.status);
}
