import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FillRandom } from "../../lib/random.ts";
import { FinalRefusal } from "../refusals.ts";

const validId = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Keeps a valid incoming id. A new id consists of a random prefix of this process and a counter.
 */
export function createRequestIds(fillRandom: FillRandom): (incoming: unknown) => string {
  const bytes = new Uint8Array(6);
  fillRandom(bytes);
  const mark = `req_${Buffer.from(bytes).toString("hex")}`;
  let count = 0;
  return (incoming) => {
    // A credential sent in the wrong header must not reach the log.
    const isValid = typeof incoming === "string" && validId.test(incoming);
    if (isValid && !incoming.includes("platform_")) return incoming;
    count++;
    return `${mark}${count.toString(36).padStart(6, "0")}`;
  };
}

const none: IncomingHttpHeaders = Object.freeze({});
const noneRaw: string[] = [];

/** Frees about 900 bytes while the request waits. Its headers must have been read. */
export function forgetHeaders(request: IncomingMessage): void {
  request.headers = none;
  request.rawHeaders = noneRaw;
}

/** The headers that must not be repeated. */
const single = ["host", "authorization", "x-csrf-token"];

/** Throws INVALID_REQUEST for ambiguous headers, which a proxy may have read differently. */
export function checkHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (hasRepeatedHeader(rawHeaders)) {
    throw new FinalRefusal("INVALID_REQUEST", "A header that must not be repeated occurs twice.");
  }
  if (headers.host === undefined && httpVersion !== "1.0") {
    throw new FinalRefusal("INVALID_REQUEST", "The Host header is missing.");
  }
}

function hasRepeatedHeader(rawHeaders: string[]): boolean {
  const seen: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (!single.includes(name)) continue;
    if (seen.includes(name)) return true;
    seen.push(name);
  }
  return false;
}
