// The query of a request as an object. A repeated name has a list, which only some schemas accept.

import { parse } from "node:querystring";

export type Query = Readonly<Record<string, unknown>>;

export const noQuery: Query = {};

/** The last query is cached, because polls repeat the same one. */
let lastText = "";
let lastQuery: Query = noQuery;

/** `text` is the part after the question mark. The result is shared, so do not change it. */
export function parseQuery(text: string): Query {
  if (text === "") return noQuery;
  if (text !== lastText) {
    lastQuery = { ...parse(text) };
    lastText = text;
  }
  return lastQuery;
}
