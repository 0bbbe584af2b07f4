import { parse } from "node:querystring";

export type Query = Readonly<Record<string, unknown>>;

export const noQuery: Query = {};

/** The last query is cached because polls repeat it. */
let lastText = "";
let lastQuery: Query = noQuery;

/**
 * A repeated name gets a list of its values, which only some schemas accept. Callers must not
 * change the result, because it is shared.
 */
export function parseQuery(text: string): Query {
  if (text === "") return noQuery;
  if (text !== lastText) {
    lastQuery = { ...parse(text) };
    lastText = text;
  }
  return lastQuery;
}
