// Responds to requests that Node cannot parse, and to connections beyond the limit.

import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { AppError } from "../../domain/errors.ts";
import { failureAnswer } from "../envelope.ts";
import { jsonHeaders } from "../fixed-headers.ts";
import { lingerMs } from "./linger.ts";

/** Handles the server's `clientError` event. */
export function refuseUnparsable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  requestId: string,
): void {
  const refusal = refusals[error.code ?? ""] ?? (error.code?.startsWith("HPE_") ? notHttp : null);
  if (refusal === null || !socket.writable || mustNotBeSent(refusal, socket)) {
    // The connection is broken, is still in the TLS handshake, or has another response to send.
    socket.destroy();
    return;
  }
  endWith(socket, refusal.status, refusal.error, requestId);
}

export function refuseConnection(socket: Duplex, refusal: AppError): void {
  // Unread input would reset the connection and discard the response.
  socket.resume();
  endWith(socket, "503 Service Unavailable", refusal, null);
}

/** Writes a response that belongs to no request, and closes the connection. */
function endWith(
  socket: Duplex,
  status: string,
  refusal: AppError,
  requestId: string | null,
): void {
  const answer = failureAnswer(refusal, "public", requestId);
  const text = JSON.stringify(answer.body);
  const headers = [
    ...jsonHeaders(Buffer.byteLength(text), socket instanceof TLSSocket ? "https" : null),
    ...(requestId === null ? [] : ["X-Request-Id", requestId]),
    ...Object.entries(answer.headers ?? {}).flat(),
    "Connection",
    "close",
  ];
  const lines = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${text}`);
  // The client may never close its side.
  setTimeout(() => socket.destroy(), lingerMs);
}

/** Node keeps the current response of a connection in this field. */
type HttpSocket = Duplex & { _httpMessage?: ServerResponse | null };

/**
 * Whether the refusal must not be sent: another response has begun, or the client would take a 408
 * for the response to an earlier request, and repeat that request, which the server may carry out.
 */
function mustNotBeSent(refusal: Refusal, { _httpMessage: current }: HttpSocket): boolean {
  return current?.headersSent === true || (refusal === tooSlow && current?.req.complete === true);
}

interface Refusal {
  status: string;
  error: AppError;
}

const notHttp: Refusal = {
  status: "400 Bad Request",
  error: new AppError("INVALID_REQUEST", "This is not an HTTP request."),
};

const tooMuch: Refusal = {
  status: "431 Request Header Fields Too Large",
  error: new AppError("INVALID_REQUEST", "The request line and the headers are too large."),
};

const tooSlow: Refusal = {
  status: "408 Request Timeout",
  error: new AppError("UNAVAILABLE", "The request was too slow.", { retryAfterSeconds: 1 }),
};

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: tooMuch,
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
};
