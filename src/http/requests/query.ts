// Parses the query of a request to an object. The value of a repeated name is a list, which only
// some schemas accept.

import { parse } from "node:querystring";

export type Query = Readonly<Record<string, unknown>>;

export const noQuery: Query = {};

/** The last query, cached because polls repeat the same one. */
let lastText = "";
let lastQuery: Query = noQuery;

/** Parses the part after the question mark. The result is shared, so do not change it. */
export function parseQuery(text: string): Query {
  if (text === "") return noQuery;
  if (text !== lastText) {
    lastQuery = { ...parse(text) };
    lastText = text;
  }
  return lastQuery;
}
