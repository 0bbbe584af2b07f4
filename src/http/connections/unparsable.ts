// What is not even HTTP, or too slow, or one connection too many, gets a last word in the envelope, and no
// second chance.

import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { AppError } from "../../domain/errors.ts";
import { failureAnswer } from "../envelope.ts";
import { fixedHeaders } from "../fixed-headers.ts";
import { lingerMs } from "./linger.ts";

/** For the server's `clientError`. */
export function refuseUnparsable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  requestId: string,
): void {
  const refusal = refusals[error.code ?? ""] ?? (error.code?.startsWith("HPE_") ? notHttp : null);
  if (refusal === null || !socket.writable || hasAnswerUnderWay(socket)) {
    // The connection broke, or has never come to speak TLS: there is nobody to tell. Or it would stand in
    // the middle of another answer.
    socket.destroy();
    return;
  }
  endWith(socket, refusal.status, new AppError("INVALID_REQUEST", refusal.message), requestId);
}

/** For a connection that there is no room for. */
export function refuseConnection(socket: Duplex, refusal: AppError): void {
  // What was sent is read, or the answer would be lost with it.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs);
  endWith(socket, "503 Service Unavailable", refusal, null);
}

/** Writes an answer without a request behind it, the last one on this connection. */
function endWith(
  socket: Duplex,
  status: string,
  refusal: AppError,
  requestId: string | null,
): void {
  const answer = failureAnswer(refusal, "public", requestId);
  const text = JSON.stringify(answer.body);
  const headers = [
    "Content-Type",
    "application/json; charset=utf-8",
    "Content-Length",
    String(Buffer.byteLength(text)),
    ...(requestId === null ? [] : ["X-Request-Id", requestId]),
    ...Object.entries(answer.headers ?? {}).flat(),
    ...fixedHeaders(socket instanceof TLSSocket ? "https" : null),
    "Connection",
    "close",
  ];
  const lines = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${text}`);
}

/** Node keeps the response that has the connection there, and looks at it itself for this. */
function hasAnswerUnderWay(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

interface Refusal {
  status: string;
  message: string;
}

const notHttp: Refusal = { status: "400 Bad Request", message: "This is no HTTP request." };

const tooMuch: Refusal = {
  status: "431 Request Header Fields Too Large",
  message: "The request line and the headers are too large.",
};

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: tooMuch,
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    message: "The request came too slowly.",
  },
};
