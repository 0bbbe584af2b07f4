// Serializes a response that never changes while the program runs, and computes its ETag.

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

/** Whether If-None-Match contains this ETag, even with the `W/` that recompressing proxies add. */
export function isKnownTo(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
