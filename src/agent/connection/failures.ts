// What a failed call means for the agent: try again, wait until the server takes it again, or no more.

import { ServerError } from "../../client/failures.ts";
import { Unreachable } from "../../client/unreachable.ts";
import { AppError } from "../../domain/errors.ts";
import { AgentError } from "./errors.ts";

/** No answer of this service: nobody there, or something else (a proxy) in its place. */
export function isAway(error: unknown): boolean {
  return error instanceof Unreachable || isCode(error, "UNAVAILABLE");
}

/** The server turns the agent away: no call of it will do until somebody has done something. */
export function isRefusal(error: unknown): error is AppError {
  return isCode(error, "UNAUTHORIZED") || isCode(error, "AGENT_DISABLED");
}

/** The same call may do later. */
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

/** A server that is asked to be left alone for longer is asked again all the same. */
export const longestRetryAfterMs = 5 * 60 * 1000;

/** How long the server wants the call not to be made again; null when it does not say. */
export function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof AppError || error instanceof ServerError)) return null;
  const { retryAfterSeconds } = error;
  return retryAfterSeconds === undefined
    ? null
    : Math.min(retryAfterSeconds * 1000, longestRetryAfterMs);
}

/** For events. */
export function codeOf(error: unknown): string {
  if (error instanceof AppError || error instanceof AgentError) return error.code;
  if (error instanceof ServerError) return error.code;
  return error instanceof Unreachable ? "UNREACHABLE" : "UNKNOWN";
}

function isCode(error: unknown, code: AppError["code"]): error is AppError {
  return error instanceof AppError && error.code === code;
}
