// One request of a simulated agent. It uses undici without its streams, because a load process
// must use little CPU time and memory per agent.

import type { Dispatcher } from "undici";
import { errorFrom } from "../../../../client/failures.ts";
import { retryAfterSecondsOf } from "../../../../client/retry-after.ts";
import { AppError } from "../../../../domain/errors.ts";
import { jsonOrUndefined } from "../../../../lib/json/json-or-undefined.ts";

interface AgentRequest {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  /** JSON text. */
  body?: string;
  timeoutMs: number;
  /** Called when the request is sent on a connection. */
  onSent?: () => void;
}

/** Rejects with the server's AppError or ServerError, or with an error of the connection. */
export function exchange<T>(dispatcher: Dispatcher, request: AgentRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let retryAfterSeconds: number | undefined;
    const { method, path, headers, body = null, timeoutMs } = request;
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    dispatcher.dispatch(
      { method, path, headers, body, ...timeouts },
      {
        onRequestStart: () => request.onSent?.(),
        onResponseStart(_controller, statusCode, answered) {
          status = statusCode;
          if (status >= 400) retryAfterSeconds = retryAfterSecondsOf(answered);
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          const body = jsonOrUndefined(Buffer.concat(chunks).toString("utf8"));
          const envelope = body as { success?: boolean; data?: T } | undefined;
          if (envelope?.success === true) resolve(envelope.data as T);
          else reject(errorFrom("the server", { status, body, retryAfterSeconds }));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

/** Returns whether the same call can succeed later. */
export function isPassing(error: unknown): boolean {
  const { status } = error as { status?: number };
  if (error instanceof AppError) return passing.has(error.code);
  return status === undefined || status >= 500;
}

const passing = new Set<string>(["UNAVAILABLE", "RATE_LIMITED", "INTERNAL_ERROR"]);

/** Returns the code under which an error is counted. */
export function kindOf(error: unknown): string {
  const { code, cause, name } = error as NodeJS.ErrnoException;
  const inner = (cause as NodeJS.ErrnoException | undefined)?.code;
  return code ?? inner ?? name;
}
