// Detects repeated results by a keyed hash, because a short secret in a result could be guessed
// from an unkeyed hash on disk.

import { createHmac, hash } from "node:crypto";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Core } from "../context.ts";

const keyed = "hmac:";

/** Returns the unkeyed hash of a reported result. This hash must not be stored. */
export function hashResult(reported: object): string {
  return hash("sha256", canonicalJson(reported), "hex");
}

export function toFingerprint({ auditKey }: Core, plainHash: string): string {
  const digest = createHmac("sha256", auditKey).update(`command result\n${plainHash}`);
  return keyed + digest.digest("hex");
}

/** Versions before migration 0006 stored the unkeyed hash. */
export function isSameResult(core: Core, stored: string | undefined, plainHash: string): boolean {
  return stored === toFingerprint(core, plainHash) || stored === plainHash;
}

/** Returns whether the stored fingerprint is an unkeyed hash. */
export function isPlain(stored: string): boolean {
  return !stored.startsWith(keyed);
}
