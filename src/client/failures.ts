import { AppError, isErrorCode } from "../domain/errors.ts";
import { isJsonObject } from "../domain/payload/json.ts";

/** A refusal with a code that this client does not know, because the server is newer. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly code: string;
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, { status, details, retryAfterSeconds }: Refusal) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Refusal {
  status: number;
  details?: Record<string, unknown> | undefined;
  retryAfterSeconds?: number | undefined;
}

export interface FailedAnswer {
  status: number;
  /** The body is undefined if it was not JSON. */
  body: unknown;
  retryAfterSeconds?: number | undefined;
}

export function errorFrom(target: string, answer: FailedAnswer): AppError | ServerError {
  const error = errorIn(answer.body);
  if (!error) return strangeAnswer(target, answer);
  const { status, retryAfterSeconds } = answer;
  const { code, message, details } = error;
  if (!isErrorCode(code)) {
    return new ServerError(code, message, { status, details, retryAfterSeconds });
  }
  return new AppError(code, message, {
    ...(details ? { details } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** Statuses with which proxies say that they reached no server. */
const proxyReachedNone = new Set([502, 503, 504]);

/** The response is not from this API, but perhaps from a proxy in front of it. */
export function strangeAnswer(target: string, answer: FailedAnswer): AppError {
  const { status, retryAfterSeconds } = answer;
  const message = `${target} responded with ${status}, but the response is not from this API.`;
  const advice = proxyReachedNone.has(status)
    ? " A proxy in front of it probably reached no server: check that the servers are running."
    : "";
  return new AppError("UNAVAILABLE", message + advice, {
    details: { status },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

interface WireError {
  code: string;
  message: string;
  details?: Record<string, unknown>;
}

function errorIn(body: unknown): WireError | null {
  if (!isJsonObject(body) || body.success !== false || !isJsonObject(body.error)) return null;
  const { code, message, details } = body.error;
  if (typeof code !== "string" || code === "" || typeof message !== "string") return null;
  return { code, message, ...(isJsonObject(details) ? { details } : {}) };
}
