// The form of an Idempotency-Key, and the facts about a call that has one.

export interface KeyedCall {
  key: string;
  route: string;
  /** Detects a different request with the same key. */
  fingerprint: string;
  /** The response field that is shown once and never stored, or null. */
  shownOnce: string | null;
}

/** Follows the header's name in messages. */
export const idempotencyKeyRule = "must be 1 to 128 visible ASCII characters, without spaces";

export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}
