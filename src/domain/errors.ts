// The errors for calls that break a rule. (docs/decisions/0002-contract.md)

import { isoTime } from "../lib/iso-time.ts";
import { type Access, isForOperators } from "./access/principals.ts";

/** The status of each code over HTTP; `statusOf` has one exception. */
export const errorStatus = {
  INVALID_JSON: 400,
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  REGISTRATION_TOKEN_INVALID: 401,
  REGISTRATION_TOKEN_EXPIRED: 401,
  REGISTRATION_TOKEN_REVOKED: 401,
  FORBIDDEN: 403,
  REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT: 403,
  AGENT_DISABLED: 403,
  CSRF_INVALID: 403,
  CAPSULE_SOURCE_FORBIDDEN: 403,
  OWN_REQUEST: 403,
  NOT_AN_APPROVER: 403,
  NOT_FOUND: 404,
  ACTION_NOT_FOUND: 404,
  COMMAND_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  API_KEY_NOT_FOUND: 404,
  REGISTRATION_TOKEN_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  SERVICE_NOT_FOUND: 404,
  ROLLOUT_NOT_FOUND: 404,
  SCHEDULE_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  APPROVAL_POLICY_NOT_FOUND: 404,
  SAVED_VIEW_NOT_FOUND: 404,
  ATTENTION_GROUP_NOT_FOUND: 404,
  CAPSULE_BUS_DISABLED: 404,
  BUS_SOURCE_NOT_FOUND: 404,
  BUS_ROUTE_NOT_FOUND: 404,
  BUS_EVENT_NOT_FOUND: 404,
  IDEMPOTENCY_KEY_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REGISTRATION_TOKEN_USED: 409,
  AGENT_CODE_TAKEN: 409,
  REGISTRATION_TOKEN_ACTIVE: 409,
  API_KEY_ACTIVE: 409,
  COMMAND_ALREADY_COMPLETED: 409,
  COMMAND_NOT_RETRYABLE: 409,
  COMMAND_NOT_RUNNING: 409,
  CONFIRMATION_REQUIRED: 409,
  PLAN_NOT_SUPPORTED: 409,
  STATE_NOT_REPORTED: 409,
  PREPARE_UNUSABLE: 409,
  PLAN_EXPIRED: 409,
  PLAN_ALREADY_APPLIED: 409,
  AGENT_OFFLINE: 409,
  AGENT_NOT_OFFLINE: 409,
  AGENT_HAS_OPEN_COMMANDS: 409,
  SERVICE_NOT_OFFLINE: 409,
  SERVICE_HAS_OPEN_COMMANDS: 409,
  SERVICE_HAS_NO_PROBLEM: 409,
  ROLLOUT_WRONG_STATE: 409,
  ROLLOUT_HAS_NO_TARGETS: 409,
  SCHEDULE_NAME_TAKEN: 409,
  SCHEDULE_RUNNING: 409,
  SCHEDULES_PAUSED: 409,
  APPROVAL_REQUIRED: 409,
  APPROVAL_WRONG_STATE: 409,
  APPROVAL_DIGEST_MISMATCH: 409,
  APPROVAL_POLICY_NAME_TAKEN: 409,
  LAST_OWNER: 409,
  USERNAME_TAKEN: 409,
  SAVED_VIEW_NAME_TAKEN: 409,
  DECLARATIONS_CHANGED: 409,
  VERSION_CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  IDEMPOTENCY_SECRET_GONE: 409,
  PAYLOAD_TOO_LARGE: 413,
  COMMAND_RESULT_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MISDIRECTED_HOST: 421,
  VALIDATION_FAILED: 422,
  PAYLOAD_INVALID: 422,
  PAYLOAD_NEEDS_SECRETS: 422,
  PLAN_INVALID: 422,
  BUS_DEPTH_EXCEEDED: 422,
  TOO_MUCH_WORK: 422,
  RATE_LIMITED: 429,
  BUS_RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  NOT_SUPPORTED: 501,
  ACTION_PREPARE_FAILED: 502,
  UNAVAILABLE: 503,
  ACTION_PREPARE_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** On routes for operators, AGENT_DISABLED is a conflict (409). */
export function statusOf(code: ErrorCode, access: Access): number {
  return code === "AGENT_DISABLED" && isForOperators(access) ? 409 : errorStatus[code];
}

export const errorCodes = Object.keys(errorStatus) as ErrorCode[];

/** `path` is dotted: `agent.code`, `services.0.code`. */
export interface Issue {
  path: string;
  message: string;
}

interface AppErrorOptions {
  /** Machine-readable facts for the caller, which never include secrets or internals. */
  details?: Record<string, unknown> | undefined;
  /** After how many seconds the same call may succeed (`Retry-After`). */
  retryAfterSeconds?: number | undefined;
  /** The underlying error, which is logged but never sent. */
  cause?: unknown;
}

/** `message` is a sentence for people to read. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** Returns the same error with another message. */
  reworded(message: string): AppError {
    const { code, details, retryAfterSeconds } = this;
    return new AppError(code, message, { details, retryAfterSeconds, cause: this });
  }
}

/**
 * Returns the refusal of a request. Throws every other error, and UNAVAILABLE, which is temporary.
 */
export function refusalIn(error: unknown): AppError {
  if (error instanceof AppError && error.code !== "UNAVAILABLE") return error;
  throw error;
}

/**
 * Throws an AppError with this code if `row` is null. `what` names the missing object, as in "agent
 * agt_1".
 */
export function found<T>(row: T | null, code: ErrorCode, what: string): T {
  if (row === null) throw new AppError(code, `There is no ${what}.`);
  return row;
}

/**
 * Throws VERSION_CONFLICT if `seen` is not the version of the stored object. `what` names the
 * object, as in "route night".
 */
export function requireSameVersion(
  { version: currentVersion, updatedAt }: { version: number; updatedAt: number },
  seen: number,
  what: string,
): void {
  if (seen === currentVersion) return;
  throw new AppError(
    "VERSION_CONFLICT",
    `The ${what} has changed: the current version is ${currentVersion}, not ${seen}.`,
    { details: { currentVersion, version: seen, updatedAt: isoTime(updatedAt) } },
  );
}

/** The response has status 422, and the issues in `details`. */
export function validationFailed(issues: Issue[], what = "request"): AppError {
  const message = `The ${what} is not valid: ${firstOf(issues)}`;
  return new AppError("VALIDATION_FAILED", message, { details: { issues } });
}

/** `name: is too long (and 1 more)`: the end of the message of VALIDATION_FAILED. */
export function firstOf(issues: readonly Issue[]): string {
  const [first] = issues;
  const where = first?.path ? `${first.path}: ` : "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return `${where}${first?.message ?? "unknown"}${more}`;
}

/** Throws VALIDATION_FAILED if there are `most` already. `advice` says how to make room. */
export function requireRoom(stored: number, most: number, things: string, advice: string): void {
  if (stored < most) return;
  const message = `there are already ${most} ${things}, the maximum: ${advice}`;
  throw validationFailed([{ path: "", message }]);
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorStatus, text);
}
