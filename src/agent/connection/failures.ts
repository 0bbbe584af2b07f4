import { ServerError } from "../../client/failures.ts";
import { Unreachable } from "../../client/unreachable.ts";
import { AppError, type ErrorCode } from "../../domain/errors.ts";
import { AgentError } from "./errors.ts";

/** Whether the server cannot be reached. UNAVAILABLE may come from a proxy in front of it. */
export function isAway(error: unknown): boolean {
  return error instanceof Unreachable || isCode(error, "UNAVAILABLE");
}

/** Whether there was no response from the server itself, but at most one from a proxy. */
export function isCutOff(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  // Only `strangeAnswer` sets `status`. The server's own UNAVAILABLE is temporary.
  return isCode(error, "UNAVAILABLE") && error.details?.status !== undefined;
}

/** Whether every call fails until an operator acts. */
export function isRefusal(error: unknown): error is AppError {
  return isCode(error, "UNAUTHORIZED", "AGENT_DISABLED", "MISDIRECTED_HOST");
}

// All final refusals. After any other refusal, the same call may succeed later.
// (docs/reference/agent-protocol.md "Errors")

/** The server may accept a call with other content. */
const aboutContent: ErrorCode[] = [
  "INVALID_JSON",
  "VALIDATION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "COMMAND_RESULT_TOO_LARGE",
  "BUS_DEPTH_EXCEEDED",
];
/** The statuses of codes about the content that this version does not know. */
const statusesAboutContent = [400, 413, 422];
/** The server accepts neither a result nor output of this command. */
const aboutCommand: ErrorCode[] = ["COMMAND_ALREADY_COMPLETED", "COMMAND_NOT_FOUND"];
/** The server does not accept events of this service. */
const aboutSource: ErrorCode[] = ["BUS_SOURCE_NOT_FOUND", "CAPSULE_SOURCE_FORBIDDEN"];
const finalCodes = new Set<ErrorCode>([
  ...aboutContent,
  ...aboutCommand,
  ...aboutSource,
  "CAPSULE_BUS_DISABLED",
  "REGISTRATION_TOKEN_INVALID",
  "REGISTRATION_TOKEN_EXPIRED",
  "REGISTRATION_TOKEN_REVOKED",
  "REGISTRATION_TOKEN_USED",
  "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT",
  "AGENT_CODE_TAKEN",
]);

export function isAboutContent(error: unknown): boolean {
  if (error instanceof ServerError) return statusesAboutContent.includes(error.status);
  return isCode(error, ...aboutContent);
}

export function isAboutCommand(error: unknown): boolean {
  return isCode(error, ...aboutCommand);
}

export function isAboutSource(error: unknown): boolean {
  return isCode(error, ...aboutSource);
}

/**
 * Whether the same call may succeed later. After a failover that lost recent data, this includes
 * COMMAND_NOT_RUNNING: a poll must first fetch the command again.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (error instanceof ServerError) return !isAboutContent(error);
  return error instanceof AppError && !finalCodes.has(error.code);
}

/** For optional calls: throws if an older server has no such route, because a retry is useless. */
export function unlessUnknown(error: unknown): void {
  if (isCode(error, "NOT_FOUND")) throw error;
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
