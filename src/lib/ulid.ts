// Creates ULIDs, which sort by creation time. They can be guessed, because ids from the same
// millisecond are consecutive.

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const timeLength = 10;
const maxTime = 2 ** 48 - 1;
const randomBytes = 10;

/** `now` is in Unix milliseconds. */
export function createUlid(now: number, random: Uint8Array): string {
  if (random.length !== randomBytes) throw new RangeError("A ULID requires 10 random bytes.");
  return encodeTime(now) + encodeRandom(random);
}

/**
 * Creates ids of the form `<prefix>_<ULID>`, each greater than the last. If the clock has not
 * advanced, keeps the time and increments the random part.
 */
export function createIdFactory(
  now: () => number,
  fillRandom: (bytes: Uint8Array) => void,
): (prefix: string) => string {
  const random = new Uint8Array(randomBytes);
  let time = -1;
  let encodedTime = "";

  const startTime = (next: number) => {
    fillRandom(random);
    encodedTime = encodeTime(next);
    time = next;
  };

  return (prefix) => {
    const current = now();
    const countedUp = current <= time && increment(random);
    if (!countedUp) startTime(Math.max(current, time + 1));
    return `${prefix}_${encodedTime}${encodeRandom(random)}`;
  };
}

/** Returns the first and last millisecond of ULIDs that begin with `text`; null if no ULID can. */
export function timesOfUlids(text: string): { from: number; to: number } | null {
  const digits = [...text.toUpperCase()];
  if (!digits.every((digit) => alphabet.includes(digit))) return null;
  const time = digits.slice(0, timeLength).join("");
  const from = decodeTime(time.padEnd(timeLength, "0"));
  if (from > maxTime) return null;
  return { from, to: Math.min(maxTime, decodeTime(time.padEnd(timeLength, "Z"))) };
}

function decodeTime(text: string): number {
  return [...text].reduce((time, digit) => time * 32 + alphabet.indexOf(digit), 0);
}

function encodeTime(now: number): string {
  if (!Number.isInteger(now) || now < 0 || now > maxTime) {
    throw new RangeError("The time of a ULID is a whole number of milliseconds below 2^48.");
  }
  let text = "";
  for (let rest = now; text.length < timeLength; rest = Math.floor(rest / 32)) {
    text = alphabet.charAt(rest % 32) + text;
  }
  return text;
}

function encodeRandom(random: Uint8Array): string {
  let text = "";
  let bits = 0;
  let bitCount = 0;
  for (const byte of random) {
    bits = ((bits << 8) | byte) & 0xfff;
    bitCount += 8;
    while (bitCount >= 5) {
      bitCount -= 5;
      text += alphabet.charAt((bits >> bitCount) & 31);
    }
  }
  return text;
}

/** Adds one to the number that the bytes represent. Returns false on overflow. */
function increment(bytes: Uint8Array): boolean {
  for (let at = bytes.length - 1; at >= 0; at--) {
    const next = ((bytes[at] ?? 0) + 1) & 0xff;
    bytes[at] = next;
    if (next !== 0) return true;
  }
  return false;
}
