// Detects repeated results by a keyed hash. A result may contain a short secret, which could be
// guessed from an unkeyed hash on disk. The key is in a file beside the database.

import { createHmac, hash } from "node:crypto";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Core } from "../context.ts";

const keyed = "hmac:";

/** Returns the unkeyed hash of a reported result, which must not be stored. */
export function hashResult(reported: object): string {
  return hash("sha256", canonicalJson(reported), "hex");
}

/** Returns the stored form of an unkeyed hash. */
export function toFingerprint({ auditKey }: Core, plainHash: string): string {
  const digest = createHmac("sha256", auditKey).update(`command result\n${plainHash}`);
  return keyed + digest.digest("hex");
}

/**
 * Whether a stored fingerprint belongs to this result. Versions before migration 0006 stored the
 * unkeyed hash.
 */
export function isSameResult(core: Core, stored: string | undefined, plainHash: string): boolean {
  return stored === toFingerprint(core, plainHash) || stored === plainHash;
}

/** Whether the fingerprint was stored by such an older version. */
export function isPlain(stored: string): boolean {
  return !stored.startsWith(keyed);
}
