// Encrypts text under a name. Decrypting it requires the same key and the same name.

import { createCipheriv, createDecipheriv } from "node:crypto";
import type { FillRandom } from "../../lib/random.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** The key has 32 bytes. Returns Base64. */
export function seal(key: Buffer, name: string, text: string, fillRandom: FillRandom): string {
  const nonce = Buffer.alloc(nonceBytes);
  fillRandom(nonce);
  const cipher = createCipheriv(algorithm, key, nonce);
  cipher.setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Returns null if `sealed` has another name, was sealed with another key, or was changed. */
export function unseal(key: Buffer, name: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64");
  const textAt = nonceBytes + tagBytes;
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(bytes.subarray(nonceBytes, textAt));
    return decipher.update(bytes.subarray(textAt), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}
