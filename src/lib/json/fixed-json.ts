// An answer that never changes while the program runs: its JSON is made once, and a client that has it
// already is not sent it again.

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

/** Whether If-None-Match says that the client has this. Proxies that code anew mark a tag as a weak one. */
export function isKnownTo(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
