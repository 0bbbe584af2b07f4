// What an Idempotency-Key looks like.

/** To be put behind its name. */
export const idempotencyKeyRule = "must be 1 to 128 visible ASCII characters, without blanks";

export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}
