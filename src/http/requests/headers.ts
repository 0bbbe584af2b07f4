// Small truths about request headers: ids that are sane, and headers that may come only once.

import type { IncomingMessage } from "node:http";
import type { FillRandom } from "../../lib/random.ts";

const saneId = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Answers a maker of request ids: a sane incoming one is kept; a new one is this process's random
 * mark and a running number, which costs nothing.
 */
export function createRequestIds(fillRandom: FillRandom): (incoming: unknown) => string {
  const bytes = new Uint8Array(6);
  fillRandom(bytes);
  const mark = `req_${Buffer.from(bytes).toString("hex")}`;
  let count = 0;
  return (incoming) => {
    if (typeof incoming === "string" && saneId.test(incoming) && tokenFree(incoming)) {
      return incoming;
    }
    count++;
    return `${mark}${count.toString(36).padStart(6, "0")}`;
  };
}

/** A credential in the wrong header must not reach the log. */
function tokenFree(id: string): boolean {
  return !id.includes("platform_");
}

/** As it was sent; a header that comes twice is both with a comma and a blank, which no key has. */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  return headers["idempotency-key"]?.toString();
}

/** By length first: almost every header is told apart by that alone. */
const single = new Map([
  [4, "host"],
  [13, "authorization"],
  [12, "x-csrf-token"],
]);

/** Whether Host, Authorization or X-CSRF-Token stands there twice: two readers, two meanings. */
export function hasRepeatedHeader(rawHeaders: string[]): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const guarded = single.get(name.length);
    if (guarded === undefined || name.toLowerCase() !== guarded) continue;
    const bit = 1 << name.length;
    if (seen & bit) return true;
    seen |= bit;
  }
  return false;
}
