import { parse } from "node:querystring";

export type Query = Readonly<Record<string, unknown>>;

export const noQuery: Query = {};

/** Cached because polls repeat the same query. */
let lastText = "";
let lastQuery: Query = noQuery;

/**
 * Parses the part after the question mark. A repeated name gets a list, which only some schemas
 * accept. The result is shared, so do not change it.
 */
export function parseQuery(text: string): Query {
  if (text === "") return noQuery;
  if (text !== lastText) {
    lastQuery = { ...parse(text) };
    lastText = text;
  }
  return lastQuery;
}
