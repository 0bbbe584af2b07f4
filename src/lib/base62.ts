// Encodes numbers and random bytes as letters and digits, which need no quoting in URLs or shells.

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const base = BigInt(alphabet.length);

/**
 * The largest multiple of 62 that fits into a byte. Bytes from this value on are skipped, because
 * they would make some characters more likely.
 */
const unbiasedBytes = 248;

/** Pads the text with zeros. Throws RangeError if `value` does not fit into `length` characters. */
export function encodeBase62(value: bigint, length: number): string {
  if (value < 0n || value >= base ** BigInt(length)) {
    throw new RangeError(`The number does not fit into ${length} characters of base 62.`);
  }
  let text = "";
  for (let rest = value; text.length < length; rest /= base) {
    text = alphabet.charAt(Number(rest % base)) + text;
  }
  return text;
}

/** All 62 characters are equally likely. */
export function randomBase62(length: number, fillRandom: (bytes: Uint8Array) => void): string {
  const bytes = new Uint8Array(length + 8);
  let text = "";
  while (text.length < length) {
    fillRandom(bytes);
    for (const byte of bytes) {
      if (byte < unbiasedBytes && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}

export function isBase62(text: string): boolean {
  return /^[0-9A-Za-z]+$/.test(text);
}
