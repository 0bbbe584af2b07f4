// Puts every response into the same envelope. (docs/decisions/0002-contract.md)

import type { Download } from "../core/download.ts";
import type { Access } from "../domain/access/principals.ts";
import { AppError, statusOf } from "../domain/errors.ts";
import type { FixedJson } from "../lib/json/fixed-json.ts";

export interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
  isLast?: boolean; // whether the connection is closed after it
  download?: Download; // replaces the body
  text?: string; // the body as JSON; then `body` is empty
  fixed?: FixedJson<object>; // the body, serialized once and reused
}

interface FailureBody {
  success: false;
  error: {
    code: string;
    message: string;
    details?: Record<string, unknown>;
    requestId: string | null;
  };
}

/** Errors other than AppError become INTERNAL_ERROR without details. */
export function failureAnswer(error: unknown, access: Access, requestId: string | null): Answer {
  const known =
    error instanceof AppError
      ? error
      : new AppError(
          "INTERNAL_ERROR",
          "Internal error. The server's log has details under this request id.",
        );
  const { code, message, details, retryAfterSeconds } = known;
  const body: FailureBody = {
    success: false,
    error: { code, message, ...(details ? { details } : {}), requestId },
  };
  const status = statusOf(code, access);
  if (retryAfterSeconds === undefined) return { status, body };
  return { status, body, headers: { "Retry-After": String(Math.ceil(retryAfterSeconds)) } };
}
