// The form of an Idempotency-Key, and the facts about a call that has one.

/** A call that makes its change at most once. */
export interface KeyedCall {
  key: string;
  route: string;
  /**
   * The fingerprint of the whole request. It shows whether a different request uses the same key.
   */
  fingerprint: string;
  /** The field of the response that is a secret, shown once and never stored; null for none. */
  shownOnce: string | null;
}

/** The rule for keys, worded to follow the header's name in a message. */
export const idempotencyKeyRule = "must be 1 to 128 visible ASCII characters, without spaces";

export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}
