// Reads JSON that a person writes, and refuses what would be sent differently from how it is written: a
// number that is too large, and a name that occurs twice in one object, of which only the last is kept.

import type { Json } from "../../domain/payload/json.ts";
import { texts } from "../texts/index.ts";

export type ReadJson = { value: Json; problem?: undefined } | { problem: string };

/** Throws SyntaxError if the text is not JSON. */
export function readExactJson(text: string): ReadJson {
  const value = JSON.parse(text) as Json;
  const problem = inexactIn(text);
  return problem === null ? { value } : { problem };
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\]:]/g;

/** `text` must be JSON. */
function inexactIn(text: string): string | null {
  const words = texts.inexactJson;
  /** The names of each object that is open here; null for a list. */
  const open: (Set<string> | null)[] = [];
  let last = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const name = JSON.parse(last) as string;
      const names = open.at(-1);
      if (names?.has(name)) return words.twice(short(name));
      names?.add(name);
    } else if (!token.startsWith('"') && !isExact(Number(token))) {
      return words.number(short(token));
    }
    last = token;
  }
  return null;
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
