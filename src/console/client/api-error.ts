// How a call can fail: the server has refused it, or there was no answer.

import type { ErrorCode } from "../../domain/errors.ts";

export interface Issue {
  /** With dots between: `payload.size`. */
  path: string;
  message: string;
}

/** What the server said, in its envelope. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | (string & {});
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      details?: Record<string, unknown> | undefined;
      requestId?: string | null | undefined;
      retryAfterSeconds?: number | null;
    } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = more.details ?? {};
    this.requestId = more.requestId ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }

  /** What is wrong with which field; empty when the failure is none of a field. */
  get issues(): Issue[] {
    return Array.isArray(this.details.issues) ? (this.details.issues as Issue[]) : [];
  }
}

/** No answer came: the server is away, or the network is. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The server cannot be reached.", { cause });
    this.name = "Unreachable";
  }
}

/** As a call fails. */
export type Failing = ApiError | Unreachable;

/** The message for a field, by its path; null when there is none. */
export function issueOf(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.issues.find((issue) => issue.path === path)?.message ?? null;
}
