// Parses untrusted JSON. Refuses deep nesting, duplicate keys, `__proto__` and numbers that become
// infinite. Every request is parsed here, so the check before JSON.parse is a single pass over the
// text.

import { quoted } from "../cut-text.ts";

interface Flaw {
  ok: false;
  reason: "syntax" | "depth" | "parts" | "duplicate-key" | "forbidden-key" | "number";
  message: string;
}

/**
 * Never throws. `maxParts` limits the number of objects, arrays and keys, and four times `maxParts`
 * limits the number of values. Texts with many parts or values take longer to parse than their
 * length suggests.
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

/** Objects with more keys than this use a Set. A list is faster for few keys. */
const fewKeys = 16;

/** Values take less time than objects, arrays and keys, so more of them are allowed. */
const valuesPerPart = 4;

/** A number of at most this length without an exponent is finite. */
const shortNumber = 300;

/**
 * Finds the first flaw other than syntax, which JSON.parse checks later. Reports numbers that may
 * be infinite only if it finds nothing else.
 */
function findFlaw(text: string, maxDepth: number, maxParts: number): Flaw | null {
  /** The keys of each open object, outermost first; null for an open array. */
  const open: (string[] | Set<string> | null)[] = [];
  let keys: string[] | Set<string> | null = null;
  let keyIsNext = false;
  /** The last position of a character that cannot be part of a number. */
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

/** Returns the position of the closing quote; -1 if there is none. */
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

/** Decodes escapes. JSON.parse rejects an invalid string later. */
function decodeKey(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return raw;
  }
}

/** Recursion is safe because the depth was checked before. */
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
