// Parses JSON that a person types. Rejects a value that would change when it is sent: a number that
// is too large, or a name that occurs twice in one object.

import type { Json } from "../../domain/payload/json.ts";
import { isExact } from "../../lib/json/exact-numbers.ts";
import { texts } from "../texts/index.ts";

export type ReadJson = { value: Json; problem?: undefined } | { problem: string };

/** Throws SyntaxError if the text is not JSON. */
export function readExactJson(text: string): ReadJson {
  const value = JSON.parse(text) as Json;
  const problem = inexactIn(text);
  return problem === null ? { value } : { problem };
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\]:]/g;

/** Requires `text` to be valid JSON. */
function inexactIn(text: string): string | null {
  const words = texts.inexactJson;
  /** The names found so far in each enclosing object. Lists have null. */
  const open: (Set<string> | null)[] = [];
  let last = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const name = JSON.parse(last) as string;
      const names = open.at(-1);
      if (names?.has(name)) return words.twice({ name: short(name) });
      names?.add(name);
    } else if (!token.startsWith('"') && !isExact(Number(token))) {
      return words.number({ written: short(token) });
    }
    last = token;
  }
  return null;
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
