// Classifies failed calls: retry, wait until the server accepts the agent, or give up.

import { ServerError } from "../../client/failures.ts";
import { Unreachable } from "../../client/unreachable.ts";
import { AppError } from "../../domain/errors.ts";
import { AgentError } from "./errors.ts";

/**
 * Whether the call did not reach the server: there was no response, or a proxy responded in the
 * server's place.
 */
export function isAway(error: unknown): boolean {
  return error instanceof Unreachable || isCode(error, "UNAVAILABLE");
}

/** Whether the server refuses the agent, so that every call fails until an operator acts. */
export function isRefusal(error: unknown): error is AppError {
  return isCode(error, "UNAUTHORIZED") || isCode(error, "AGENT_DISABLED");
}

/** Whether the same call may succeed later. */
export function isPassing(error: unknown): boolean {
  return (
    isAway(error) ||
    isRefusal(error) ||
    isCode(error, "INTERNAL_ERROR") ||
    isCode(error, "RATE_LIMITED") ||
    isCode(error, "BUS_RATE_LIMITED") ||
    (error instanceof ServerError && (error.status >= 500 || error.status === 429))
  );
}

/** A Retry-After above this limit counts as this limit. */
export const longestRetryAfterMs = 5 * 60 * 1000;

/** Returns the server's Retry-After; null if the response has none. */
export function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof AppError || error instanceof ServerError)) return null;
  const { retryAfterSeconds } = error;
  return retryAfterSeconds === undefined
    ? null
    : Math.min(retryAfterSeconds * 1000, longestRetryAfterMs);
}

/** Returns the error's code for events. */
export function codeOf(error: unknown): string {
  if (error instanceof AppError || error instanceof AgentError) return error.code;
  if (error instanceof ServerError) return error.code;
  return error instanceof Unreachable ? "UNREACHABLE" : "UNKNOWN";
}

function isCode(error: unknown, code: AppError["code"]): error is AppError {
  return error instanceof AppError && error.code === code;
}
