import { hkdfSync, type KeyObject } from "node:crypto";

/** Returns 32 bytes. Each purpose and each salt has its own key. */
export function derivedKey(secret: KeyObject, purpose: string, salt = ""): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, purpose, 32));
}
