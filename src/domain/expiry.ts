// Computes when something that is created now expires, from `expiresAt` or `expiresInSeconds`.

import { validationFailed } from "./errors.ts";

const furthestMs = 100 * 365 * 24 * 60 * 60 * 1000;

export interface WantedExpiry {
  /** ISO 8601; null for never. */
  expiresAt?: string | null | undefined;
  /** 0 for never. */
  expiresInSeconds?: number | undefined;
}

/** Returns Unix milliseconds, or null for never. Throws VALIDATION_FAILED for a past time. */
export function expiryOf(wanted: WantedExpiry, now: number, defaultSeconds: number): number | null {
  if (wanted.expiresAt === null) return null;
  if (wanted.expiresAt !== undefined) {
    const at = Date.parse(wanted.expiresAt);
    if (at <= now) throw validationFailed([{ path: "expiresAt", message: "is in the past" }]);
    if (at > now + furthestMs) {
      const message = "is more than 100 years away; use null for never";
      throw validationFailed([{ path: "expiresAt", message }]);
    }
    return at;
  }
  const seconds = wanted.expiresInSeconds ?? defaultSeconds;
  return seconds === 0 ? null : now + seconds * 1000;
}
