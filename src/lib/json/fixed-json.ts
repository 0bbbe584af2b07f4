// A response that does not change while the program runs. Its JSON is written once, and it has an ETag, so that
// it is not sent to clients that already have it.

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

/** Whether the client already has this, according to If-None-Match. Proxies that recompress mark tags as weak. */
export function isKnownTo(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
