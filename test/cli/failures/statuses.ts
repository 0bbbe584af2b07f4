// The exit status of each error of the API.

import type { ErrorCode } from "../../../src/domain/errors.ts";

export const statuses: Record<number, ErrorCode[]> = {
  1: [
    ...(["MISDIRECTED_HOST", "RATE_LIMITED", "BUS_RATE_LIMITED", "INTERNAL_ERROR"] as const),
    "ACTION_PREPARE_FAILED",
  ],
  2: [
    ...(["INVALID_JSON", "INVALID_REQUEST", "VALIDATION_FAILED", "PAYLOAD_INVALID"] as const),
    ...(["METHOD_NOT_ALLOWED", "UNSUPPORTED_MEDIA_TYPE", "BUS_DEPTH_EXCEEDED"] as const),
    ...(["PAYLOAD_TOO_LARGE", "COMMAND_RESULT_TOO_LARGE", "PAYLOAD_NEEDS_SECRETS"] as const),
  ],
  3: [
    ...(["NOT_FOUND", "ACTION_NOT_FOUND", "COMMAND_NOT_FOUND", "AGENT_NOT_FOUND"] as const),
    ...([
      "API_KEY_NOT_FOUND",
      "SESSION_NOT_FOUND",
      "REGISTRATION_TOKEN_NOT_FOUND",
      "USER_NOT_FOUND",
    ] as const),
    ...(["SERVICE_NOT_FOUND", "BUS_EVENT_NOT_FOUND", "BUS_ROUTE_NOT_FOUND"] as const),
    ...(["BUS_SOURCE_NOT_FOUND", "CAPSULE_BUS_DISABLED", "IDEMPOTENCY_KEY_NOT_FOUND"] as const),
  ],
  4: [
    ...(["UNAUTHORIZED", "FORBIDDEN", "CSRF_INVALID", "REGISTRATION_TOKEN_INVALID"] as const),
    ...(["REGISTRATION_TOKEN_EXPIRED", "REGISTRATION_TOKEN_REVOKED"] as const),
    ...(["CAPSULE_SOURCE_FORBIDDEN", "REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT"] as const),
  ],
  5: [
    ...(["AGENT_DISABLED", "AGENT_OFFLINE", "REGISTRATION_TOKEN_USED"] as const),
    ...(["REGISTRATION_TOKEN_ACTIVE", "COMMAND_ALREADY_COMPLETED", "LAST_OWNER"] as const),
    ...(["COMMAND_NOT_RETRYABLE", "CONFIRMATION_REQUIRED", "USERNAME_TAKEN"] as const),
    ...(["AGENT_NOT_OFFLINE", "AGENT_HAS_OPEN_COMMANDS", "VERSION_CONFLICT"] as const),
    ...(["SERVICE_NOT_OFFLINE", "SERVICE_HAS_OPEN_COMMANDS"] as const),
    ...(["API_KEY_ACTIVE"] as const),
    ...(["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_SECRET_GONE"] as const),
    ...(["AGENT_CODE_TAKEN"] as const),
  ],
  6: ["UNAVAILABLE"],
  8: ["ACTION_PREPARE_TIMEOUT"],
};
