// The form of an Idempotency-Key, and the facts of a call with one.

/** A call that makes its change at most once. */
export interface KeyedCall {
  key: string;
  route: string;
  /** Of the whole request. Another request with the same key has another fingerprint. */
  fingerprint: string;
  /** The field of the response that is a secret, shown once and never stored; null for none. */
  shownOnce: string | null;
}

/** Follows the header's name in a message. */
export const idempotencyKeyRule = "must be 1 to 128 visible ASCII characters, without spaces";

export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}
