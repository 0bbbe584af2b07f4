import type { NextRequest } from "./connection.ts";

export interface RequestSpec {
  method: "GET" | "POST";
  path: string;
  token: string;
  body?: unknown;
}

export function encodeRequest(port: number, { method, path, token, body }: RequestSpec): Buffer {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
  ];
  if (body === undefined) return Buffer.from(`${head.join("\r\n")}\r\n\r\n`);
  const text = JSON.stringify(body);
  head.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`);
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
}

/** The numbers `first`, `first + step`, … below `end`. */
export interface Numbers {
  first: number;
  step: number;
  end: number;
}

/**
 * Repeats a request with a different number each time. Its decimal digits replace the end of
 * `placeholder`, which must end in enough zeros.
 */
export function numberRequests(bytes: Buffer, placeholder: string, numbers: Numbers): NextRequest {
  const lastDigit = bytes.indexOf(placeholder) + placeholder.length - 1;
  let number = numbers.first;
  return () => {
    if (number >= numbers.end) return null;
    for (let rest = number, at = lastDigit; rest > 0; at--) {
      bytes[at] = 48 + (rest % 10);
      rest = Math.trunc(rest / 10);
    }
    number += numbers.step;
    return bytes;
  };
}
