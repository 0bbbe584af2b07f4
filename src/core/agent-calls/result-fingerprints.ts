// Tells a repeated result from a different one, without keeping anything that could be guessed back: a
// result may hold a short secret, and a plain hash of it on disk is soon found out. The key is a file
// beside the database.

import { createHmac, hash } from "node:crypto";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { Core } from "../context.ts";

const keyed = "hmac:";

/** The plain hash of a result as it was reported; not to be stored. */
export function hashResult(reported: object): string {
  return hash("sha256", canonicalJson(reported), "hex");
}

/** What is stored of a plain hash. */
export function toFingerprint({ auditKey }: Core, plainHash: string): string {
  const digest = createHmac("sha256", auditKey).update(`command result\n${plainHash}`);
  return keyed + digest.digest("hex");
}

/** Whether a stored fingerprint is of this result. Versions before 0006 stored the plain hash. */
export function isSameResult(core: Core, stored: string | undefined, plainHash: string): boolean {
  return stored === toFingerprint(core, plainHash) || stored === plainHash;
}

/** Stored by an older version. */
export function isPlain(stored: string): boolean {
  return !stored.startsWith(keyed);
}
