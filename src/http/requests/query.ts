// The query of a request as an object: a name that comes twice has a list, which no schema takes.

import { parse } from "node:querystring";

export type Query = Readonly<Record<string, unknown>>;

export const noQuery: Query = {};

/** Polls ask for the same thing again and again: the last query is remembered. */
let lastText = "";
let lastQuery: Query = noQuery;

/** `text` is what stands behind the question mark; the answer is shared, and must not be changed. */
export function parseQuery(text: string): Query {
  if (text === "") return noQuery;
  if (text !== lastText) {
    lastQuery = { ...parse(text) };
    lastText = text;
  }
  return lastQuery;
}
