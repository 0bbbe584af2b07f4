// Code that finds a broken rule throws AppError; http/envelope.ts and cli/exit.ts map its codes to
// statuses. (docs/decisions/0002-contract.md)

export const errorCodes = [
  "INVALID_JSON",
  "INVALID_REQUEST",
  "UNAUTHORIZED",
  "REGISTRATION_TOKEN_INVALID",
  "REGISTRATION_TOKEN_EXPIRED",
  "REGISTRATION_TOKEN_REVOKED",
  "FORBIDDEN",
  "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT",
  "AGENT_DISABLED",
  "CSRF_INVALID",
  "CAPSULE_SOURCE_FORBIDDEN",
  "NOT_FOUND",
  "ACTION_NOT_FOUND",
  "COMMAND_NOT_FOUND",
  "AGENT_NOT_FOUND",
  "API_KEY_NOT_FOUND",
  "REGISTRATION_TOKEN_NOT_FOUND",
  "SESSION_NOT_FOUND",
  "USER_NOT_FOUND",
  "SERVICE_NOT_FOUND",
  "CAPSULE_BUS_DISABLED",
  "BUS_SOURCE_NOT_FOUND",
  "BUS_ROUTE_NOT_FOUND",
  "BUS_EVENT_NOT_FOUND",
  "IDEMPOTENCY_KEY_NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "REGISTRATION_TOKEN_USED",
  "AGENT_CODE_TAKEN",
  "REGISTRATION_TOKEN_ACTIVE",
  "API_KEY_ACTIVE",
  "COMMAND_ALREADY_COMPLETED",
  "COMMAND_NOT_RETRYABLE",
  "CONFIRMATION_REQUIRED",
  "AGENT_OFFLINE",
  "AGENT_NOT_OFFLINE",
  "AGENT_HAS_OPEN_COMMANDS",
  "SERVICE_NOT_OFFLINE",
  "SERVICE_HAS_OPEN_COMMANDS",
  "LAST_OWNER",
  "USERNAME_TAKEN",
  "VERSION_CONFLICT",
  "IDEMPOTENCY_KEY_REUSED",
  "IDEMPOTENCY_SECRET_GONE",
  "PAYLOAD_TOO_LARGE",
  "COMMAND_RESULT_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "MISDIRECTED_HOST",
  "VALIDATION_FAILED",
  "PAYLOAD_INVALID",
  "PAYLOAD_NEEDS_SECRETS",
  "BUS_DEPTH_EXCEEDED",
  "RATE_LIMITED",
  "BUS_RATE_LIMITED",
  "INTERNAL_ERROR",
  "ACTION_PREPARE_FAILED",
  "UNAVAILABLE",
  "ACTION_PREPARE_TIMEOUT",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** `path` is dotted: `agent.code`, `services.0.code`. */
export interface Issue {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  /** Machine-readable facts for the caller, which never include secrets or internals. */
  details?: Record<string, unknown>;
  /** After how many seconds the same call may succeed (`Retry-After`). */
  retryAfterSeconds?: number;
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
}

/** Throws the error if there is no `row`, which `what` describes: `agent agt_1`. */
export function found<T>(row: T | null, code: ErrorCode, what: string): T {
  if (row === null) throw new AppError(code, `There is no ${what}.`);
  return row;
}

/** The response has status 422, and the issues in `details`. */
export function validationFailed(issues: Issue[], what = "request"): AppError {
  const first = issues[0];
  const where = first?.path ? `${first.path}: ` : "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return new AppError(
    "VALIDATION_FAILED",
    `The ${what} is not valid: ${where}${first?.message ?? "unknown"}${more}`,
    { details: { issues } },
  );
}

export function isErrorCode(text: string): text is ErrorCode {
  return (errorCodes as readonly string[]).includes(text);
}
