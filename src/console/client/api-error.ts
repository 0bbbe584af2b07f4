// The two ways a call can fail: the server refused the call, or could not be reached.

import type { ErrorCode, Issue } from "../../domain/errors.ts";
import { capitalized } from "../../lib/capitalized.ts";

/** The `error` in the server's response. */
export interface Refusal {
  code: ErrorCode | (string & {});
  message?: string;
  details?: Record<string, unknown>;
  requestId?: string | null;
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: Refusal["code"];
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, refusal: Refusal, retryAfterSeconds: number | null = null) {
    const { code, message = code, details = {}, requestId = null } = refusal;
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get issues(): Issue[] {
    return Array.isArray(this.details.issues) ? this.details.issues : [];
  }
}

/** There was no response, or it did not come from a Platform server. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  constructor(cause: unknown) {
    super("The server cannot be reached.", { cause });
  }
}

export type Failing = ApiError | Unreachable;

/** Returns the current version if someone else has changed the object, otherwise null. */
export function conflictIn(error: unknown): { version: number } | null {
  return error instanceof ApiError && error.code === "VERSION_CONFLICT"
    ? { version: Number(error.details.currentVersion) }
    : null;
}

/**
 * Returns the error for a form that edits only `part` of the body: only the issues within the
 * part, with paths relative to it.
 */
export function errorWithin(error: unknown, part: string): ApiError | null {
  if (!(error instanceof ApiError)) return null;
  const { status, code, message, details, issues } = error;
  const within = issues
    .filter(({ path }) => path.startsWith(`${part}.`))
    .map((issue) => ({ ...issue, path: issue.path.slice(part.length + 1) }));
  return new ApiError(status, { code, message, details: { ...details, issues: within } });
}

/** The path of a field in the body, or a pattern if the field has several values. */
export type FieldPath = string | RegExp;

/** Returns, as a sentence, the first issue whose path matches, or null if there is none. */
export function issueOf(error: unknown, path: FieldPath): string | null {
  if (!(error instanceof ApiError)) return null;
  const issue = error.issues.find((each) => isAt(each.path, path));
  return issue ? asSentence(issue.message) : null;
}

/** Whether an issue with this path is about the field. */
export function isAt(path: string, field: FieldPath): boolean {
  return typeof field === "string" ? path === field : field.test(path);
}

/** Turns a fragment, such as the issue `must not be empty`, into a sentence. */
export function asSentence(message: string): string {
  const started = capitalized(message);
  // After a pattern, a full stop would look like a part of it.
  return /[.!?:…$]$/.test(started) || started === "" ? started : `${started}.`;
}
