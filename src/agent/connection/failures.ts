import { ServerError } from "../../client/failures.ts";
import { Unreachable } from "../../client/unreachable.ts";
import { AppError, type ErrorCode } from "../../domain/errors.ts";
import { AgentError } from "./errors.ts";

/** Whether the server cannot be reached. UNAVAILABLE may come from a proxy in front of it. */
export function isAway(error: unknown): boolean {
  return error instanceof Unreachable || isCode(error, "UNAVAILABLE");
}

/** Whether every call fails until an operator acts. */
export function isRefusal(error: unknown): error is AppError {
  return isCode(error, "UNAUTHORIZED", "AGENT_DISABLED");
}

/**
 * After a failover that lost recent data, the server refuses results and output with
 * COMMAND_NOT_RUNNING until a poll has fetched the command again.
 */
export function isPassing(error: unknown): boolean {
  return (
    isAway(error) ||
    isRefusal(error) ||
    isCode(error, "INTERNAL_ERROR", "RATE_LIMITED", "BUS_RATE_LIMITED", "COMMAND_NOT_RUNNING") ||
    (error instanceof ServerError && (error.status >= 500 || error.status === 429))
  );
}

/** A longer Retry-After is shortened to this. */
export const longestRetryAfterMs = 5 * 60 * 1000;

export function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof AppError || error instanceof ServerError)) return null;
  const { retryAfterSeconds } = error;
  return retryAfterSeconds === undefined
    ? null
    : Math.min(retryAfterSeconds * 1000, longestRetryAfterMs);
}

export function codeOf(error: unknown): string {
  if (error instanceof AppError || error instanceof AgentError) return error.code;
  if (error instanceof ServerError) return error.code;
  return error instanceof Unreachable ? "UNREACHABLE" : "UNKNOWN";
}

export function isCode(error: unknown, ...codes: ErrorCode[]): error is AppError {
  return error instanceof AppError && codes.includes(error.code);
}
