// The HTTP status of each error code: the wire's half of the error list. (`decisions.md` 12)

import type { ErrorCode } from "../domain/errors.ts";

import type { Access } from "../domain/principals.ts";

/** The status of a code on a route. For an operator, a disabled agent is a state, not a refusal. */
export function statusOf(code: ErrorCode, access: Access): number {
  const isOperators = access === "viewer" || access === "operator" || access === "owner";
  return code === "AGENT_DISABLED" && isOperators ? 409 : errorStatus[code];
}

const errorStatus: Record<ErrorCode, number> = {
  INVALID_JSON: 400,
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  REGISTRATION_TOKEN_INVALID: 401,
  REGISTRATION_TOKEN_EXPIRED: 401,
  REGISTRATION_TOKEN_REVOKED: 401,
  FORBIDDEN: 403,
  AGENT_DISABLED: 403,
  CSRF_INVALID: 403,
  CAPSULE_SOURCE_FORBIDDEN: 403,
  NOT_FOUND: 404,
  ACTION_NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  API_KEY_NOT_FOUND: 404,
  REGISTRATION_TOKEN_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  COMMAND_NOT_FOUND: 404,
  SERVICE_NOT_FOUND: 404,
  CAPSULE_BUS_DISABLED: 404,
  BUS_SOURCE_NOT_FOUND: 404,
  BUS_ROUTE_NOT_FOUND: 404,
  BUS_EVENT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REGISTRATION_TOKEN_USED: 409,
  REGISTRATION_TOKEN_ACTIVE: 409,
  COMMAND_ALREADY_COMPLETED: 409,
  COMMAND_NOT_RETRYABLE: 409,
  CONFIRMATION_REQUIRED: 409,
  AGENT_OFFLINE: 409,
  LAST_OWNER: 409,
  USERNAME_TAKEN: 409,
  VERSION_CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  COMMAND_RESULT_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MISDIRECTED_HOST: 421,
  VALIDATION_FAILED: 422,
  PAYLOAD_INVALID: 422,
  BUS_DEPTH_EXCEEDED: 422,
  RATE_LIMITED: 429,
  BUS_RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  ACTION_PREPARE_FAILED: 502,
  UNAVAILABLE: 503,
  ACTION_PREPARE_TIMEOUT: 504,
};
