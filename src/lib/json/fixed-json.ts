// A response that does not change while the program runs. Its JSON text is made once. It has an
// ETag, so that it is not sent to clients that already have it.

import { hash } from "node:crypto";

export class FixedJson<T extends object> {
  readonly value: T;
  readonly bytes: Buffer;
  readonly etag: string;

  constructor(value: T) {
    this.value = value;
    this.bytes = Buffer.from(JSON.stringify(value));
    this.etag = `"${hash("sha256", this.bytes, "hex").slice(0, 32)}"`;
  }
}

/**
 * Whether If-None-Match says that the client already has this response. Proxies that recompress
 * responses mark tags as weak.
 */
export function isKnownTo(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
