// Classifies failed calls: retry, wait until the server accepts the agent, or give up.

import { ServerError } from "../../client/failures.ts";
import { Unreachable } from "../../client/unreachable.ts";
import { AppError } from "../../domain/errors.ts";
import { AgentError } from "./errors.ts";

/** The call did not reach the service: no server, or a proxy that responded in its place. */
export function isAway(error: unknown): boolean {
  return error instanceof Unreachable || isCode(error, "UNAVAILABLE");
}

/** The server refuses the agent: every call fails until somebody acts. */
export function isRefusal(error: unknown): error is AppError {
  return isCode(error, "UNAUTHORIZED") || isCode(error, "AGENT_DISABLED");
}

/** The same call may succeed later. */
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

/** The agent ignores the part of a Retry-After that exceeds this. */
export const longestRetryAfterMs = 5 * 60 * 1000;

/** The server's Retry-After; null without one. */
export function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof AppError || error instanceof ServerError)) return null;
  const { retryAfterSeconds } = error;
  return retryAfterSeconds === undefined
    ? null
    : Math.min(retryAfterSeconds * 1000, longestRetryAfterMs);
}

/** The code for events. */
export function codeOf(error: unknown): string {
  if (error instanceof AppError || error instanceof AgentError) return error.code;
  if (error instanceof ServerError) return error.code;
  return error instanceof Unreachable ? "UNREACHABLE" : "UNKNOWN";
}

function isCode(error: unknown, code: AppError["code"]): error is AppError {
  return error instanceof AppError && error.code === code;
}
