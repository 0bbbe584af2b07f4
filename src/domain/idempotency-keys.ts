// What an Idempotency-Key looks like, and what a call with one brings along.

/** A call that makes its change at most once. */
export interface KeyedCall {
  key: string;
  route: string;
  /** Of all that the caller asked for: another call under the same key has another one. */
  fingerprint: string;
  /** The field of the answer that is a secret, shown once and stored nowhere; null for none. */
  shownOnce: string | null;
}

/** To be put behind its name. */
export const idempotencyKeyRule = "must be 1 to 128 visible ASCII characters, without blanks";

export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}
