// What is not even HTTP, or too slow, gets a last word in the envelope, and no second chance.

import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { AppError } from "../domain/errors.ts";
import { failureAnswer } from "./envelope.ts";
import { fixedHeaders } from "./fixed-headers.ts";

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
  const known = new AppError("INVALID_REQUEST", refusal.message);
  const text = JSON.stringify(failureAnswer(known, "public", requestId).body);
  const headers = [
    "Content-Type",
    "application/json; charset=utf-8",
    "Content-Length",
    String(Buffer.byteLength(text)),
    "X-Request-Id",
    requestId,
    ...fixedHeaders(socket instanceof TLSSocket ? "https" : null),
    "Connection",
    "close",
  ];
  const lines = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
  socket.end(`HTTP/1.1 ${refusal.status}\r\n${lines.join("")}\r\n${text}`);
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
