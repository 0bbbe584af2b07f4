// Parses untrusted JSON. Refuses some text that JSON.parse accepts: deep nesting, duplicate keys,
// `__proto__`, and numbers that become infinite, which JSON cannot represent. Because every request
// is parsed here, the parser reads the text once and remembers only the keys of open objects. It
// searches the values only if a number may be infinite.

interface Flaw {
  ok: false;
  reason: "syntax" | "depth" | "parts" | "duplicate-key" | "forbidden-key" | "number";
  message: string;
}

/**
 * Never throws. `maxDepth` limits the nesting of objects and arrays. `maxParts` limits the number
 * of objects, arrays and keys, and four times `maxParts` limits the number of values, because these
 * take far more time than the length of their text suggests.
 */
export function parseStrictJson(
  text: string,
  maxDepth = 32,
  maxParts = Number.POSITIVE_INFINITY,
): { ok: true; value: unknown } | Flaw {
  const flaw = findFlaw(text, maxDepth, maxParts);
  if (flaw?.reason === "depth" || flaw?.reason === "parts") return flaw;
  try {
    const value: unknown = JSON.parse(text);
    if (flaw && (flaw.reason !== "number" || holdsInfinity(value))) return flaw;
    return { ok: true, value };
  } catch {
    return flawOf("syntax", "The text is not valid JSON.");
  }
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const smallE = 0x65;
const capitalE = 0x45;

/** An object with more keys than this keeps them in a Set. A list is faster for few keys. */
const fewKeys = 16;

/**
 * How many values are allowed for each part. Values take less time than objects, arrays and keys.
 */
const valuesPerPart = 4;

/** A number of at most this length without an exponent is finite. */
const shortNumber = 300;

/**
 * Finds the first flaw except in syntax, which JSON.parse checks. The text may be anything. If
 * there is no other flaw, reports a number that may be infinite because it has an exponent or many
 * digits.
 */
function findFlaw(text: string, maxDepth: number, maxParts: number): Flaw | null {
  /** The keys found so far in each open object, outermost first; null for an open array. */
  const open: (string[] | Set<string> | null)[] = [];
  let keys: string[] | Set<string> | null = null;
  let keyIsNext = false;
  /** The position of the latest character that cannot be part of a number. */
  let before = -1;
  let mayBeInfinite = false;
  let parts = 0;
  let values = 0;

  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const start = at + 1;
        at = endOfString(text, start);
        if (at < 0) return null;
        before = at;
        if (!keyIsNext || !keys) break;
        keyIsNext = false;
        if (++parts > maxParts) return tooManyParts(maxParts);

        const key = decodeKey(text.slice(start, at));
        if (key === "__proto__") {
          return flawOf("forbidden-key", `The JSON has the key "${key}", which is not allowed.`);
        }
        if (keys instanceof Set ? keys.has(key) : keys.includes(key)) {
          const message = `The JSON has the key ${quoted(key)} twice in one object.`;
          return flawOf("duplicate-key", message);
        }
        if (keys instanceof Set) {
          keys.add(key);
        } else if (keys.push(key) > fewKeys) {
          keys = new Set(keys);
          open[open.length - 1] = keys;
        }
        break;
      }
      case comma:
        if (++values > maxParts * valuesPerPart) return tooManyParts(maxParts);
        if (at - before > shortNumber) mayBeInfinite = true;
        before = at;
        keyIsNext = true;
        break;
      case openBrace:
      case openBracket:
        if (open.length >= maxDepth) {
          return flawOf("depth", `The JSON is nested deeper than ${maxDepth} levels.`);
        }
        if (++parts > maxParts) return tooManyParts(maxParts);
        before = at;
        keys = text.charCodeAt(at) === openBrace ? [] : null;
        open.push(keys);
        keyIsNext = true;
        break;
      case closeBrace:
      case closeBracket:
        if (at - before > shortNumber) mayBeInfinite = true;
        before = at;
        open.pop();
        keys = open.at(-1) ?? null;
        break;
      case smallE:
      case capitalE:
        if (isDigit(text.charCodeAt(at - 1))) mayBeInfinite = true;
        break;
    }
  }
  const isSuspect = mayBeInfinite || text.length - before > shortNumber;
  const message = "The JSON has a number that is too large: at most about 1.8e308.";
  return isSuspect ? flawOf("number", message) : null;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * Returns the position of the closing quote of the string that begins at `start`; -1 if there is
 * none.
 */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}

/** Decodes escapes: "\u0061" is "a". An invalid string fails later in JSON.parse. */
function decodeKey(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return raw;
  }
}

/** Finds an infinite number. The depth of the value was checked before. */
function holdsInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsInfinity);
}

function tooManyParts(maxParts: number): Flaw {
  const message =
    `The JSON has more than ${maxParts} objects, arrays and keys, ` +
    `or more than ${maxParts * valuesPerPart} values.`;
  return flawOf("parts", message);
}

function flawOf(reason: Flaw["reason"], message: string): Flaw {
  return { ok: false, reason, message };
}

function quoted(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key);
}
