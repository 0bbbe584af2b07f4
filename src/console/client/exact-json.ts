// JSON that somebody writes, read only where what will be sent is what is written: a number that is too
// large would become another, and of a name that stands twice only the last would be left.

import type { Json } from "../../domain/payload/json.ts";

export type Inexact = { kind: "number"; written: string } | { kind: "twice"; name: string };

export type ReadJson = { value: Json; inexact?: undefined } | { inexact: Inexact };

/** Throws SyntaxError where it is no JSON. */
export function readExactJson(text: string): ReadJson {
  const value = JSON.parse(text) as Json;
  const inexact = inexactIn(text);
  return inexact ? { inexact } : { value };
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\]:]/g;

/** `text` is JSON. */
function inexactIn(text: string): Inexact | null {
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
      if (names?.has(name)) return { kind: "twice", name };
      names?.add(name);
    } else if (!token.startsWith('"') && !isExact(Number(token))) {
      return { kind: "number", written: token };
    }
    last = token;
  }
  return null;
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
