// JSON from strangers: JSON.parse, and no to what it lets through: deep nesting, two values for
// one key, the key that reaches the prototype, and numbers that become infinite, which JSON cannot
// say again. It is on the way of every request, so the text is passed over once, and only the keys
// of the objects that are open are kept; the values only where a number may be infinite.

export type StrictJson =
  | { ok: true; value: unknown }
  | { ok: false; reason: StrictJsonReason; message: string };

export type StrictJsonReason =
  | "syntax"
  | "depth"
  | "parts"
  | "duplicate-key"
  | "forbidden-key"
  | "number";

type Flaw = Extract<StrictJson, { ok: false }>;

/**
 * Parses `text`, or says why not, in a word and in a sentence. Never throws. `maxDepth` is how many
 * objects and arrays may lie in each other; `maxParts` how many objects, arrays and keys there may be, and a
 * quarter of how many values: they take far more time than their text is long.
 */
export function parseStrictJson(
  text: string,
  maxDepth = 32,
  maxParts = Number.POSITIVE_INFINITY,
): StrictJson {
  const flaw = findFlaw(text, maxDepth, maxParts);
  if (flaw?.reason === "depth" || flaw?.reason === "parts") return flaw;
  try {
    const value: unknown = JSON.parse(text);
    if (flaw && (flaw.reason !== "number" || holdsInfinity(value))) return flaw;
    return { ok: true, value };
  } catch {
    return { ok: false, reason: "syntax", message: "The text is not valid JSON." };
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

/** An object with more keys than this keeps them in a Set: a list is faster for few. */
const fewKeys = 16;

/** Plain values take less time than objects, arrays and keys: there may be so many for each of these. */
const valuesPerPart = 4;

/** A number without an exponent that is no longer than this is not infinite. */
const shortNumber = 300;

/**
 * The first flaw but for syntax, which is left to JSON.parse: the text may be anything. A number is only
 * suspected, where there is nothing else: it has an exponent, or is long.
 */
function findFlaw(text: string, maxDepth: number, maxParts: number): Flaw | null {
  /** The keys so far of each open object, outermost first; null for an open array. */
  const open: (string[] | Set<string> | null)[] = [];
  let keys: string[] | Set<string> | null = null;
  let keyIsNext = false;
  /** Where the last character was that cannot be in a number. */
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
        if (key === "__proto__") return forbiddenKey(key);
        if (keys instanceof Set ? keys.has(key) : keys.includes(key)) return duplicateKey(key);
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
        if (open.length >= maxDepth) return tooDeep(maxDepth);
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
  return mayBeInfinite || text.length - before > shortNumber ? tooLargeNumber() : null;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Where the string that begins at `start` has its closing quote; -1 when it has none. */
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

/** What the key means: "\u0061" is "a". One that is no valid string fails in JSON.parse later. */
function decodeKey(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return raw;
  }
}

/** Whether there is one that JSON cannot say. Its depth is bounded: that was looked at before. */
function holdsInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsInfinity);
}

function tooLargeNumber(): Flaw {
  const message = "The JSON has a number that is too large: at most about 1.8e308.";
  return { ok: false, reason: "number", message };
}

function tooDeep(maxDepth: number): Flaw {
  const message = `The JSON is nested deeper than ${maxDepth} levels.`;
  return { ok: false, reason: "depth", message };
}

function tooManyParts(maxParts: number): Flaw {
  const message =
    `The JSON has more than ${maxParts} objects, arrays and keys, ` +
    `or more than ${maxParts * valuesPerPart} values.`;
  return { ok: false, reason: "parts", message };
}

function duplicateKey(key: string): Flaw {
  const message = `The JSON has the key ${quoted(key)} twice in one object.`;
  return { ok: false, reason: "duplicate-key", message };
}

function forbiddenKey(key: string): Flaw {
  const message = `The JSON has the key ${quoted(key)}, which is not allowed.`;
  return { ok: false, reason: "forbidden-key", message };
}

function quoted(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key);
}
